import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { WorldState } from "../world-state.ts";
import { placeFolder } from "./folder-placing.ts";
import { type Identity, storeIdentity } from "./identity.ts";
import { encodeImage } from "./image.ts";
import { writeLineAnew } from "./line-anew.ts";
import { lineFolder, openLine, removeFolder, unfinishedIn } from "./line-folders.ts";
import { lineFileOf } from "./line-image.ts";
import { type Folders, LineLinks } from "./line-links.ts";
import type { StateFiles } from "./read-state.ts";
import { openKeyValue, pathOfKey } from "./storage.ts";
import { encodeWorld, startOf, type WorldImage, worldFileOf } from "./world-files.ts";

/** A forked world that is open, and where its folder belongs. */
export interface OpenFork {
  root: string;
  directory: string;
  identity: Identity;
  facts: Omit<WorldImage, "format">;
}

/**
 * Writes a forked world that has lost its folder, or a part of it. A reset of one that lost its
 * beginning comes back to this state.
 */
export const writeWorldAnew = async (
  state: WorldState,
  fork: OpenFork,
  folders: Folders,
): Promise<StateFiles> => {
  const { root, directory, identity, facts } = fork;
  const folder = { directory, isFirst: false };
  const { calls, fsync, requireHeld } = folders;
  if (existsSync(lineFileOf(startOf(directory)))) {
    const durability = { fsync, ...(requireHeld && { requireHeld }) };
    const storage = openKeyValue({ kind: "file", directory }, durability);
    await storeIdentity(storage, identity);
    await storage.setItemRaw("world", encodeWorld(facts));
    return writeLineAnew(state, { root, folder }, folders);
  }
  const made = unfinishedIn(root);
  try {
    const links = new LineLinks(folders);
    const line = lineFolder({ directory: made, isFirst: false }, 0);
    const image = await links.ofState(state, line, { order: 0 });
    const { meta } = image;
    await links.ofKept({ directory: line, image }, startOf(made), { meta, order: 0 });
    await calls.write(pathOfKey(made, "identity"), encodeImage("identity", identity));
    await calls.write(worldFileOf(made), encodeWorld(facts));
    if (fsync) await calls.syncName(worldFileOf(made));
    calls.makeFolder(dirname(directory));
    if (existsSync(directory)) await removeFolder(root, directory, folders);
    return await placeFolder({ made, directory, above: [dirname(directory)] }, folders, () =>
      openLine(folder, folders),
    );
  } catch (error) {
    await calls.remove(made).catch(() => {});
    throw error;
  }
};
