import { afterEach, expect, test } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { SteadyWall } from "../../src/worlds/steady-wall.ts";
import { turn } from "../runtime/setup/turns.ts";

const real = { ...hostTime };
afterEach(() => void Object.assign(hostTime, real));

// spec/clock.md#system-clock
test("readings of a recording continue where the system clock is set back", async () => {
  const machine = { ms: 1_767_603_600_000, mono: 0 };
  Object.assign(hostTime, { nowMs: () => machine.ms, monotonicMs: () => machine.mono });
  const wall = new SteadyWall({ isHeld: true, isSteady: true });
  wall.release();
  expect(wall.nowMs()).toBe(1_767_603_600_000);
  await turn();
  await turn();
  machine.ms -= 3_600_000;
  machine.mono += 2_000;
  expect(wall.nowMs()).toBe(1_767_603_602_000);
  await turn();
  await turn();
  machine.ms += 1_000;
  machine.mono += 1_000;
  expect(wall.nowMs()).toBe(1_767_603_603_000);
});
