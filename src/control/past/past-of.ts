import { machineWall } from "../../runtime/ports.ts";
import type { KeptPoints } from "../../runtime/storage/kept-points.ts";
import { Past } from "../../runtime/storage/past.ts";
import type { World } from "../core/world.ts";

type Followed = Pick<World, "engine" | "advance" | "log" | "faults" | "feed">;

/** The past of a world; what stands beside the world is told when it goes on from another state. */
export const pastOf = (
  { engine, advance, log, faults, feed }: Followed,
  points: KeptPoints,
): Past => {
  const past = new Past({ engine, points, wall: machineWall, leave: () => advance.abandon() });
  past.turned.add((turn) => {
    if (turn.isRewind) log.undoAfter(turn);
    faults.forgetCounts();
    feed.tellTurn();
  });
  return past;
};
