import { instant } from "../../domain/core/draft.ts";
import type { World } from "../core/world.ts";

/** Tells what stands beside a world that it went on from another state. */
export const followTurns = ({ past, log, feed, faults }: Followed) => {
  past.turned.add((turn) => {
    if (turn.isRewind) log.undoAfter(turn);
    faults.forgetCounts();
    feed.tellTurn(`the world went back to ${instant(turn.atMs)}`);
  });
};

type Followed = Pick<World, "past" | "log" | "feed" | "faults">;
