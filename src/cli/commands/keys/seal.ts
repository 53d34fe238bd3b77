import { randomBytes } from "node:crypto";
import { BundleError, sealCode, targetKeyIn } from "../../../crypto/code-bundles.ts";
import { publicKeyOf } from "../../../crypto/p256.ts";
import { userTextOf } from "../../../machine/user-text.ts";
import { type Command, CommandError, EXIT, usageError } from "../../frame/command.ts";
import { KEY_OPTION, keyOf } from "../../frame/key-file.ts";
import { readStandardInput } from "../../frame/standard-input.ts";

const ENTROPY_BYTES = 48;

const NEXT = 'service-sim keys seal "$BUNDLE" --code 000000 --key client.json';

/** The key that a bundle names; a failure says what the text is instead. */
const targetIn = (bundle: string) => {
  try {
    return targetKeyIn(bundle);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const failure = { code: "NOT_SEALED", exitCode: EXIT.notDone };
    throw new CommandError(failure, error.message, [
      "use the otpEncryptionTargetBundle of POST /auth/credentials/{id}/challenge",
    ]);
  }
};

export const command: Command = {
  name: "seal",
  summary: "encrypt a one-time code and your public key for a sign-in; - reads stdin",
  operands: "<bundle>",
  options: [
    { flags: "--code <code>", summary: "one-time code to encrypt", noEnvironment: true },
    KEY_OPTION,
  ],
  examples: [
    'service-sim keys seal "$BUNDLE" --code 000000 --key "$KEYS/client.json"',
    'printf %s "$BUNDLE" | service-sim keys seal - --code 000000 --key "$KEYS/client.json"',
  ],
  run: async ({ args, options }, terminal) => {
    const [operand = ""] = args;
    const { code, key } = options;
    if (typeof code !== "string") throw usageError("give --code with the one-time code", NEXT);
    const publicKey = publicKeyOf(keyOf(key), "uncompressed");
    const text = (operand === "-" ? userTextOf(await readStandardInput()) : operand).trim();
    const entropyHex = randomBytes(ENTROPY_BYTES).toString("hex");
    const encryptedOtpBundle = await sealCode(
      { code, publicKey },
      { targetPublic: targetIn(text), entropyHex },
    );
    terminal.document({ encryptedOtpBundle, publicKey });
    if (!terminal.json) terminal.answer(encryptedOtpBundle);
    terminal.next("service-sim sign <payloadToSign> --key <file>    signs the answer of verify");
    return EXIT.done;
  },
};
