import { afterEach, expect, test } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { IdleSweeps } from "../../src/worlds/idle-sweeps.ts";
import { WorldUse } from "../../src/worlds/world-use.ts";
import { files, textOf } from "../setup/source-files.ts";

const real = { ...hostTime };

afterEach(() => void Object.assign(hostTime, real));

const QUIET = {
  engine: { clock: { mode: "manual" } },
  feed: { subscriberCount: 0 },
  advance: { isUnderWay: false },
  deliveries: { inFlight: () => new Set() },
} as never;

// spec/worlds.md#bounds
test.each([
  { steps: "forward", wallMs: 86_400_000 },
  { steps: "back", wallMs: -86_400_000 },
])("a system clock that steps $steps by a day makes no world idle, nor keeps one", ({ wallMs }) => {
  let monotonicMs = 5_000;
  let look = () => {};
  Object.assign(hostTime, {
    nowMs: () => 1_800_000_000_000 + wallMs,
    monotonicMs: () => monotonicMs,
    setTimeout: (run: () => void) => {
      look = run;
      return { unref: () => {} };
    },
  });
  const use = new WorldUse();
  const found: boolean[] = [];
  const sweeps = new IdleSweeps({
    ttlMs: 600_000,
    sweep: async (nowMs) => void found.push(use.isIdle(QUIET, { forMs: 600_000, nowMs })),
    isNeeded: () => true,
    alarm: () => {},
  });
  sweeps.later();
  for (const passedMs of [0, 599_999, 600_000]) {
    monotonicMs = 5_000 + passedMs;
    look();
  }
  expect(found).toEqual([false, false, true]);
});

/** Files that read the system clock: for an instant, or to compare it with the monotonic one. */
const READS_WALL = [
  "capsules/recorder.ts",
  // The wall of a replay alone, which has no other clock.
  "replay/replay-boundary.ts",
  "runtime/advance.ts",
  "runtime/alarm-clock.ts",
  "runtime/clock-steps.ts",
  "runtime/clock.ts",
  "runtime/past/timelines.ts",
  "runtime/ports.ts",
  "storage/file/lock/state-lock.ts",
  "storage/open-world.ts",
  "storage/world/durable-world.ts",
  "storage/world/forked-world.ts",
  "storage/world/start-state.ts",
  "storage/world/stored-worlds.ts",
  "worlds/shared-worlds.ts",
  "worlds/steady-wall.ts",
  "worlds/taped-boundary.ts",
  "worlds/world-image.ts",
  "worlds/worlds.ts",
];

test("spans are measured by the monotonic clock: few files read the system clock", () => {
  const reads = /\b(?:machineWall|hostTime)\.nowMs\b|\bwall\.nowMs\(/i;
  expect(files.filter((file) => reads.test(textOf(file)))).toEqual(READS_WALL);
});
