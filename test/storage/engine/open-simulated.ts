import type { Fault } from "./engine-faults.ts";
import type { EnginePlant } from "./engine-plants.ts";
import type { TestEngine } from "./scene.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

const LEASE_MS = 5_000;

/** A simulated engine for the contract, with bugs if some are planted. */
export const openSimulated = async (...plants: EnginePlant[]): Promise<TestEngine> => {
  const data = new SimulatedData();
  let shiftMs = 0;
  let cuts = 0;
  let next: Fault | undefined;
  const client = (options: { faults?: () => Fault | undefined } = {}) =>
    new SimulatedEngine(data, {
      ...options,
      plants: new Set(plants),
      processClock: () => data.nowMs + shiftMs,
    });
  const engine = client({
    faults: () => {
      const fault = next;
      next = undefined;
      return fault;
    },
  });
  await engine.open();
  return {
    engine,
    leaseMs: LEASE_MS,
    canPassHours: true,
    async second() {
      const second = client();
      await second.open();
      return second;
    },
    async unopened(count) {
      const fresh = new SimulatedData();
      return Array.from(
        { length: count },
        () => new SimulatedEngine(fresh, { plants: new Set(plants) }),
      );
    },
    async passMs(ms) {
      data.passMs(ms);
    },
    shiftProcessClock(ms) {
      shiftMs = ms;
    },
    cutNext() {
      cuts += 1;
      next = { kind: "lost", isDone: cuts % 2 === 0 };
    },
    close: () => engine.close(),
  };
};
