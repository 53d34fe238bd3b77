/** The simulator that jest's teardown stops. */
interface Shared {
  close(): Promise<void>;
}

/** Setup and teardown are modules of their own, loaded apart. */
const KEPT = Symbol.for("service-sim.jest.shared");

type Keeper = { [KEPT]?: Shared | undefined };

/** Keeps the simulator that setup started. */
export const keepForTeardown = (shared: Shared) => {
  (globalThis as Keeper)[KEPT] = shared;
};

/** The simulator that setup started. */
export const keptForTeardown = (): Shared | undefined => (globalThis as Keeper)[KEPT];
