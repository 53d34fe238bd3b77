import { Unsettled } from "../../port/held-world.ts";
import type { Folders } from "./timeline-links.ts";

/** A finished folder and the name that it gets. */
export interface FolderRename {
  made: string;
  directory: string;
  /** Paths whose names must survive a power cut too. */
  above?: readonly string[];
}

/**
 * Gives a finished folder its name, syncs the name and uses the folder. When the sync or the use
 * fails, the name is taken back: otherwise a start would find what the caller was refused.
 * @throws Unsettled when the name could not be taken back
 */
export const placeFolder = async <Done>(
  { made, directory, above = [] }: FolderRename,
  { calls, fsync }: Pick<Folders, "calls" | "fsync">,
  use: () => Done,
): Promise<Done> => {
  await calls.rename(made, directory);
  try {
    if (fsync) for (const path of [directory, ...above]) await calls.syncName(path);
    return use();
  } catch (error) {
    try {
      await calls.rename(directory, made);
      if (fsync) for (const path of [directory, made]) await calls.syncName(path);
    } catch {
      throw new Unsettled(`storage failed: ${(error as Error).message}`);
    }
    throw error;
  }
};
