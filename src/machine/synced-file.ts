import { fsyncSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Package managers that serve packages out of archives have file handles without some methods. */
const isMissing = (error: unknown) => /not implemented/i.test(String(error));

/** Waits until a file's bytes are on disk, also by a handle that cannot do so itself. */
export const synced = async (file: Pick<FileHandle, "fd" | "sync">): Promise<void> => {
  try {
    await file.sync();
  } catch (error) {
    if (!isMissing(error)) throw error;
    fsyncSync(file.fd);
  }
};
