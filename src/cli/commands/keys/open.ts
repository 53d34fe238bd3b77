import { openSessionKey, openWalletExport, SealingError } from "../../../crypto/sealing.ts";
import { userTextOf } from "../../../machine/user-text.ts";
import { columns } from "../../../text/layout.ts";
import { type Command, CommandError, EXIT } from "../../frame/command.ts";
import { KEY_OPTION, keyOf, OUT_OPTION, writeSecret } from "../../frame/key-file.ts";
import { readStandardInput } from "../../frame/standard-input.ts";

/** The content of a sealed text: public members, and the secret only its owner can open. */
interface UnsealedBundle {
  open: Record<string, string>;
  secret: Record<string, string>;
}

const openBundle = async (bundle: string, privateKeyHex: string): Promise<UnsealedBundle> => {
  const key = await openSessionKey(bundle, { privateKeyHex });
  return { open: { publicKey: key.publicKeyHex }, secret: { privateKey: key.privateKeyHex } };
};

const openExport = async (text: string, privateKeyHex: string): Promise<UnsealedBundle> => {
  const { mnemonic, organizationId } = await openWalletExport(text, { privateKeyHex });
  return { open: { organizationId }, secret: { mnemonic } };
};

/** Labels of the members, in print order. */
const LABELS: Readonly<Record<string, string>> = {
  publicKey: "public",
  privateKey: "private",
  organizationId: "organization",
  mnemonic: "mnemonic",
};

export const formatOpened = (members: Record<string, string>): string[] =>
  columns(Object.entries(members).map(([name, value]) => [LABELS[name] ?? name, value]));

const nextAfter = (text: string, isExport: boolean) => {
  if (isExport && !text.startsWith("{"))
    return ["service-sim keys open <bundle> --key <file>    opens a session's key"];
  if (!isExport && text.startsWith("{"))
    return ["service-sim keys open --export <envelope> --key <file>    opens a wallet's export"];
  return ["use the private key of the request's clientPublicKey"];
};

export const command: Command = {
  name: "open",
  summary: "decrypt a session's key or a wallet's export; - reads stdin",
  operands: "<bundle>",
  options: [
    KEY_OPTION,
    {
      flags: "--export",
      summary: "open encryptedWalletCredentials of a wallet's export",
      noEnvironment: true,
    },
    OUT_OPTION,
  ],
  examples: [
    'service-sim keys open "$BUNDLE" --key "$KEYS/client.json" --out "$KEYS/session.json"',
    'printf %s "$ENVELOPE" | service-sim keys open - --export --key "$KEYS/client.json"',
  ],
  run: async ({ args, options }, terminal) => {
    const [operand = ""] = args;
    const privateKeyHex = keyOf(options.key);
    const text = (operand === "-" ? userTextOf(await readStandardInput()) : operand).trim();
    const opening = options.export === true ? openExport : openBundle;
    const { open, secret } = await opening(text, privateKeyHex).catch((error: unknown) => {
      if (!(error instanceof SealingError)) throw error;
      const failure = { code: "NOT_OPENED", exitCode: EXIT.notDone };
      throw new CommandError(failure, error.message, nextAfter(text, options.export === true));
    });
    const all = { ...open, ...secret };
    if (typeof options.out === "string") writeSecret(options.out, all);
    const shown = typeof options.out === "string" ? { ...open, file: options.out } : all;
    terminal.document(shown);
    if (!terminal.json) for (const line of formatOpened(shown)) terminal.answer(line);
    return EXIT.done;
  },
};
