import { readFileSync } from "node:fs";
import { publicKeyOf } from "../../crypto/p256.ts";
import { bareSignatureOver, stampOver } from "../../crypto/wallet-signatures.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { type Command, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { KEY_OPTION, keyOf } from "../frame/key-file.ts";
import { readStandardInput } from "../frame/standard-input.ts";

const NEXT = "service-sim sign - --key session.json < payload.txt";

const bytesOf = (file: string) => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${fileFault(error)}`, NEXT);
  }
};

/** Rejects bytes that are not UTF-8: decoding would change them before they are signed. */
const textIn = (bytes: Buffer) => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError("the payload is not UTF-8 text", NEXT);
  }
};

/** Removes the trailing newline that `jq -r` and similar tools add to piped output. */
const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, "");

/** The exact text to sign, from the field of a reply that holds it. */
const payloadOf = async ({ args, options }: Invocation) => {
  const [operand] = args;
  const { file } = options;
  if ((operand === undefined) === (file === undefined))
    throw usageError("give the payload once: as text, as - for stdin, or with --file", NEXT);
  if (typeof file === "string") return textIn(bytesOf(file));
  return operand === "-" ? withoutLineEnd(textIn(await readStandardInput())) : (operand as string);
};

export const command: Command = {
  name: "sign",
  summary:
    "sign a payload for Service-Wallet-Signature; - reads stdin without its trailing newline",
  operands: "[payload]",
  options: [
    KEY_OPTION,
    { flags: "--file <file>", summary: "file with the payload", noEnvironment: true },
    {
      flags: "--bare",
      summary: "print only the base64 signature, without the stamp",
      noEnvironment: true,
    },
  ],
  examples: [
    `service-sim sign 'pay 5' --key "$KEYS/session.json"`,
    `printf %s 'pay 5' | service-sim sign - --key "$KEYS/session.json" --bare`,
  ],
  run: async (invocation, terminal) => {
    const { key, bare } = invocation.options;
    const privateKeyHex = keyOf(key);
    const payload = await payloadOf(invocation);
    if (payload === "") throw usageError("the payload is empty", NEXT);
    if (/[\r\n]$/.test(payload)) terminal.note("the trailing newline of the payload is signed too");
    const form = bare === true ? "bare" : "stamp";
    const sign = bare === true ? bareSignatureOver : stampOver;
    const signature = sign(payload, privateKeyHex);
    terminal.document({ form, signature, publicKey: publicKeyOf(privateKeyHex, "compressed") });
    if (!terminal.json) terminal.answer(signature);
    return EXIT.done;
  },
};
