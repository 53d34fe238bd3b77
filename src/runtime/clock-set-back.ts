import type { Cause } from "./change.ts";
import type { Clock, ClockState } from "./clock.ts";
import type { EngineListeners } from "./listeners.ts";

/** The parts of an engine that journal its clock. */
interface ClockOfEngine {
  readonly clock: Clock;
  readonly listeners: Iterable<EngineListeners>;
  readonly isWritable: boolean;
  keepClock(clock: ClockState, cause: Cause): unknown;
}

/**
 * Journals the new distance between simulated time and the system clock, once that was set back
 * (spec/clock.md#system-clock). Does nothing during an advance, which journals the clock at its
 * end.
 */
export const journalSetBack = (engine: ClockOfEngine) => {
  const { clock, listeners } = engine;
  const byMs = clock.wentBackMs;
  if (byMs === 0 || !engine.isWritable || clock.isStepping) return;
  clock.wentBackMs = 0;
  engine.keepClock(clock.stateFromNow(), { cause: "clock", by: "clock.step" });
  for (const listener of listeners) listener.wentBack?.(byMs);
};
