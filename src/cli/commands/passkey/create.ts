import { isLoopbackName } from "../../../contract/core/loopback.ts";
import { PASSKEY_ALGORITHMS, type PasskeyAlgorithm } from "../../../crypto/cose-keys.ts";
import { createPasskey } from "../../../crypto/software-authenticator.ts";
import { safeJson } from "../../../text/safe-text.ts";
import { type Command, EXIT } from "../../frame/command.ts";
import { createPasskeyFile } from "../../tasks/passkey-file.ts";
import {
  CHALLENGE_OPTION,
  KEY_OPTION,
  ORIGIN_OPTION,
  required,
} from "../../tasks/passkey-options.ts";

/** A page of this origin may use this relying party; browsers allow localhost without TLS. */
const originOf = (rpId: string) => `${isLoopbackName(rpId) ? "http" : "https"}://${rpId}`;

export const command: Command = {
  name: "create",
  summary: "create a passkey and print the body members for POST /auth/credentials",
  options: [
    CHALLENGE_OPTION,
    KEY_OPTION,
    {
      flags: "--rp-id <domain>",
      summary: "relying party of the passkey",
      default: "localhost",
      noEnvironment: true,
    },
    ORIGIN_OPTION,
    {
      flags: "--alg <name>",
      summary: "signature algorithm",
      choices: PASSKEY_ALGORITHMS,
      default: "ES256",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim passkey create --challenge cmVnaXN0ZXI --key ada.json",
    "service-sim passkey create --challenge cmVnaXN0ZXI --key bob.json --rp-id shop.example",
    "service-sim passkey create --challenge cmVnaXN0ZXI --key eve.json --alg EdDSA --json",
  ],
  run: async (invocation, terminal) => {
    const { options } = invocation;
    const challenge = required(invocation, "challenge", "create");
    const file = required(invocation, "key", "create");
    const rpId = String(options.rpId);
    const { passkey, attestation } = await createPasskey({
      challenge,
      rpId,
      origin: typeof options.origin === "string" ? options.origin : originOf(rpId),
      algorithm: options.alg as PasskeyAlgorithm,
    });
    createPasskeyFile(file, passkey);
    const members = { type: "PASSKEY", challenge, attestation };
    if (terminal.json) terminal.document(members);
    else terminal.answer(safeJson(members, 2));
    terminal.next(`service-sim passkey assert --challenge <text> --key ${file}`);
    return EXIT.done;
  },
};
