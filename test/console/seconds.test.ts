import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Seconds } from "../../src/console/seconds.ts";

/** A page that is hidden and shown by a test. */
const pageOf = () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  return {
    page,
    show: (isShown: boolean) => {
      page.hidden = !isShown;
      page.dispatchEvent(new Event("visibilitychange"));
    },
  };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("all countdowns of a page share one interval, which ends with the last of them", () => {
  const { page } = pageOf();
  const seconds = new Seconds(() => page);
  const told = vi.fn();
  const leaves = [seconds.subscribe(told), seconds.subscribe(told), seconds.subscribe(() => {})];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(3_000);
  expect(seconds.count()).toBe(3);
  expect(told).toHaveBeenCalledTimes(3);
  for (const leave of leaves) leave();
  expect(vi.getTimerCount()).toBe(0);
});

test("a hidden page counts nothing, and is told at once when it is shown again", () => {
  const { page, show } = pageOf();
  const seconds = new Seconds(() => page);
  const leave = seconds.subscribe(() => {});
  show(false);
  expect(vi.getTimerCount()).toBe(0);
  show(true);
  expect(seconds.count()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(seconds.count()).toBe(2);
  leave();
});
