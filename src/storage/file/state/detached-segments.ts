import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { JournalDirectory } from "../journal/journal-directory.ts";
import { timelineFolder, timelineNumberOf } from "../timeline/timeline-folders.ts";
import { worldFolderOf, worldNames } from "./world-files.ts";

/**
 * Gives the newest segment of each world another file of the same content. The owner before may
 * have the old one open: what it writes there when it wakes is in no journal. Only the lock's owner
 * may call it, before it reads.
 */
export const detachSegments = (root: string, { fsync }: { fsync: boolean }) => {
  for (const name of worldNames(root))
    for (const journal of journalsOf(worldFolderOf(root, name))) detachNewest(journal, { fsync });
};

/** Journal of the line that counts; none of a folder that is damaged, which a load tells. */
const journalsOf = (world: string): string[] => {
  try {
    const journal = join(timelineFolder(world, timelineNumberOf(world)), "journal");
    return existsSync(journal) ? [journal] : [];
  } catch {
    return [];
  }
};

const detachNewest = (journal: string, { fsync }: { fsync: boolean }) => {
  const newest = new JournalDirectory(journal).names().at(-1);
  if (newest === undefined) return;
  const path = join(journal, newest);
  const copy = `${path}.tmp-${process.pid}`;
  writeFileSync(copy, readFileSync(path), { mode: 0o600, flush: true });
  renameSync(copy, path);
  if (fsync) directoryEntries.keepNow(path);
};
