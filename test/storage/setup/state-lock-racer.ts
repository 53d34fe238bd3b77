import { StateLock, StateLocked } from "../../../src/storage/file/lock/state-lock.ts";

/** One process of a race: it tries to take the lock at a given instant and prints the result. */
export interface Race {
  directory: string;
  /** Instant on the system clock at which all start at once. */
  startsAtMs: number;
  /** Releases the lock at once. */
  releases: boolean;
}

export type Result = { won: number } | { refusedBy: number };

const take = (directory: string, releases: boolean): Result => {
  try {
    const lock = StateLock.take(directory);
    if (releases) lock.release();
    return { won: lock.number };
  } catch (error) {
    if (error instanceof StateLocked) return { refusedBy: error.owner.pid };
    throw error;
  }
};

process.on("message", ({ directory, startsAtMs, releases }: Race) => {
  while (Date.now() < startsAtMs);
  process.send?.(take(directory, releases));
});

const [, , directory] = process.argv;
if (directory === undefined) process.send?.("ready");
else {
  StateLock.take(directory);
  setInterval(() => {}, 1000);
}
