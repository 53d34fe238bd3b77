import { afterAll, expect, vi } from "vitest";
import { type HostTime, hostTime } from "../../src/machine/host-time.ts";

/** Clock and timers as this file found them. */
const real: Readonly<HostTime> = { ...hostTime };

/** Names of what is faked now and was not when this file began. */
export const leftFaked = (): string[] => [
  ...(vi.isFakeTimers() ? ["the timers of vitest"] : []),
  ...(Object.keys(real) as (keyof HostTime)[]).filter((name) => hostTime[name] !== real[name]),
];

// Files share a worker: what one of them fakes and does not bring back hangs another one.
afterAll(() => {
  expect(leftFaked()).toEqual([]);
});
