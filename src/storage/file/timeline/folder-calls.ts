import { linkSync } from "node:fs";
import { copyFile, open, rename, rm } from "node:fs/promises";
import type { Storage } from "unstorage";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { makeFolders } from "../../../machine/make-folders.ts";
import { synced } from "../../../machine/synced-file.ts";
import { type Durability, keyFiles } from "../state/key-files.ts";

/** Changes of a state's folders; replaceable, so that tests can cut an act after each of them. */
export interface FolderCalls {
  makeFolder(path: string): void;
  /** Gives a file a second name. */
  link(from: string, to: string): void;
  /** Copies a file, whose bytes are on disk when it resolves. */
  copy(from: string, to: string): Promise<void>;
  /** Writes a new file, whose bytes are on disk when it resolves. */
  write(path: string, bytes: Buffer): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Deletes a file or a whole folder, if it exists. */
  remove(path: string): Promise<void>;
  /** Makes the name of a file or folder survive a power cut. */
  syncName(path: string): Promise<void>;
  /** Texts and bytes in a folder, each written whole. */
  storage(directory: string, durability?: Durability): Storage;
}

const writeNew = async (path: string, bytes: Buffer) => {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await synced(file);
  } finally {
    await file.close();
  }
};

const copySynced = async (from: string, to: string) => {
  await copyFile(from, to);
  const file = await open(to, "r+");
  try {
    await synced(file);
  } finally {
    await file.close();
  }
};

/** The file system of this machine. */
export const machineFolders: FolderCalls = {
  makeFolder: (path) => void makeFolders(path),
  link: linkSync,
  copy: copySynced,
  write: writeNew,
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { recursive: true, force: true }),
  syncName: (path) => directoryEntries.keep(path),
  storage: keyFiles,
};
