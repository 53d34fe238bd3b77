import type { Engine } from "./engine.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Resolves when nothing is due, a turn of the event loop after the other. Whatever reads or
 * changes the world without waiting for it fires all that is due in one stretch.
 */
export const caughtUp = async (engine: Pick<Engine, "catchUpBatch">): Promise<void> => {
  while (engine.catchUpBatch()) await turn();
};
