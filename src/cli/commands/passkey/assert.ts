import { signWithPasskey } from "../../../crypto/software-authenticator.ts";
import { safeJson } from "../../../text/safe-text.ts";
import { type Command, EXIT } from "../../frame/command.ts";
import { keepPasskeyFile, readPasskeyFile } from "../../tasks/passkey-file.ts";
import {
  CHALLENGE_OPTION,
  KEY_OPTION,
  ORIGIN_OPTION,
  required,
} from "../../tasks/passkey-options.ts";

export const command: Command = {
  name: "assert",
  summary: "sign in with a passkey and print the body for POST /auth/credentials/{id}/verify",
  options: [CHALLENGE_OPTION, KEY_OPTION, ORIGIN_OPTION],
  examples: ["service-sim passkey assert --challenge c2lnbi1pbg --key ada.json"],
  run: async (invocation, terminal) => {
    const challenge = required(invocation, "challenge", "assert");
    const file = required(invocation, "key", "assert");
    const { origin } = invocation.options;
    const { passkey, assertion } = signWithPasskey(readPasskeyFile(file), {
      challenge,
      ...(typeof origin === "string" && { origin }),
    });
    // Saves the counter before printing: a counter that a server has seen must never be reused.
    keepPasskeyFile(file, passkey);
    const body = { type: "PASSKEY", assertion };
    if (terminal.json) terminal.document(body);
    else terminal.answer(safeJson(body, 2));
    return EXIT.done;
  },
};
