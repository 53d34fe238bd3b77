import { hash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_DIRECTORY, type StorageUrl } from "../../runtime/storage/storage-url.ts";

/**
 * Ports that `auto` takes, and how many of them it tries. Systems hand out higher ones to outgoing
 * connections, and most programs listen on lower ones (decisions/port-of-a-folder.md).
 */
export const AUTO_PORTS = { first: 20_000, last: 24_999, tries: 20 } as const;

const HEX_DIGITS = 8;

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

/** Ports for a folder, in the order in which they are tried; the same for the same path. */
export const autoPorts = (folder: string): number[] => {
  const { first, last, tries } = AUTO_PORTS;
  const drawn = Number.parseInt(hash("sha256", folder, "hex").slice(0, HEX_DIGITS), 16);
  const start = first + (drawn % (last - first + 2 - tries));
  return Array.from({ length: tries }, (_, at) => start + at);
};

/** Tries ports in order until one is not in use. Rejects with the system's error of the last. */
export const onFirstFree = async <Taken>(
  ports: readonly number[],
  take: (port: number) => Promise<Taken>,
): Promise<Taken> => {
  const [port = 0, ...others] = ports;
  try {
    return await take(port);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!isTaken || others.length === 0) throw error;
    return onFirstFree(others, take);
  }
};
