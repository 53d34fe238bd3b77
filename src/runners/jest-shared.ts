import type { SharedStart } from "./shared-start.ts";

/** Setup, reporter and teardown are modules of their own, loaded apart. */
const KEPT = Symbol.for("service-sim.jest.shared");

type Keeper = { [KEPT]?: SharedStart | undefined };

/** Keeps the simulator that setup started. */
export const keepForTeardown = (shared: SharedStart) => {
  (globalThis as Keeper)[KEPT] = shared;
};

/** The simulator that setup started. */
export const keptForTeardown = (): SharedStart | undefined => (globalThis as Keeper)[KEPT];
