import { performance } from "node:perf_hooks";

/** Ends the present turn of the event loop. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const PATIENCE_MS = 60_000;

/** Waits turns until a condition holds; tests wait for events, never for a time. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
  const lastMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > lastMs) throw new Error(`Expected ${what} but it did not come`);
    await turn();
  }
};
