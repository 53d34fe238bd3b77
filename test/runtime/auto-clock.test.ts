import { expect, test } from "vitest";
import type { Advance } from "../../src/runtime/advance.ts";
import { AutoClock } from "../../src/runtime/auto-clock.ts";
import type { Engine } from "../../src/runtime/engine.ts";
import type { Deliveries } from "../../src/runtime/ports.ts";
import { WorldState } from "../../src/runtime/world-state.ts";

/** A world with one timer ahead, whose advances end where they began: its storage fails. */
const autoClockOf = () => {
  const state = new WorldState();
  const timer = { id: "Timer:1", dueAtMs: 1_000, order: 1, rule: "payment.settle", subject: "T" };
  state.apply({ v: 5, seq: 1, at: 0, cause: "c", by: "b", n: 0, put: [["Timer", timer]] } as never);
  const engine = { state, clock: { mode: "auto", now: () => 0 }, listeners: { add: () => {} } };
  const advance = { isUnderWay: false, to: async () => ({ complete: false }) };
  const deliveries = { inFlight: () => new Set(), unsentCount: () => 0 };
  return new AutoClock({
    engine: engine as unknown as Engine,
    advance: advance as unknown as Advance,
    deliveries: deliveries as unknown as Deliveries,
  });
};

test("a client that waits while the clock cannot move leaves the event loop to others", async () => {
  let looks = 0;
  let isOver = false;
  setImmediate(() => {
    isOver = true;
  });
  await autoClockOf().whileWaiting(() => {
    looks += 1;
    if (looks > 1_000) throw new Error("nothing else continues");
    return !isOver;
  });
  expect(looks).toBeLessThan(10);
});
