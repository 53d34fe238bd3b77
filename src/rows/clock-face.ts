import { showDuration } from "../domain/core/durations.ts";
import { shortInstant } from "../text/layout.ts";
import type { RowContext } from "./column.ts";

/** Simulated time at an instant of the system clock. */
export interface KnownClock {
  mode: string;
  /** Simulated milliseconds in one of the system clock; 1 by default. */
  speed?: number | undefined;
  aheadMs: number;
  /** Simulated epoch milliseconds at `wallMs`. */
  atMs: number;
  wallMs: number;
}

/** Simulated time now, epoch milliseconds; only a real clock runs. */
export const nowOn = ({ mode, speed = 1, atMs, wallMs: sinceMs }: KnownClock, wallMs: number) =>
  mode === "real" ? atMs + Math.floor(Math.max(0, wallMs - sinceMs) * speed) : atMs;

const two = (count: number) => String(count).padStart(2, "0");

/** A ticking span: `4:55`, `1:02:03`, `2d 01:02:03`. An overdue span is `0:00`. */
export const ticking = (spanMs: number) => {
  const seconds = Math.max(0, Math.ceil(spanMs / 1000));
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit));
  const clock = `${two((minutes ?? 0) % 60)}:${two(seconds % 60)}`;
  if (days) return `${days}d ${two((hours ?? 0) % 24)}:${clock}`;
  return hours ? `${hours}:${clock}` : clock.replace(/^0/, "");
};

/** Time until an instant, ticking; `?:??` while the time is unknown. */
export const countdown = (iso: string, { nowMs }: Pick<RowContext, "nowMs">) =>
  nowMs === undefined ? "?:??" : ticking(Date.parse(iso) - nowMs);

/** Time since an instant, ticking. */
export const elapsed = (iso: string, { nowMs }: Pick<RowContext, "nowMs">) =>
  nowMs === undefined ? "?:??" : ticking(Math.floor((nowMs - Date.parse(iso)) / 1000) * 1000);

const BAR_CELLS = 10;

/** Progress between two instants, in ten cells. */
export const bar = (fromIso: string, toIso: string, nowMs: number) => {
  const whole = Date.parse(toIso) - Date.parse(fromIso);
  const left = whole > 0 ? (Date.parse(toIso) - nowMs) / whole : 0;
  const full = Math.min(BAR_CELLS, Math.max(0, Math.ceil(left * BAR_CELLS)));
  return "▰".repeat(full) + "▱".repeat(BAR_CELLS - full);
};

/** `09:06:12` on the clock's day, `01-06 09:06:12` on another. */
export const timeOf = (iso: string, { now }: Pick<RowContext, "now">) => shortInstant(iso, now);

type Pace = Pick<KnownClock, "mode" | "speed" | "aheadMs">;

/** Seconds that a running clock is off; a clock of another speed is always off. */
const offByOf = ({ aheadMs, speed }: Pace) =>
  speed === undefined ? Math.round(aheadMs / 1000) : 0;

/** Describes a clock in few words: `running, 6m ahead`, `frozen`. */
export const paceOf = (clock: Pace) => {
  const { mode, speed } = clock;
  if (mode === "manual") return "frozen";
  if (mode === "auto") return "auto";
  if (speed !== undefined) return `running at ${speed}x`;
  const seconds = offByOf(clock);
  if (seconds === 0) return "running";
  return `running, ${showDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? "ahead" : "behind"}`;
};

/** Describes a clock: `running, 6m ahead of your computer`, `frozen, moves only with advance`. */
export const driftOf = (clock: Pace) => {
  const { mode, speed } = clock;
  if (mode === "manual") return "frozen, moves only with advance";
  if (mode === "auto") return "auto, skips to the next timer while a client waits";
  const seconds = offByOf(clock);
  if (speed !== undefined) return paceOf(clock);
  if (seconds === 0) return "running, same as your computer";
  return `${paceOf(clock)}${seconds > 0 ? " of" : ""} your computer`;
};
