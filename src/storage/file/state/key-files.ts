import { open, readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createStorage, defineDriver, type Storage } from "unstorage";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { makeFolders } from "../../../machine/make-folders.ts";
import { synced } from "../../../machine/synced-file.ts";

interface StoragePlace {
  directory: string;
  /** Extension of its files. */
  extension: ".json" | ".bin";
}

/** Whether file names survive a power cut too; the bytes of files always do. */
export interface Durability {
  fsync: boolean;
  /** Throws when the directory may no longer be changed. */
  requireHeld?: () => void;
}

/** Path of a key's file: letters, digits, `-`, `.` and `:` can stand in a path as they are. */
const fileOf = ({ directory, extension }: StoragePlace, key: string) =>
  join(directory, ...key.split(":").slice(0, -1), `${key.split(":").at(-1)}${extension}`);

/** Path of the file for a key of a state directory. */
export const pathOfKey = (directory: string, key: string) =>
  fileOf({ directory, extension: ".json" }, key);

const orNull = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

const writeWhole = async (path: string, content: string | Buffer) => {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(content);
    await synced(file);
  } finally {
    await file.close();
  }
};

const replaceFile = async (
  path: string,
  content: string | Buffer,
  { fsync, requireHeld }: Durability,
) => {
  requireHeld?.();
  const made = makeFolders(dirname(path));
  const temporary = `${path}.tmp-${process.pid}`;
  try {
    await writeWhole(temporary, content);
    requireHeld?.();
    await rename(temporary, path);
  } catch (error) {
    // The unfinished half would take the space that other writes need.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  if (fsync) await directoryEntries.keep(path, made);
};

/** Deletes a file, and its folder when that is empty. */
const removeFile = async (path: string) => {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => {});
};

/** Names that keys can have; any other file is foreign. */
const KEY_NAME = /^[A-Za-z0-9.-]+$/;

/**
 * Keys below one folder, and below no other: beside it worlds come and go. A folder in it that goes
 * meanwhile takes its own keys along and no others.
 */
const keysBelow = async (place: StoragePlace, base = ""): Promise<string[]> => {
  const folder = join(place.directory, ...base.split(":"));
  const entries = (await orNull(readdir(folder, { withFileTypes: true }))) ?? [];
  const keys: string[] = [];
  for (const entry of entries.filter(({ name }) => KEY_NAME.test(name))) {
    const key = base + entry.name;
    // A folder in the place of a file is told as damage.
    if (key.endsWith(place.extension)) keys.push(key.slice(0, -place.extension.length));
    if (entry.isDirectory()) keys.push(...(await keysBelow(place, `${key}:`)));
  }
  return keys;
};

/**
 * Storage driver with whole writes: temporary file, fsync, rename. The library's file driver writes
 * in place, so a kill can leave the only copy empty.
 */
const wholeFileDriver = defineDriver(
  ({ fsync, requireHeld, ...place }: StoragePlace & Durability) => {
    const read = (key: string) => orNull(readFile(fileOf(place, key), "utf8"));
    const readBytes = (key: string) => orNull(readFile(fileOf(place, key)));
    const write = (key: string, value: string | Buffer) =>
      replaceFile(fileOf(place, key), value, { fsync, ...(requireHeld && { requireHeld }) });
    return {
      name: "whole-file",
      hasItem: async (key: string) => (await orNull(stat(fileOf(place, key)))) !== null,
      getItem: read,
      setItem: write,
      getItemRaw: readBytes,
      setItemRaw: write,
      removeItem: async (key: string) => {
        requireHeld?.();
        await removeFile(fileOf(place, key));
      },
      getKeys: (base?: string) => keysBelow(place, base),
    };
  },
);

const openAt = (place: StoragePlace, { fsync, requireHeld }: Durability) =>
  createStorage({
    driver: wholeFileDriver({ ...place, fsync, ...(requireHeld && { requireHeld }) }),
  });

/** Texts and bytes in a folder, one file a key, each written whole. */
export const keyFiles = (directory: string, durability: Durability = { fsync: false }): Storage =>
  openAt({ directory, extension: ".json" }, durability);

/** Uploaded files of a state directory, each under its hash: `files/<sha256>.bin`. */
export const uploadFiles = (root: string, durability: Durability): Storage =>
  openAt({ directory: join(root, "files"), extension: ".bin" }, durability);
