import {
  FAKED_BESIDE,
  type FakedClock,
  fakedClock,
  fakedTimers,
  KEPT_REAL,
  NOT_FAKED,
} from "../runtime/faked-timers.ts";
import { nextTurn } from "../runtime/host-time.ts";
import type { AdvanceReport, Clock } from "./contract-types.ts";

/** The part of `vi` or `jest` that fakes timers. */
export interface FakeTimers {
  useFakeTimers(options?: never): unknown;
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
  advanceTimersByTime(ms: number): unknown;
}

/** The clock of a world that moves along. */
interface FollowedClock {
  read(): Promise<Clock>;
  advanceTo(instant: string): Promise<AdvanceReport>;
}

/** Turns of the event loop in which calls that a timer made are sent. */
const TURNS_TO_SEND = 5;

const listed = (names: readonly string[]) =>
  `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;

const requireReal = () => {
  const faked = fakedTimers();
  const needed = faked?.names.filter((name) => KEPT_REAL.includes(name)) ?? [];
  if (needed.length > 0)
    throw new TypeError(
      `Expected ${needed.join(", ")} to be real, since calls need ${needed.length > 1 ? "them" : "it"}, ` +
        `but found ${needed.length > 1 ? "them" : "it"} faked by ${faked?.by}. ` +
        `Leave the faking to followFakeTimers, or fake ${listed(FAKED_BESIDE)} alone`,
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

const fakedDueMs = ({ timers = {} }: FakedClock) =>
  Object.values(timers).map(({ callAt }) => callAt);

/** The earliest instant still to come, or the end when nothing is due before. */
const nextMs = (nowMs: number, endMs: number, dueMs: readonly number[]) =>
  Math.min(endMs, ...dueMs.filter((ms) => ms > nowMs));

const instantOf = (ms: number) => new Date(ms).toISOString();

/** Lets calls that a faked timer has just made reach the simulator before time goes on. */
const letSend = async () => {
  for (let turns = 0; turns < TURNS_TO_SEND; turns += 1) await nextTurn();
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
  const { advanceTimersByTimeAsync, advanceTimersByTime } = timers;
  timers.advanceTimersByTimeAsync = async (ms) => {
    const endMs = clock.now + ms;
    do {
      const { nextTimerAt = [] } = await followed.read();
      const simulatedMs = [nextTimerAt].flat().map((at) => Date.parse(at) - aheadMs);
      const toMs = nextMs(clock.now, endMs, [...simulatedMs, ...fakedDueMs(clock)]);
      await followed.advanceTo(instantOf(toMs + aheadMs));
      await advanceTimersByTimeAsync.call(timers, toMs - clock.now);
      await letSend();
    } while (clock.now < endMs);
    return timers;
  };
  timers.advanceTimersByTime = () => {
    throw new TypeError(
      "advanceTimersByTime cannot move the world's clock: use await advanceTimersByTimeAsync",
    );
  };
  return () => Object.assign(timers, { advanceTimersByTimeAsync, advanceTimersByTime });
};
