import { afterAll, expect, vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";

/** Clock and timers as this file found them. */
const real = { ...hostTime };

// Files share a worker: what one of them fakes and does not bring back hangs another one.
afterAll(() => {
  expect([vi.isFakeTimers(), { ...hostTime }]).toEqual([false, real]);
});
