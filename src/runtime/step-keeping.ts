import type { Engine } from "./engine.ts";

/**
 * Journals how far simulated time is ahead since the system clock was set back
 * (spec/clock.md#system-clock). The end of an advance journals the clock itself.
 */
export const keepStep = (engine: Engine) => {
  const { clock, listeners } = engine;
  const byMs = clock.wentBackMs;
  if (byMs === 0 || !engine.isWritable || clock.isStepping) return;
  clock.wentBackMs = 0;
  engine.keepClock(clock.stateFromNow(), { cause: "clock", by: "clock.step" });
  for (const listener of listeners) listener.wentBack?.(byMs);
};
