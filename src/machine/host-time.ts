import process from "node:process";
import nodeTimers from "node:timers";
import { runInNewContext } from "node:vm";
import { fakedAtLoad, fakedTimers } from "./faked-timers.ts";

/** The machine's time: its clocks and timers. */
export interface HostTime {
  Date: DateConstructor;
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds of a clock that never goes back, for measuring spans. */
  monotonicMs(): number;
  setTimeout: typeof nodeTimers.setTimeout;
  clearTimeout: typeof nodeTimers.clearTimeout;
  setInterval: typeof nodeTimers.setInterval;
  clearInterval: typeof nodeTimers.clearInterval;
  setImmediate: typeof nodeTimers.setImmediate;
  clearImmediate: typeof nodeTimers.clearImmediate;
  nextTick: typeof process.nextTick;
  /** A signal that aborts after a delay. */
  timeoutSignal(delayMs: number): AbortSignal;
}

const isNative = (it: unknown) => /\[native code\]/.test(Function.prototype.toString.call(it));

/** The language's own `Date`; a new realm has one when this realm's was replaced. */
const realDate = (): DateConstructor =>
  isNative(globalThis.Date) ? globalThis.Date : runInNewContext("Date");

/** Of `process`, since loading `performance` takes a hundredth of a start. */
const monotonicClock = () => {
  const hrtime = process.hrtime.bind(process);
  return () => {
    const [seconds, nanoseconds] = hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  };
};

const take = (): HostTime => {
  const { setTimeout, setInterval, setImmediate } = nodeTimers;
  const { clearTimeout, clearInterval, clearImmediate } = nodeTimers;
  const HostDate = realDate();
  const { timeout } = AbortSignal;
  return {
    Date: HostDate,
    nowMs: HostDate.now,
    monotonicMs: monotonicClock(),
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    clearImmediate,
    nextTick: process.nextTick.bind(process),
    timeoutSignal: (delayMs) => timeout.call(AbortSignal, delayMs),
  };
};

/** Whether time was faked when this module was loaded, so that what was taken is no good. */
let wasFaked = fakedTimers() !== undefined;

/**
 * The machine's time, taken once, when the program is loaded: tests that fake timers later fake
 * their own, not the simulator's (decisions/time-taken-at-load.md).
 */
export const hostTime: HostTime = take();

/**
 * Refuses to work on faked timers. When they were faked at loading and are real by now, takes the
 * real ones.
 * @throws TimersFaked
 */
export const requireRealTime = () => {
  if (!wasFaked) return;
  const faked = fakedTimers();
  if (faked) throw fakedAtLoad(faked);
  Object.assign(hostTime, take());
  wasFaked = false;
};

/** Resolves in the next turn of the event loop. */
export const nextTurn = () => new Promise<void>((resolve) => hostTime.setImmediate(resolve));
