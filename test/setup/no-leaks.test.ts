import { afterEach, expect, test, vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { leftFaked } from "./no-leaks.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  { says: "nothing", fake: () => {}, left: [] },
  { says: "timers", fake: () => vi.useFakeTimers(), left: ["the timers of vitest"] },
  {
    says: "a clock",
    fake: () => vi.spyOn(hostTime, "nowMs").mockReturnValue(0),
    left: ["nowMs"],
  },
])("a file that fakes $says leaves $left behind", ({ fake, left }) => {
  fake();
  expect(leftFaked()).toEqual(left);
});
