import { hostTime } from "../machine/host-time.ts";
import type { Clock } from "./clock.ts";
import { machineWall } from "./ports.ts";

/** Longest delay until the system clock is looked at again: it may be set, or the machine suspended. */
const LONGEST_MS = 5_000;
/** A step forward that counts, milliseconds. */
const STEP_MS = 500;

/** Alarm clocks that wait, with the monotonic instants at which they ring. */
const waiting = new Map<AlarmClock, number>();
/** The one timer of this process for all of them; it may ring early, never late. */
let earliest: { timeout: NodeJS.Timeout; atMs: number } | undefined;
/** Milliseconds of the system clock at 0 of the monotonic one, as they were found last. */
let originMs: number | undefined;

/** Tells if the system clock has gone ahead since the last look, so that all may be due. */
const hasGoneAhead = () => {
  const beforeMs = originMs;
  originMs = machineWall.nowMs() - hostTime.monotonicMs();
  return beforeMs !== undefined && originMs - beforeMs > STEP_MS;
};

const callOff = () => {
  if (earliest) hostTime.clearTimeout(earliest.timeout);
  earliest = undefined;
};

/** Nothing waits: the next look at the system clock has none before it. */
const rest = () => {
  callOff();
  originMs = undefined;
};

const waitUntil = (atMs: number, nowMs = hostTime.monotonicMs()) => {
  callOff();
  originMs ??= machineWall.nowMs() - hostTime.monotonicMs();
  const delayMs = Math.min(Math.max(0, atMs - nowMs), LONGEST_MS);
  // Keeps no process alive.
  earliest = { timeout: hostTime.setTimeout(ringDue, delayMs).unref(), atMs: nowMs + delayMs };
};

const ringDue = () => {
  // The timer may ring a moment before the instant that it was set for.
  const nowMs = Math.max(hostTime.monotonicMs(), earliest?.atMs ?? 0);
  earliest = undefined;
  const isAhead = hasGoneAhead();
  const due = [...waiting].filter(([, atMs]) => isAhead || atMs <= nowMs);
  for (const [clock] of due) waiting.delete(clock);
  if (waiting.size > 0) waitUntil(Math.min(...waiting.values()), nowMs);
  else rest();
  for (const [clock] of due) clock.ring();
};

/**
 * Rings for a world's earliest timer. All worlds of a process share one `setTimeout`, so that an
 * idle one costs none.
 */
export class AlarmClock {
  readonly ring: () => void;

  constructor(ring: () => void) {
    this.ring = ring;
  }

  /** Rings after a wall-clock delay. A new delay replaces the one before. */
  ringIn(delayMs: number) {
    const atMs = hostTime.monotonicMs() + Math.max(0, delayMs);
    waiting.set(this, atMs);
    if (!earliest || atMs < earliest.atMs) waitUntil(atMs);
  }

  /** Rings when a timer is due on a running clock; a new call replaces the one before. */
  waitFor(timer: { dueAtMs: number } | undefined, clock: Clock) {
    if (timer && clock.mode === "real" && !clock.isStepping)
      this.ringIn(Math.ceil((timer.dueAtMs - clock.now()) / (clock.speed ?? 1)));
    else this.stop();
  }

  stop() {
    if (waiting.delete(this) && waiting.size === 0) rest();
  }
}
