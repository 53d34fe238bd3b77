import { randomBytes } from "node:crypto";
import { publicKeyOf } from "../../../crypto/p256.ts";
import { sessionKeyFrom } from "../../../crypto/session-keys.ts";
import { columns } from "../../../text/layout.ts";
import { type Command, EXIT } from "../../frame/command.ts";
import { type KeyPair, OUT_OPTION, writeSecret } from "../../frame/key-file.ts";

const ENTROPY_BYTES = 48;

const clientKeyPair = (): KeyPair => {
  const { privateKeyHex } = sessionKeyFrom(randomBytes(ENTROPY_BYTES).toString("hex"));
  return { publicKey: publicKeyOf(privateKeyHex, "uncompressed"), privateKey: privateKeyHex };
};

export const formatKeyPair = ({ publicKey, privateKey }: KeyPair): string[] =>
  columns([
    ["public", publicKey],
    ["private", privateKey],
  ]);

export const command: Command = {
  name: "create",
  summary: "create a client key pair; send its public key as clientPublicKey",
  options: [OUT_OPTION],
  examples: [
    'KEYS=$(mktemp -d) && service-sim keys create --out "$KEYS/client.json"',
    "service-sim keys create --json",
  ],
  run: async ({ options }, terminal) => {
    const pair = clientKeyPair();
    if (typeof options.out !== "string") {
      terminal.document(pair);
      if (!terminal.json) for (const line of formatKeyPair(pair)) terminal.answer(line);
      return EXIT.done;
    }
    writeSecret(options.out, pair);
    terminal.document({ publicKey: pair.publicKey, file: options.out });
    if (!terminal.json) terminal.answer(pair.publicKey);
    terminal.note(`the private key is in ${options.out}, which only you can read`);
    terminal.next(`service-sim keys open <encryptedSessionSigningKey> --key ${options.out}`);
    return EXIT.done;
  },
};
