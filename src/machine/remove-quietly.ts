import { rmSync } from "node:fs";

/**
 * Deletes a file if possible; one that remains does no harm. For files that a failure left: an
 * error of this call would hide the one that is being told.
 */
export const removeQuietly = (path: string) => {
  try {
    rmSync(path, { force: true });
  } catch {}
};
