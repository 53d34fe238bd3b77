import type { Change } from "../../runtime/change.ts";
import { hostTime } from "../../runtime/host-time.ts";
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
}

/** Resolves once the condition holds, the time is over, or the world closes. */
export const waitUntil = (
  { engine, closing }: World,
  { holds, touches, timeoutMs }: Awaited,
): Promise<void> => {
  if (closing.aborted || holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      hostTime.clearTimeout(timeout);
      engine.listeners.delete(listener);
      closing.removeEventListener("abort", end);
      resolve();
    };
    const listener = {
      changed: (change: Change) => {
        if (touches(change) && holds()) end();
      },
    };
    const timeout = hostTime.setTimeout(end, timeoutMs);
    closing.addEventListener("abort", end);
    engine.listeners.add(listener);
  });
};
