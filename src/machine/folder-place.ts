import { realpathSync, statSync } from "node:fs";

/** A folder as the file system knows it: a copy of it has another number. */
export interface FolderPlace {
  /** Path without links. */
  path: string;
  dev: number;
  ino: number;
}

/** The folder that stands at a path; nothing when it cannot be found. */
export const placeOf = (directory: string): FolderPlace | undefined => {
  try {
    const path = realpathSync(directory);
    const { dev, ino } = statSync(path);
    return { path, dev, ino };
  } catch {
    return undefined;
  }
};

/** Whether two places are one folder, by whatever paths it is reached. */
export const isSameFolder = (
  one: Pick<FolderPlace, "dev" | "ino">,
  other: Pick<FolderPlace, "dev" | "ino">,
) => one.dev === other.dev && one.ino === other.ino;
