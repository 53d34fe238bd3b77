import { WENT_BACK_TO } from "../../contract/control/went-back.ts";
import { instant } from "../../domain/core/draft.ts";
import type { World } from "../core/world.ts";

/** Tells what stands beside a world that it continued from another state. */
export const followSwitches = ({ timelines: past, log, feed }: SwitchFollowers) => {
  feed.undoing = () => past.undoing;
  past.switched.add((turn) => {
    const { seq, atMs, kept, loaded } = turn;
    if (kept !== undefined) log.undoAfter({ seq, atMs, kept });
    if (loaded !== undefined) log.redo(loaded);
    feed.reportSwitch(WENT_BACK_TO + instant(turn.atMs));
  });
};

type SwitchFollowers = Pick<World, "timelines" | "log" | "feed">;
