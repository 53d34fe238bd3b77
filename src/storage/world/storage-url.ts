import { resolve } from "node:path";
import { HIDDEN_PASSWORD } from "../../contract/core/endpoint-address.ts";

/** Place of a simulator's state: `memory:`, `file:<directory>` or `postgres://…`. */
export type StorageUrl =
  | { kind: "memory" }
  | { kind: "file"; directory: string }
  | { kind: "postgres"; url: string };

/** The state directory of the command line, in its working directory. */
export const DEFAULT_DIRECTORY = ".service-sim";

/** A control character in a path is a slip, and no path holds the character NUL. */
const FILE_URL = /^file:(\P{Cc}+)$/u;

const POSTGRES_URL = /^postgres(ql)?:/;

/** A database must be named: the default of a role is easily another one than was meant. */
const isPostgresUrl = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { host, pathname } = new URL(text);
  return host !== "" && /^\/[^/]+$/.test(pathname);
};

/** A home that the shell has not put in: it does so only at the start of a word. */
const UNEXPANDED_HOME = /^~(\/|$)/;

/**
 * Reads a storage URL.
 * @returns nothing when the text is not one
 */
export const parseStorageUrl = (text: string): StorageUrl | undefined => {
  if (text === "memory:") return { kind: "memory" };
  if (POSTGRES_URL.test(text))
    return isPostgresUrl(text) ? { kind: "postgres", url: text } : undefined;
  const directory = FILE_URL.exec(text)?.[1];
  if (directory === undefined || UNEXPANDED_HOME.test(directory)) return undefined;
  return { kind: "file", directory: resolve(directory) };
};

/** The forms of a storage URL, as errors name them. */
export const STORAGE_URL =
  "memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database>";

/** The text of a wrong storage URL as errors show it, with the reason when it looks right. */
export const wrongStorageUrl = (text: string) => {
  const shown = JSON.stringify(shownStorage(text));
  return UNEXPANDED_HOME.test(text.replace(/^file:/, ""))
    ? `${shown}, whose ~ no shell has replaced: write $HOME`
    : shown;
};

/** The authority of an address: its user, and what stands between the colon and the last `@`. */
const AUTHORITY = /^([^:/]+:\/\/[^:@/?#]*):[^/?#]*@/;

/** The same in a text that is no address, where a password may hold any character. */
const AT_ANY_PLACE = /^([^:]*:(?:\/+[^:@/?#]*:)?).*@/s;

const PARAMETER = /([?&]password=)[^&#]*/gi;

/** A storage URL without its password, wherever it stands and however wrong the URL is. */
export const shownStorage = (text: string) => {
  if (text.startsWith("file:")) return text;
  const isAddress = URL.canParse(text) && new URL(text).host !== "";
  const shown = isAddress
    ? text.replace(AUTHORITY, `$1:${HIDDEN_PASSWORD}@`)
    : text.replace(AT_ANY_PLACE, `$1${HIDDEN_PASSWORD}@`);
  return shown.replace(PARAMETER, `$1${HIDDEN_PASSWORD}`);
};
