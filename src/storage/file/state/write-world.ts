import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { WorldState } from "../../../runtime/world-state.ts";
import { encodeChecked } from "../../format/checked-file.ts";
import { type Identity, storeIdentity } from "../../world/identity.ts";
import { placeFolder } from "../timeline/folder-placing.ts";
import type { StateFiles } from "../timeline/read-state.ts";
import { timelineFileOf } from "../timeline/timeline-file.ts";
import {
  openTimeline,
  removeFolder,
  timelineFolder,
  unfinishedIn,
} from "../timeline/timeline-folders.ts";
import { type Folders, TimelineLinks } from "../timeline/timeline-links.ts";
import { writeTimeline } from "../timeline/write-timeline.ts";
import { openKeyValue, pathOfKey } from "./key-files.ts";
import { encodeWorld, startOf, type WorldFile, worldFileOf } from "./world-files.ts";

/** A forked world that is open, and where its folder belongs. */
export interface OpenFork {
  root: string;
  directory: string;
  identity: Identity;
  facts: Omit<WorldFile, "format">;
}

/**
 * Writes a forked world that has lost its folder, or a part of it. A reset of one that lost its
 * beginning comes back to this state.
 */
export const writeWorld = async (
  state: WorldState,
  fork: OpenFork,
  folders: Folders,
): Promise<StateFiles> => {
  const { root, directory, identity, facts } = fork;
  const folder = { directory, isFirst: false };
  const { calls, fsync, requireHeld } = folders;
  if (existsSync(timelineFileOf(startOf(directory)))) {
    const durability = { fsync, ...(requireHeld && { requireHeld }) };
    const storage = openKeyValue({ kind: "file", directory }, durability);
    await storeIdentity(storage, identity);
    await storage.setItemRaw("world", encodeWorld(facts));
    return writeTimeline(state, { root, folder }, folders);
  }
  const made = unfinishedIn(root);
  try {
    const links = new TimelineLinks(folders);
    const line = timelineFolder({ directory: made, isFirst: false }, 0);
    const image = await links.ofState(state, line, { order: 0 });
    const { meta } = image;
    await links.ofKept({ directory: line, image }, startOf(made), { meta, order: 0 });
    await calls.write(pathOfKey(made, "identity"), encodeChecked("identity", identity));
    await calls.write(worldFileOf(made), encodeWorld(facts));
    if (fsync) await calls.syncName(worldFileOf(made));
    calls.makeFolder(dirname(directory));
    if (existsSync(directory)) await removeFolder(root, directory, folders);
    return await placeFolder({ made, directory, above: [dirname(directory)] }, folders, () =>
      openTimeline(folder, folders),
    );
  } catch (error) {
    await calls.remove(made).catch(() => {});
    throw error;
  }
};
