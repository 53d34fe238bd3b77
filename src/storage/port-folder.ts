import { realpathSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_DIRECTORY, type StorageUrl } from "./world/storage-url.ts";

const realPathOf = (path: string) => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};

/** The folder whose path decides on the port; in memory, the one where commands look. */
export const portFolderOf = (storage: StorageUrl, workingDirectory = "") =>
  storage.kind === "file"
    ? realPathOf(storage.directory)
    : join(realPathOf(workingDirectory), DEFAULT_DIRECTORY);
