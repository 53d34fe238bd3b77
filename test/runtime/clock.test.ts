import { expect, test } from "vitest";
import { Clock } from "../../src/runtime/clock.ts";
import { machineWall, type Wall } from "../../src/runtime/ports.ts";

/** A system clock that tests move, also backwards. */
const wallAt = (ms: number): Wall & { ms: number } => ({
  ms,
  nowMs() {
    return this.ms;
  },
  after: machineWall.after,
});

test("real: simulated time is the wall's plus the offset", () => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 500, instantMs: 0 }, 0);
  expect(clock.now()).toBe(1500);
  wall.ms = 1007;
  expect(clock.now()).toBe(1507);
  expect(clock.aheadMs()).toBe(500);
  expect(clock.mode).toBe("real");
});

test("manual: it stays at its instant, whatever the system clock does", () => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
  expect(clock.now()).toBe(700);
  wall.ms = 99_000;
  expect(clock.now()).toBe(700);
});

test("it never goes back when the machine's clock does", () => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 0, instantMs: 0 }, 0);
  expect(clock.now()).toBe(1000);
  wall.ms = 400;
  expect(clock.now()).toBe(1000);
  wall.ms = 1001;
  expect(clock.now()).toBe(1001);
});

/** A system clock beside a monotonic one. */
const wallBeside = (ms: number) => ({
  ...wallAt(ms),
  mono: 0,
  monotonicMs() {
    return this.mono;
  },
});

// spec/clock.md#system-clock
test.each([
  {
    says: "set back by an hour",
    wallMs: -3_600_000 + 2000,
    mono: 2000,
    now: 2000,
    back: 3_600_000,
  },
  { says: "set back by less than has passed", wallMs: 3000, mono: 10_000, now: 10_000, back: 7000 },
  { says: "set forward by an hour", wallMs: 3_602_000, mono: 2000, now: 3_602_000, back: 0 },
  { says: "right after a suspend", wallMs: 90_000, mono: 10, now: 90_000, back: 0 },
  { says: "slowed down a little", wallMs: 99_950, mono: 100_000, now: 99_950, back: 0 },
  { says: "back by less than 100 ms", wallMs: -50, mono: 20, now: 0, back: 0 },
])("a system clock that is $says: simulated time is $now ms on", ({ wallMs, mono, now, back }) => {
  const wall = wallBeside(1_000_000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 500, instantMs: 0 }, 0);
  expect(clock.now()).toBe(1_000_500);
  wall.ms = 1_000_000 + wallMs;
  wall.mono = mono;
  expect(clock.now()).toBe(1_000_500 + now);
  expect(clock.wentBackMs).toBe(back);
  wall.ms += 5000;
  wall.mono += 5000;
  expect(clock.now()).toBe(1_000_500 + now + (back > 0 || wallMs >= 0 ? 5000 : 4950));
});

test("a process that was held up between the two clocks finds no step", () => {
  const wall = wallBeside(1_000_000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 0, instantMs: 0 }, 0);
  clock.now();
  wall.ms += 1000;
  wall.mono += 1000;
  let reads = 0;
  wall.monotonicMs = () => {
    reads += 1;
    // Stopped for 10 s behind the first reading.
    if (reads === 2) wall.mono += 10_000;
    return wall.mono;
  };
  expect(clock.now()).toBe(1_001_000);
  wall.ms += 11_000;
  wall.mono += 1000;
  expect(clock.now()).toBe(1_012_000);
  expect(clock.wentBackMs).toBe(0);
});

test("at a speed a step back is made up for as well", () => {
  const wall = wallBeside(1_000_000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 0, instantMs: 1_000_000, speed: 60 }, 0);
  expect(clock.now()).toBe(1_000_000);
  wall.ms -= 5000;
  wall.mono += 1000;
  expect(clock.now()).toBe(1_060_000);
  expect(clock.wentBackMs).toBe(6000);
});

test.each(["manual", "auto"] as const)("a clock that is %s takes no notice", (mode) => {
  const wall = wallBeside(1_000_000);
  const clock = new Clock(wall, { mode, offsetMs: 0, instantMs: 700 }, 0);
  clock.now();
  wall.ms = 0;
  wall.mono = 1000;
  expect([clock.now(), clock.wentBackMs]).toEqual([700, 0]);
});

test.each([
  { mode: "real" as const, offsetMs: 0, instantMs: 0 },
  { mode: "manual" as const, offsetMs: 0, instantMs: 700 },
])("it never starts before a stamp that was given out already ($mode)", (state) => {
  expect(new Clock(wallAt(1000), state, 5000).now()).toBe(5000);
});

test.each(["real", "manual"] as const)("an advance holds it at its step (%s)", (mode) => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode, offsetMs: 0, instantMs: 1000 }, 0);
  clock.stepTo(6000);
  wall.ms = 3000;
  expect([clock.now(), clock.isStepping]).toEqual([6000, true]);
  wall.ms = 9000;
  expect(clock.now()).toBe(6000);
});

test("real: after an advance time runs on from where it is, the offset grown", () => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode: "real", offsetMs: 0, instantMs: 0 }, 0);
  clock.stepTo(61_000);
  wall.ms = 1300; // the advance took 300 ms
  const state = clock.stateFromNow();
  expect(state).toEqual({ mode: "real", offsetMs: 59_700, instantMs: 61_000 });
  clock.resume(state);
  expect([clock.now(), clock.isStepping]).toEqual([61_000, false]);
  wall.ms = 1301;
  expect(clock.now()).toBe(61_001);
});

test("manual: what is kept of it does not depend on the day it was made", () => {
  const states = [1000, 7_000_000].map((ms) => {
    const clock = new Clock(wallAt(ms), { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
    clock.stepTo(900);
    return clock.stateFromNow();
  });
  expect(states[0]).toEqual({ mode: "manual", offsetMs: 0, instantMs: 900 });
  expect(states[1]).toEqual(states[0]);
});

test("a change of mode continues from the present instant", () => {
  const wall = wallAt(1000);
  const clock = new Clock(wall, { mode: "manual", offsetMs: 0, instantMs: 700 }, 0);
  clock.resume(clock.stateFromNow("real"));
  wall.ms = 1010;
  expect([clock.mode, clock.now()]).toEqual(["real", 710]);
  clock.resume(clock.stateFromNow("manual"));
  wall.ms = 5000;
  expect([clock.mode, clock.now()]).toEqual(["manual", 710]);
});

test("the advance is named only while the clock is where it left it", () => {
  const clock = new Clock(wallAt(0), { mode: "manual", offsetMs: 0, instantMs: 0 }, 0);
  clock.stepTo(5, "advance 5ms");
  expect(clock.movedBy).toBe("advance 5ms");
  clock.stepTo(5);
  expect(clock.movedBy).toBeUndefined();
  clock.stepTo(6, "advance 6ms");
  clock.resume(clock.stateFromNow());
  expect(clock.movedBy).toBeUndefined();
});
