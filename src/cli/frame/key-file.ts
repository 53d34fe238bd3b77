import { writeFileSync } from "node:fs";
import { isPoint, isPrivateKey, pointAs, publicKeyOf } from "../../crypto/p256.ts";
import { userJson } from "../../http/body/user-json.ts";
import { fileFault, folderFault } from "../../machine/file-fault.ts";
import { readUserText } from "../../machine/user-text.ts";
import { CommandError, EXIT, usageError } from "./command.ts";

/** A key pair as `keys` prints it and writes it into a file. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export const KEY_OPTION = {
  flags: "--key <file|hex>",
  summary: "private key: 64 hex characters, or a file written by keys create",
  noEnvironment: true,
} as const;

export const OUT_OPTION = {
  flags: "--out <file>",
  summary: "write the secret part into a new file that only you can read",
  noEnvironment: true,
} as const;

const MAKES_ONE = "service-sim keys create --out client.json    creates one";
/** Recognizes a key with a digit too many or too few, which must not be printed. */
const HEX_LIKE = /^[0-9a-f]{40,}$/i;

const keyFailure = (found: string) =>
  usageError(`Expected --key to be a P-256 private key or its file but found ${found}`, MAKES_ONE);

const textOf = (file: string) => {
  try {
    return readUserText(file).trim();
  } catch (error) {
    throw keyFailure(`${fileFault(error)} at ${file}`);
  }
};

const pairIn = (text: string): Partial<KeyPair> => {
  try {
    return (userJson(text) as Partial<KeyPair> | null) ?? {};
  } catch {
    return {};
  }
};

/** A damaged private key is usually still valid, but no longer matches its public half. */
const isPair = (privateKey: string, publicKey: unknown) =>
  publicKey === undefined ||
  (isPoint(String(publicKey)) &&
    pointAs("compressed", String(publicKey)) === publicKeyOf(privateKey, "compressed"));

/** Reads the private key of `--key` in lower-case hex. Errors never contain any of it. */
export const keyOf = (option: string | boolean | undefined): string => {
  if (typeof option !== "string")
    throw usageError("give --key with a private key or its file", MAKES_ONE);
  if (isPrivateKey(option)) return option.toLowerCase();
  if (HEX_LIKE.test(option))
    throw keyFailure(`${option.length} hex characters, which is not a key`);
  const text = textOf(option);
  const pair = isPrivateKey(text) ? { privateKey: text } : pairIn(text);
  const { privateKey, publicKey } = pair as Partial<KeyPair>;
  if (typeof privateKey !== "string" || !isPrivateKey(privateKey))
    throw keyFailure(`no key in ${option}`);
  if (!isPair(privateKey, publicKey))
    throw keyFailure(`a private and a public key in ${option} that do not match`);
  return privateKey.toLowerCase();
};

/** Writes a secret into a new file of mode 0600; never overwrites an existing file. */
export const writeSecret = (file: string, secret: object) => {
  try {
    writeFileSync(file, `${JSON.stringify(secret)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      { code: "NOT_WRITTEN", exitCode: EXIT.notDone },
      `cannot write ${file}: ${folderFault(error)}`,
      code === "EEXIST" ? [`rm ${file}    if you no longer need it`] : [],
    );
  }
};
