import { wordOf } from "../../contract/control/clock-modes.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { showDuration } from "../../domain/core/durations.ts";

/** Compares the clock with the system clock: `real, 6m ahead of system clock`. */
export const driftOf = ({ mode, speed, aheadMs }: SimulatorStatus["clock"]) => {
  if (mode === "manual") return "manual, standing still";
  if (mode === "auto") return "auto, skips to the next timer while a client waits";
  const pace = wordOf({ mode, speed });
  const seconds = Math.round(aheadMs / 1000);
  if (seconds === 0) return `${pace}, same as system clock`;
  const side = seconds > 0 ? "ahead of" : "behind";
  return `${pace}, ${showDuration(Math.abs(seconds) * 1000)} ${side} system clock`;
};
