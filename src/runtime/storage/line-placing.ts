import type { Folders } from "./line-links.ts";

/**
 * Raised when a new line has its name and neither its first use nor taking it back worked: the next
 * start opens that line, so nothing may be added to the old one.
 */
export class LineInPlace extends Error {
  override readonly name = "LineInPlace";
}

/**
 * Gives a finished line its name, syncs the name and opens the line. When the sync or the opening
 * fails, the name is taken back: a start would open a line that the world has not gone to, and lose
 * all that is acknowledged from then on.
 * @throws LineInPlace when the name could not be taken back
 */
export const placeLine = async <Line>(
  { made, directory }: { made: string; directory: string },
  { calls, fsync }: Pick<Folders, "calls" | "fsync">,
  open: () => Line,
): Promise<Line> => {
  await calls.rename(made, directory);
  try {
    if (fsync) await calls.syncName(directory);
    return open();
  } catch (error) {
    try {
      await calls.rename(directory, made);
      if (fsync) await calls.syncName(made);
    } catch {
      throw new LineInPlace((error as Error).message);
    }
    throw error;
  }
};
