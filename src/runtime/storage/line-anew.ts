import type { WorldState } from "../world-state.ts";
import { placeFolder } from "./folder-placing.ts";
import {
  lineFolder,
  nextLineNumber,
  openLine,
  unfinishedIn,
  type WorldFolder,
} from "./line-folders.ts";
import { type Folders, LineLinks } from "./line-links.ts";
import type { StateFiles } from "./read-state.ts";

/** Writes a state as the newest line of a world: whatever is left of the others counts no more. */
export const writeLineAnew = async (
  state: WorldState,
  { root, folder }: { root: string; folder: WorldFolder },
  folders: Folders,
): Promise<StateFiles> => {
  const made = unfinishedIn(root);
  try {
    await new LineLinks(folders).ofState(state, made, { order: 0 });
    const directory = lineFolder(folder, nextLineNumber(folder));
    return await placeFolder({ made, directory }, folders, () => openLine(folder, folders));
  } catch (error) {
    await folders.calls.remove(made).catch(() => {});
    throw error;
  }
};
