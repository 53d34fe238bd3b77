import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { createStorage, defineDriver, type Storage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";

/** `memory:` or `file:<directory>`: where a simulator keeps its state. */
export type StorageUrl = { kind: "memory" } | { kind: "file"; directory: string };

/** @returns nothing when the text is no storage URL */
export const parseStorageUrl = (text: string): StorageUrl | undefined => {
  if (text === "memory:") return { kind: "memory" };
  const directory = /^file:(.+)$/.exec(text)?.[1];
  return directory === undefined ? undefined : { kind: "file", directory: resolve(directory) };
};

const fileName = (directory: string, key: string) =>
  join(directory, `${key.replaceAll(":", "/")}.json`);

const readIfThere = (path: string) => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

const replaceFile = (path: string, text: string) => {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp-${process.pid}`;
  const fd = openSync(temporary, "w", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
};

/**
 * A driver whose writes are whole or not there: temporary file, fsync, rename. The stock file
 * driver writes in place, so a kill can leave the only copy empty.
 */
const wholeFileDriver = defineDriver((directory: string) => ({
  name: "whole-file",
  hasItem: (key: string) => readIfThere(fileName(directory, key)) !== null,
  getItem: (key: string) => readIfThere(fileName(directory, key)),
  setItem: (key: string, value: string) => replaceFile(fileName(directory, key), value),
  getKeys: () => [],
}));

/** The key-value side of a simulator's state: what is got and put, beside the journal. */
export const openKeyValue = (url: StorageUrl): Storage =>
  createStorage({
    driver: url.kind === "memory" ? memoryDriver() : wholeFileDriver(url.directory),
  });
