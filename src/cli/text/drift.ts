import type { SimulatorStatus } from "../../contract/control/status.ts";
import { showDuration } from "../../domain/core/durations.ts";

/** Compares the clock with the system clock: `real, 6m ahead of system clock`. */
export const driftOf = ({ mode, aheadMs }: SimulatorStatus["clock"]) => {
  if (mode === "manual") return "manual, standing still";
  const seconds = Math.round(aheadMs / 1000);
  if (seconds === 0) return "real, same as system clock";
  const side = seconds > 0 ? "ahead of" : "behind";
  return `real, ${showDuration(Math.abs(seconds) * 1000)} ${side} system clock`;
};
