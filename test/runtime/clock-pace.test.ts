import fc from "fast-check";
import { expect, test } from "vitest";
import { clockOf, wordOf } from "../../src/contract/control/clock-modes.ts";
import { Clock, type ClockPace } from "../../src/runtime/clock.ts";
import { machineWall, type Wall } from "../../src/runtime/ports.ts";

const wallAt = (ms: number): Wall & { ms: number } => ({
  ms,
  nowMs() {
    return this.ms;
  },
  after: machineWall.after,
});

// spec/clock.md#modes
test.each([
  { word: "60x", wallMs: 1000, instantMs: 60_700 },
  { word: "0.5x", wallMs: 1001, instantMs: 1200 },
  { word: "3600x", wallMs: 10, instantMs: 36_700 },
  { word: "real", wallMs: 10, instantMs: 710 },
  { word: "manual", wallMs: 10, instantMs: 700 },
  { word: "auto", wallMs: 10, instantMs: 700 },
])("$word: $wallMs ms later it is $instantMs", ({ word, wallMs, instantMs }) => {
  const wall = wallAt(5000);
  const clock = new Clock(wall, { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
  clock.resume(clock.stateFromNow(clockOf(word)));
  expect(clock.now()).toBe(700);
  wall.ms += wallMs;
  expect(clock.now()).toBe(instantMs);
  expect(wordOf(clock)).toBe(word);
});

test("a clock at a speed is kept as what it was and where, and continues after a restart", () => {
  const wall = wallAt(5000);
  const clock = new Clock(wall, { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
  const state = clock.stateFromNow({ mode: "real", speed: 60 });
  expect(state).toEqual({ mode: "real", offsetMs: -4300, instantMs: 700, speed: 60 });
  wall.ms = 6000;
  expect(new Clock(wall, state, 0).now()).toBe(60_700);
});

test("a clock of normal speed is kept as earlier versions kept it", () => {
  const clock = new Clock(wallAt(5000), { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
  expect(clock.stateFromNow({ mode: "real", speed: 1 })).toEqual({
    mode: "real",
    offsetMs: -4300,
    instantMs: 700,
  });
});

const PACES: readonly ClockPace[] = ["real", "manual", "auto", "60x", "0.5x", "3600x"].map(
  (word) => clockOf(word) as ClockPace,
);

const moves = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("pace" as const), pace: fc.constantFrom(...PACES) }),
    fc.record({ do: fc.constant("wall" as const), byMs: fc.integer({ min: -5000, max: 5000 }) }),
    fc.record({ do: fc.constant("advance" as const), byMs: fc.integer({ min: 0, max: 9999 }) }),
  ),
  { maxLength: 40 },
);

test("time never goes back, and no change of pace moves it", () => {
  fc.assert(
    fc.property(moves, (all) => {
      const wall = wallAt(1_000_000);
      const clock = new Clock(wall, { mode: "real", offsetMs: 0, instantMs: 0 }, 0);
      let lastMs = clock.now();
      for (const move of all) {
        if (move.do === "wall") wall.ms += move.byMs;
        if (move.do === "pace") {
          const beforeMs = clock.now();
          clock.resume(clock.stateFromNow(move.pace));
          expect(clock.now()).toBe(beforeMs);
        }
        if (move.do === "advance") {
          clock.stepTo(clock.now() + move.byMs);
          const reachedMs = clock.now();
          clock.resume(clock.stateFromNow());
          expect(clock.now()).toBe(reachedMs);
        }
        expect(clock.now()).toBeGreaterThanOrEqual(lastMs);
        lastMs = clock.now();
      }
    }),
  );
});

test.each(["x", "0x", "-1x", "60", "1e3x", "2000000x", "fast", ""])("%j is no clock", (word) => {
  expect(clockOf(word)).toBeUndefined();
});
