import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Storage } from "unstorage";
import type { HeldWorld, WorldFacts, WorldOwner } from "../../port/held-world.ts";
import type { Item } from "../../port/items.ts";
import type { JournalFiles } from "../journal/journal-file.ts";
import { placeFolder } from "../timeline/folder-placing.ts";
import type { TimelineFile } from "../timeline/timeline-file.ts";
import { removeFolder, unfinishedIn } from "../timeline/timeline-folders.ts";
import { type Folders, TimelineLinks } from "../timeline/timeline-links.ts";
import { folderItems } from "./folder-items.ts";
import { pathOfKey } from "./key-files.ts";
import type { StateHome } from "./state-home.ts";
import { encodeWorld, startOf, type WorldFile, worldFileOf } from "./world-files.ts";

/** A world as its folder describes it. */
export interface WorldFolder {
  directory: string;
  facts: Omit<WorldFile, "format">;
}

/** The contents of a new folder of a world. */
export interface Filling {
  items: ReadonlyMap<Item, Buffer>;
  /** Fills the folder of its first line. */
  fill(line: string): Promise<TimelineFile>;
}

/** Parts that all worlds of a state directory share. */
export interface FolderParts {
  /** Path of the state directory. */
  root: string;
  folders: Folders;
  /** The directory and its lock, which counts for all of them. */
  home: StateHome;
  requireHeld: () => void;
  /** Texts and bytes in a folder, as durable as the start wants them. */
  storageOf(directory: string): Storage;
  options: { fsync: boolean; files?: JournalFiles };
  /** Has the operator told through a world that is open. */
  tells(owner: WorldOwner): void;
  fork(facts: WorldFacts, filling: Filling): Promise<HeldWorld>;
  /** Deletes a world that works no more. */
  remove(name: string): Promise<void>;
  /** Notes that a world is at rest. */
  released(name: string): void;
}

/**
 * Makes the folder of a world, which exists from its rename on.
 * @param filling.replaces deletes whatever stands there
 * @param filling.use uses the folder at its place; when it fails, the folder loses its name
 * @throws Unsettled when the folder could not lose it
 */
export const makeWorld = async <Done>(
  { root, folders }: Pick<FolderParts, "root" | "folders">,
  { directory, facts }: WorldFolder,
  { items, fill, use, replaces = false }: Filling & { use: () => Done; replaces?: boolean },
): Promise<Done> => {
  const { calls, fsync } = folders;
  const made = unfinishedIn(root);
  try {
    const line = join(made, "line-0");
    const image = await fill(line);
    const { meta } = image;
    // A reset goes back to it; a first world begins again instead.
    if (facts.from !== undefined)
      await new TimelineLinks(folders).ofKept({ directory: line, image }, startOf(made), {
        meta,
        order: 0,
      });
    for (const [item, bytes] of items) await calls.write(pathOfKey(made, item), bytes);
    await calls.write(worldFileOf(made), encodeWorld(facts));
    if (fsync) await calls.syncName(worldFileOf(made));
    const above = dirname(directory);
    calls.makeFolder(above);
    if (replaces && existsSync(directory)) await removeFolder(root, directory, folders);
    return await placeFolder({ made, directory, above: [above] }, folders, use);
  } catch (error) {
    await calls.remove(made).catch(() => {});
    throw error;
  }
};

/** Writes again what a folder says of its world. */
export const writeFacts = async (
  { storageOf }: Pick<FolderParts, "storageOf">,
  { directory, facts }: WorldFolder,
  items: ReadonlyMap<Item, Buffer>,
) => {
  const storage = storageOf(directory);
  const own = folderItems(directory, storage);
  for (const [item, bytes] of items) await own.putItem(item, bytes);
  await storage.setItemRaw("world", encodeWorld(facts));
};
