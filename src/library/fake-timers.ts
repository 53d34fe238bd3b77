import {
  FAKED_BESIDE,
  type FakedClock,
  fakedClock,
  fakedDueMs,
  fakedTimers,
  KEPT_REAL,
  NOT_FAKED,
} from "../machine/faked-timers.ts";
import { hostTime, nextTurn } from "../machine/host-time.ts";
import type { AdvanceReport, Clock } from "./contract-types.ts";

/** The part of `vi` or `jest` that fakes timers. */
export interface FakeTimers {
  useFakeTimers(options?: never): unknown;
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
}

/** The clock of a world that moves along. */
interface FollowedClock {
  read(): Promise<Clock>;
  advanceTo(instant: string): Promise<AdvanceReport>;
  /** Tests if a call of this process waits for its answer. */
  isCalling(): boolean;
}

const listed = (names: readonly string[]) =>
  `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;

const requireReal = () => {
  const faked = fakedTimers();
  const needed = faked?.names.filter((name) => KEPT_REAL.includes(name)) ?? [];
  if (needed.length > 0)
    throw new TypeError(
      `Expected ${needed.join(", ")} to be real, since calls need ${needed.length > 1 ? "them" : "it"}, ` +
        `but found ${needed.length > 1 ? "them" : "it"} faked by ${faked?.by}. ` +
        `Let followFakeTimers fake them, or fake only ${listed(FAKED_BESIDE)}`,
    );
};

/** `jest` takes the functions that stay real, vitest those that are faked. */
const fakingOptions = (nowMs: number) => ({
  now: nowMs,
  toFake: FAKED_BESIDE,
  doNotFake: NOT_FAKED,
});

/** The faked clock; timers that are real as yet are faked at the simulated instant. */
const clockOf = async (timers: FakeTimers, followed: FollowedClock): Promise<FakedClock> => {
  requireReal();
  const known = fakedClock();
  if (known) return known;
  const { now } = await followed.read();
  timers.useFakeTimers(fakingOptions(Date.parse(now)) as never);
  const clock = fakedClock();
  if (!clock) throw new TypeError("Expected useFakeTimers to fake timers but found the real ones");
  return clock;
};

/** The earliest instant still to come, or the end when nothing is due before. */
const nextMs = (nowMs: number, endMs: number, dueMs: readonly number[]) =>
  Math.min(endMs, ...dueMs.filter((ms) => ms > nowMs));

const instantOf = (ms: number) => new Date(ms).toISOString();

/** Turns of the event loop without a call under way after which none follows. */
const QUIET_TURNS = 5;

/** Lets calls that a faked timer has made end before time continues, and those that follow them. */
const letCallsEnd = async ({ isCalling }: FollowedClock) => {
  await new Promise((resolve) => hostTime.setTimeout(resolve, 1));
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await nextTurn();
    if (isCalling()) quiet = -1;
  }
};

/**
 * Has faked timers and a world's clock move together: a step goes to the next timer of either side,
 * first in the world, whose webhooks arrive before the program's own timers of that instant.
 * @returns a function that ends it
 */
export const followFakeTimers = async (
  timers: FakeTimers,
  followed: FollowedClock,
): Promise<() => void> => {
  const clock = await clockOf(timers, followed);
  const { now, mode } = await followed.read();
  if (mode !== "manual")
    throw new TypeError(
      `Expected a world whose clock is manual but found ${mode}: use sim.clock.set("manual")`,
    );
  const aheadMs = Date.parse(now) - clock.now;
  const { advanceTimersByTimeAsync } = timers;
  timers.advanceTimersByTimeAsync = async (ms) => {
    const endMs = clock.now + ms;
    do {
      const { nextTimerAt = [] } = await followed.read();
      const simulatedMs = [nextTimerAt].flat().map((at) => Date.parse(at) - aheadMs);
      const dueMs = fakedDueMs(clock);
      const toMs = nextMs(clock.now, endMs, [...simulatedMs, ...dueMs]);
      await followed.advanceTo(instantOf(toMs + aheadMs));
      await advanceTimersByTimeAsync.call(timers, toMs - clock.now);
      if (dueMs.includes(toMs)) await letCallsEnd(followed);
    } while (clock.now < endMs);
    return timers;
  };
  return () => Object.assign(timers, { advanceTimersByTimeAsync });
};
