import { hostTime } from "../../machine/host-time.ts";
import type { Change } from "../../runtime/change.ts";
import type { World } from "./world.ts";

/** Longest wait. */
export const LONGEST_WAIT_MS = 600_000;

/** A condition to wait for. */
export interface Awaited {
  holds(): boolean;
  /** Whether a change may have made it true; other changes are skipped. */
  touches(change: Change): boolean;
  /** On the wall clock. */
  timeoutMs: number;
  /** True for a client's wait, during which a clock of mode `auto` skips. */
  skips?: true;
}

/** Resolves once the condition holds, the time is over, or the world closes. */
export const waitUntil = (
  { engine, closing, autoClock }: World,
  { holds, touches, timeoutMs, skips }: Awaited,
): Promise<void> => {
  if (closing.aborted || holds()) return Promise.resolve();
  return new Promise((resolve) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      hostTime.clearTimeout(timeout);
      engine.listeners.delete(listener);
      closing.removeEventListener("abort", end);
      resolve();
    };
    const listener = {
      loaded: () => {
        if (holds()) end();
      },
      changed: (change: Change) => {
        if (touches(change) && holds()) end();
      },
    };
    const timeout = hostTime.setTimeout(end, timeoutMs);
    closing.addEventListener("abort", end);
    engine.listeners.add(listener);
    if (skips && autoClock.isOn) void autoClock.whileWaiting(() => !isOver);
  });
};
