import type { Cause } from "./change.ts";
import type { Clock, ClockState } from "./clock.ts";
import type { EngineListeners } from "./listeners.ts";

/** The parts of an engine that keep its clock. */
interface KeepsClock {
  readonly clock: Clock;
  readonly listeners: Iterable<EngineListeners>;
  readonly isWritable: boolean;
  keepClock(clock: ClockState, cause: Cause): unknown;
}

/**
 * Journals how far simulated time is ahead since the system clock was set back
 * (spec/clock.md#system-clock). The end of an advance journals the clock itself.
 */
export const keepStep = (engine: KeepsClock) => {
  const { clock, listeners } = engine;
  const byMs = clock.wentBackMs;
  if (byMs === 0 || !engine.isWritable || clock.isStepping) return;
  clock.wentBackMs = 0;
  engine.keepClock(clock.stateFromNow(), { cause: "clock", by: "clock.step" });
  for (const listener of listeners) listener.wentBack?.(byMs);
};
