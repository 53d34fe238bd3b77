import { fsync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";

const syncDescriptor = promisify(fsync);

/**
 * Waits until a file's bytes are on disk. Package managers that serve packages out of archives put
 * their own file handles in place of those of Node.js, and these have no `sync`.
 */
export const synced = ({ fd }: Pick<FileHandle, "fd">): Promise<void> => syncDescriptor(fd);
