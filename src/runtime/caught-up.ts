import { nextTurn } from "../machine/host-time.ts";
import type { Engine } from "./engine.ts";

/**
 * Fires due timers over several turns of the event loop until none is due; nothing to wait for when
 * they fit into one. A read or a change that skips this fires them all at once and blocks the event
 * loop.
 */
export const caughtUp = (engine: Pick<Engine, "catchUpBatch">): Promise<void> | undefined =>
  engine.catchUpBatch() ? caughtUpLater(engine) : undefined;

const caughtUpLater = async (engine: Pick<Engine, "catchUpBatch">) => {
  do await nextTurn();
  while (engine.catchUpBatch());
};
