import { createPrivateKey } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { PASSKEY_ALGORITHMS } from "../../crypto/cose-keys.ts";
import type { SoftwarePasskey } from "../../crypto/software-authenticator.ts";
import { userJson } from "../../http/body/user-json.ts";
import { fileFault, folderFault } from "../../machine/file-fault.ts";
import { removeQuietly } from "../../machine/remove-quietly.ts";
import { readUserText } from "../../machine/user-text.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";

/** Readable only by its owner: it holds the private key. */
const MODE = 0o600;

const textOf = (passkey: SoftwarePasskey) => `${JSON.stringify(passkey, null, 2)}\n`;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "an error";

const notWritten = (file: string, error: unknown) =>
  new CommandError(
    { code: "KEY_FILE_NOT_WRITTEN", exitCode: EXIT.notDone },
    `cannot write the passkey to ${file}: ${folderFault(error)}`,
    ["service-sim passkey create --help"],
  );

/** Refuses to overwrite a file: it may be the only copy of a key. */
export const createPasskeyFile = (file: string, passkey: SoftwarePasskey) => {
  try {
    writeFileSync(file, textOf(passkey), { mode: MODE, flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw notWritten(file, error);
    throw new CommandError(
      { code: "KEY_FILE_EXISTS", exitCode: EXIT.notDone },
      `${file} already exists`,
      [`service-sim passkey assert --challenge <text> --key ${file}    signs in with that one`],
    );
  }
};

/** Saves the new counter. The old file stays until the new one is complete. */
export const keepPasskeyFile = (file: string, passkey: SoftwarePasskey) => {
  const temporary = `${file}.tmp-${process.pid}`;
  try {
    writeFileSync(temporary, textOf(passkey), { mode: MODE, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw notWritten(file, error);
  }
};

const isPrivateKey = (pem: unknown) => {
  try {
    return createPrivateKey(String(pem)).type === "private";
  } catch {
    return false;
  }
};

const isPasskey = (value: unknown): value is SoftwarePasskey => {
  if (typeof value !== "object" || value === null) return false;
  const { algorithm, counter, ...texts } = value as Record<keyof SoftwarePasskey, unknown>;
  const { rpId, origin, credentialId, privateKey } = texts;
  return (
    [rpId, origin, credentialId].every((one) => typeof one === "string") &&
    isPrivateKey(privateKey) &&
    PASSKEY_ALGORITHMS.some((name) => name === algorithm) &&
    Number.isSafeInteger(counter)
  );
};

const parsed = (text: string): unknown => {
  try {
    return userJson(text);
  } catch {
    return undefined;
  }
};

/** Reads the file that `passkey create` wrote. */
export const readPasskeyFile = (file: string): SoftwarePasskey => {
  const next = `service-sim passkey create --challenge <text> --key ${file}    creates one`;
  let text: string;
  try {
    text = readUserText(file);
  } catch (error) {
    throw new CommandError(
      { code: "KEY_FILE_NOT_READ", exitCode: EXIT.notDone },
      `cannot read the passkey ${file}: ${fileFault(error)}`,
      [next],
    );
  }
  const passkey = parsed(text);
  if (!isPasskey(passkey)) throw usageError(`${file} is not a passkey`, next);
  return passkey;
};
