import type { Engine } from "./engine.ts";
import { nextTurn } from "./host-time.ts";

/**
 * Fires due timers over several turns of the event loop until none is due. A read or a change that
 * skips this fires them all at once and blocks the event loop.
 */
export const caughtUp = async (engine: Pick<Engine, "catchUpBatch">): Promise<void> => {
  while (engine.catchUpBatch()) await nextTurn();
};
