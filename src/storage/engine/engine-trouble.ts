import type { HostTime } from "../../machine/host-time.ts";
import { StoreRefused, StoreTrouble } from "../port/store-trouble.ts";

/** Wait for an answer of the engine before its outcome counts as unknown. */
export const ANSWER_MS = 2000;

/** Trouble of the engine that lasts. */
export interface Trouble {
  /** Its beginning, epoch milliseconds. */
  sinceMs: number;
  /** A sentence without its full stop, such as `The store has not answered for 2 s`. */
  why: string;
  /** The engine's own code, such as `25006`. */
  code?: string;
}

/** The trouble that an error tells of. */
export const troubleOf = (error: unknown, sinceMs: number): Trouble => {
  if (!(error instanceof StoreTrouble))
    return { sinceMs, why: error instanceof Error ? error.message : String(error) };
  const { trouble, code } = error;
  return { sinceMs, why: trouble.seen, ...(code !== undefined && { code }) };
};

/** Whether an act that failed may have been done all the same. */
export const mayBeDone = (error: unknown): boolean =>
  error instanceof StoreTrouble ? error.mayBeDone : !(error instanceof StoreRefused);

/**
 * Waits for an act of the engine, for as long as a caller says.
 * @throws StoreTrouble whose act may be done, when no answer came in time
 */
export const answeredWithin = <Answer>(
  act: Promise<Answer>,
  waitMs: number,
  time: HostTime,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const why = `The store has not answered for ${waitMs / 1000} s`;
    const late = () => reject(new StoreTrouble(why, { mayBeDone: true }));
    const timer = time.setTimeout(late, waitMs);
    timer.unref();
    const answered = () => time.clearTimeout(timer);
    act.finally(answered).then(resolve, reject);
  });

const FIRST_BACKOFF_MS = 50;
const LONGEST_BACKOFF_MS = 1000;

/** Waits before something is tried again, longer after each try. */
export const backoff = (tries: number, time: HostTime): Promise<void> =>
  new Promise((resolve) => {
    const waitMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tries);
    time.setTimeout(resolve, waitMs).unref();
  });
