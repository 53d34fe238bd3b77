import { performance } from "node:perf_hooks";

/** Lets this turn of the event loop end. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const PATIENCE_MS = 60_000;

/** Lets turns go by until something holds; a test waits for events, never for a span of time. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
  const lastMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > lastMs) throw new Error(`Expected ${what} but it did not come`);
    await turn();
  }
};
