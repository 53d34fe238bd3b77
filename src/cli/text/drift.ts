import { wordOf } from "../../contract/control/clock-modes.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { showDuration } from "../../domain/core/durations.ts";

/** Compares the clock with the system clock: `running, 6m ahead of your computer`. */
export const driftOf = ({ mode, speed, aheadMs }: SimulatorStatus["clock"]) => {
  if (mode === "manual") return "frozen, moves only with advance";
  if (mode === "auto") return "auto, skips to the next timer while a client waits";
  const word = wordOf({ mode, speed });
  const pace = word === "real" ? "running" : `running at ${word}`;
  const seconds = Math.round(aheadMs / 1000);
  if (seconds === 0) return `${pace}, same as your computer`;
  const side = seconds > 0 ? "ahead of" : "behind";
  return `${pace}, ${showDuration(Math.abs(seconds) * 1000)} ${side} your computer`;
};
