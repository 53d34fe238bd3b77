import { resolve } from "node:path";

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
export const STORAGE_URL = "memory:, file:<directory> or postgres://<host>/<database>";

/** The text of a wrong storage URL as errors show it, with the reason when it looks right. */
export const wrongStorageUrl = (text: string) => {
  const shown = JSON.stringify(shownStorage(text));
  return UNEXPANDED_HOME.test(text.replace(/^file:/, ""))
    ? `${shown}, whose ~ no shell has replaced: write $HOME`
    : shown;
};

/** A storage URL without its password. */
export const shownStorage = (text: string) =>
  text.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@]*@/, "$1:…@");
