import type { FolderCalls } from "./folder-calls.ts";

/** Calls on a folder that ask before each change whether it may still be changed. */
export const guardedFolders = (calls: FolderCalls, requireHeld: () => void): FolderCalls => ({
  makeFolder: (path) => {
    requireHeld();
    calls.makeFolder(path);
  },
  link: (from, to) => {
    requireHeld();
    calls.link(from, to);
  },
  copy: async (from, to) => {
    requireHeld();
    await calls.copy(from, to);
  },
  write: async (path, bytes) => {
    requireHeld();
    await calls.write(path, bytes);
  },
  rename: async (from, to) => {
    requireHeld();
    await calls.rename(from, to);
  },
  remove: async (path) => {
    requireHeld();
    await calls.remove(path);
  },
  syncName: (path) => calls.syncName(path),
  storage: (directory, durability) => calls.storage(directory, durability),
});
