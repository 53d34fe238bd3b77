import { join } from "node:path";
import { hostTime } from "../../../machine/host-time.ts";
import { type FoundLock, signOfLife } from "./lock-files.ts";
import { StateLock, StateLocked, type TakeOptions } from "./state-lock.ts";

/** Time for which a lock is watched before it is taken, in milliseconds of the monotonic clock. */
export const LOCK_AGED_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** More than that between two looks was not watched: the process slept, or was stopped. */
const MOST_BETWEEN_LOOKS_MS = 500;

/** A lock that was taken, and what the operator should know of its owner before. */
export interface TakenLock {
  lock: StateLock;
  notice?: string;
}

/**
 * Takes the lock of a state directory. One whose owner cannot be checked is watched first, and
 * taken when nobody renewed it meanwhile (decisions/state-directory-locks.md).
 * @throws StateLocked
 */
export const takeStateLock = async (
  directory: string,
  options: Omit<TakeOptions, "aged"> = {},
): Promise<TakenLock> => {
  for (let aged: FoundLock | undefined; ; )
    try {
      const lock = StateLock.take(directory, { ...options, ...(aged && { aged }) });
      const notice = tellTaken(lock, aged);
      return { lock, ...(notice !== undefined && { notice }) };
    } catch (error) {
      if (!(error instanceof StateLocked) || error.isCertain || !error.lock?.owner.renews)
        throw error;
      aged = error.lock;
      if (await isRenewed(directory, aged))
        throw new StateLocked(directory, { owner: aged.owner, isCertain: true });
    }
};

const tellTaken = ({ directory, before }: StateLock, aged: FoundLock | undefined) => {
  if (before?.verdict === "elsewhere")
    return (
      `${directory} is a copy of ${before.owner.folder?.path}, which another simulator ` +
      `(pid ${before.owner.pid}) continues using`
    );
  if (!aged || before?.verdict !== "unchecked") return undefined;
  const { pid, host } = before.owner;
  const seconds = LOCK_AGED_MS / 1000;
  return (
    `took over ${directory}: its last simulator (pid ${pid} on ${host}) ` +
    `has not renewed its lock for ${seconds} s`
  );
};

/** Watches a lock until its owner touches it or it is old enough. */
const isRenewed = async (directory: string, { number }: FoundLock): Promise<boolean> => {
  const path = join(directory, `lock.${number}`);
  const first = signOfLife(path);
  let watchedMs = 0;
  let lastMs = hostTime.monotonicMs();
  while (watchedMs < LOCK_AGED_MS) {
    await new Promise<void>((resolve) => hostTime.setTimeout(resolve, LOOK_EVERY_MS));
    const sign = signOfLife(path);
    // A lock that is gone was replaced by a newer one, which the next try looks at.
    if (sign !== first) return sign !== undefined;
    const nowMs = hostTime.monotonicMs();
    watchedMs += Math.min(nowMs - lastMs, MOST_BETWEEN_LOOKS_MS);
    lastMs = nowMs;
  }
  return false;
};
