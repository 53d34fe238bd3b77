import type { WorldState } from "../../../runtime/world-state.ts";
import { placeFolder } from "./folder-placing.ts";
import type { StateFiles } from "./read-state.ts";
import {
  nextTimelineNumber,
  openTimeline,
  timelineFolder,
  unfinishedIn,
  type WorldFolder,
} from "./timeline-folders.ts";
import { type Folders, TimelineLinks } from "./timeline-links.ts";

/** Writes a state as the newest line of a world: whatever is left of the others counts no more. */
export const writeTimeline = async (
  state: WorldState,
  { root, folder }: { root: string; folder: WorldFolder },
  folders: Folders,
): Promise<StateFiles> => {
  const made = unfinishedIn(root);
  try {
    await new TimelineLinks(folders).ofState(state, made, { order: 0 });
    const directory = timelineFolder(folder, nextTimelineNumber(folder));
    return await placeFolder({ made, directory }, folders, () => openTimeline(folder, folders));
  } catch (error) {
    await folders.calls.remove(made).catch(() => {});
    throw error;
  }
};
