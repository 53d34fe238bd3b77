import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { AlarmClock } from "../../src/runtime/alarm-clock.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";

let startMs: number;
let aheadMs = 1_767_603_600_000;
const real = { monotonicMs: hostTime.monotonicMs, nowMs: hostTime.nowMs };

beforeEach(() => {
  fakeHostTimers();
  startMs = 0;
  hostTime.monotonicMs = () => startMs;
  hostTime.nowMs = () => startMs + aheadMs;
});

afterEach(() => {
  Object.assign(hostTime, real);
  realHostTimers();
});

const pass = (ms: number) => {
  for (let step = 0; step < ms; step += 1) {
    startMs += 1;
    vi.advanceTimersByTime(1);
  }
};

test("a thousand worlds wait with one timer, and each rings when it is due", () => {
  const rung: number[] = [];
  const clocks = Array.from({ length: 1000 }, (_, n) => new AlarmClock(() => rung.push(n)));
  for (const [n, clock] of clocks.entries()) clock.ringIn(1000 - n);
  expect(vi.getTimerCount()).toBe(1);
  pass(3);
  expect(rung).toEqual([999, 998, 997]);
  expect(vi.getTimerCount()).toBe(1);
  for (const clock of clocks) clock.stop();
  expect(vi.getTimerCount()).toBe(0);
  pass(1000);
  expect(rung).toEqual([999, 998, 997]);
});

test("a new delay replaces the one before, whether it is longer or shorter", () => {
  const rung: string[] = [];
  const later = new AlarmClock(() => rung.push("later"));
  const sooner = new AlarmClock(() => rung.push("sooner"));
  later.ringIn(5);
  later.ringIn(20);
  sooner.ringIn(50);
  sooner.ringIn(10);
  pass(10);
  expect(rung).toEqual(["sooner"]);
  pass(10);
  expect(rung).toEqual(["sooner", "later"]);
});

// spec/clock.md#system-clock
test("worlds that wait look at their timers within 5 s of a step forward, and once", () => {
  const rung: string[] = [];
  const clock = new AlarmClock(() => rung.push("rung"));
  clock.ringIn(3_600_000);
  pass(6000);
  expect(rung).toEqual([]);
  aheadMs += 7_200_000;
  pass(5000);
  expect(rung).toEqual(["rung"]);
  clock.ringIn(3_600_000);
  pass(20_000);
  expect(rung).toEqual(["rung"]);
  aheadMs -= 7_200_000;
  pass(20_000);
  expect(rung).toEqual(["rung"]);
  clock.stop();
  expect(vi.getTimerCount()).toBe(0);
});
