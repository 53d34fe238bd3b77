import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { isSameFolder, placeOf } from "../../../machine/folder-place.ts";
import { hostTime } from "../../../machine/host-time.ts";
import { removeQuietly } from "../../../machine/remove-quietly.ts";
import { machineWall } from "../../../runtime/ports.ts";
import { makeStateDirectory } from "../state/state-folder.ts";
import {
  type FoundLock,
  linkOwner,
  newestLock,
  numbersIn,
  supersededIn,
  type WrittenLock,
} from "./lock-files.ts";
import { type LockOwner, ownerHere, ownerOf, textOf, UNKNOWN_OWNER } from "./lock-owner.ts";
import { heldHere, isFree, judge, type Verdict } from "./lock-verdict.ts";

export type { LockOwner };

/** Raised when another process owns the state directory, or may own it. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
  readonly owner: LockOwner;
  readonly isCertain: boolean;
  /** The lock that was found; a start may take it when its owner renews it no more. */
  readonly lock: FoundLock | undefined;

  constructor(
    directory: string,
    { owner, lock, isCertain }: { owner: LockOwner; lock?: FoundLock; isCertain: boolean },
  ) {
    super(
      isCertain
        ? `another simulator (${nameOf(owner)}) is using ${directory}`
        : `another simulator (pid ${owner.pid} on ${owner.host}) may be using ${directory}; ` +
            "it cannot be checked from here",
    );
    this.owner = owner;
    this.isCertain = isCertain;
    this.lock = lock;
  }
}

const nameOf = ({ pid, host }: LockOwner) =>
  host === hostname() ? `pid ${pid}` : `pid ${pid} on ${host}`;

/** Other processes that may be faster at one start; more than that means no lock stays. */
const MAX_RACES = 1000;

/** Milliseconds of real time between two renewals of a lock. */
export const RENEWED_EVERY_MS = 1_000;

/** An owner before, and what was known of it when its directory was taken. */
export interface Before {
  owner: LockOwner;
  verdict: Verdict;
}

/** Options of taking a lock. */
export interface TakeOptions {
  force?: boolean;
  fsync?: boolean;
  /** A lock that was watched until it was old enough to be taken. */
  aged?: FoundLock;
}

/**
 * Numbered locks on a state directory (decisions/state-directory-locks.md). A new owner links
 * `lock.<n+1>` beside the newest, which only one process can do. The two newest locks always stay,
 * so numbers only rise; the newest owner deletes older ones whose owners are gone. A slow process
 * may find an old number free. It owns nothing while a newer lock exists, and tries again.
 */
export class StateLock {
  readonly number: number;
  readonly directory: string;
  /** The owner before, and what was known of it; nothing where there was no lock. */
  readonly before: Before | undefined;
  /** Called once, when another process has taken the directory. */
  readonly whenTaken = new Set<(why: string) => void>();
  /** Called at each renewal while the lock is held. */
  readonly whenRenewed = new Set<() => void>();
  private readonly path: string;
  private readonly next: string;
  private readonly owner: LockOwner;
  private readonly fsync: boolean;
  private sign: { dev: number; ino: number } | undefined;
  private renewing: NodeJS.Timeout | undefined;
  private renewals = 0;
  private readonly pinned: number[] = [];
  private takenBy: string | undefined;
  /** True when the file of the lock was not there at the last renewal. */
  private isMissing = false;
  private lookedAt = { monotonicMs: hostTime.monotonicMs(), wallMs: machineWall.nowMs() };

  private constructor(
    { number, owner }: FoundLock,
    written: WrittenLock,
    { directory, before }: { directory: string; before: Before | undefined },
  ) {
    this.number = number;
    this.directory = directory;
    this.before = before;
    this.path = written.path;
    this.next = join(directory, `lock.${number + 1}`);
    this.fsync = written.fsync;
    this.owner = owner;
  }

  /** @throws StateLocked when another process owns the directory or may own it */
  static take(directory: string, { force = false, fsync = false, aged }: TakeOptions = {}) {
    const made = makeStateDirectory(directory);
    const owner = ownerHere(directory, crypto.randomUUID());
    for (let look = 1; look <= MAX_RACES; look += 1) {
      const newest = newestLock(directory);
      const claim = { force, ...(aged && { aged }) };
      const before = newest && {
        owner: newest.owner,
        verdict: requireFree(directory, newest, claim),
      };
      const number = (newest?.number ?? 0) + 1;
      const path = join(directory, `lock.${number}`);
      // Another process was faster: look at its lock.
      if (!linkOwner(owner, { path, fsync })) continue;
      const lock = new StateLock({ number, owner }, { path, fsync }, { directory, before });
      if (lock.settle(made)) return lock;
    }
    throw new StateLocked(directory, { owner: UNKNOWN_OWNER, isCertain: false });
  }

  /** Whether the owner before may still have files of the directory open. */
  get mayBeShared() {
    return this.before !== undefined && this.before.verdict !== "ended";
  }

  /**
   * Says who has taken the directory since; nothing while this process holds it. A lock is newer
   * only beside this one: a folder that was put in the place of this one has its own.
   */
  taken(): string | undefined {
    this.lookedAt = { monotonicMs: hostTime.monotonicMs(), wallMs: machineWall.nowMs() };
    if (this.takenBy !== undefined) return this.takenBy;
    if (this.isMissing) this.linkAgain();
    else if (existsSync(this.next) && this.isInPlace()) this.lose();
    return this.takenBy;
  }

  /** Whether the process may have slept for so long that another one has taken the directory. */
  isOverdue() {
    const { monotonicMs, wallMs } = this.lookedAt;
    const limitMs = 2 * RENEWED_EVERY_MS;
    return (
      hostTime.monotonicMs() - monotonicMs > limitMs ||
      Math.abs(machineWall.nowMs() - wallMs) > limitMs
    );
  }

  /** Whether the lock is where it was made: its folder was not removed, moved or replaced. */
  isInPlace(): boolean {
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false });
      return stats !== undefined && this.sign !== undefined && isSameFolder(stats, this.sign);
    } catch (error) {
      // A folder that cannot be read may be there; a file above it tells that it is gone.
      return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
    }
  }

  /** Marks the lock as released. Its file stays, so its number is never used again. */
  release() {
    if (this.renewing) hostTime.clearInterval(this.renewing);
    heldHere.delete(this.owner.nonce);
    if (this.owner.released) return;
    this.owner.released = true;
    const isMine = this.takenBy === undefined && this.isInPlace();
    for (const fd of this.pinned.splice(0)) closeSync(fd);
    if (!isMine) return;
    const temporary = `${this.path}.tmp-${this.owner.nonce}`;
    try {
      writeFileSync(temporary, textOf(this.owner), { mode: 0o600, flush: this.fsync });
      renameSync(temporary, this.path);
    } catch {
      // On a full disk it stays as it is: the owner ends with its process.
      removeQuietly(temporary);
    }
  }

  /**
   * Makes a linked lock last. One that fails is released: a later start of this process would take
   * it for that of another.
   * @returns false when a newer lock exists; the linked one is gone then
   */
  private settle(firstMade: string | undefined): boolean {
    const { directory, path, number, owner } = this;
    try {
      this.sign = statSync(path);
      if (numbersIn(directory).at(-1) !== number) {
        rmSync(path, { force: true });
        return false;
      }
      this.pin(path, directory);
      if (this.fsync) directoryEntries.keepNow(path, firstMade);
      removeSuperseded(directory, number);
      if (owner.folder) heldHere.set(owner.nonce, owner.folder);
      this.renewing = hostTime.setInterval(() => this.renew(), RENEWED_EVERY_MS);
      this.renewing.unref();
      return true;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /**
   * Shows that the owner lives, by a time of the file that is another one with each renewal, even
   * where the system clock stands still.
   */
  private renew() {
    this.isMissing = !this.isInPlace();
    if (this.isMissing || this.taken() !== undefined) return;
    this.renewals += 1;
    try {
      const seconds = Math.floor(machineWall.nowMs() / 1000) + (this.renewals % 2) / 2;
      utimesSync(this.path, seconds, seconds);
    } catch {
      // On a disk that fails, the next renewal tries again.
    }
    for (const look of [...this.whenRenewed]) look();
  }

  /** Links the lock again where only its file was removed; a folder that is gone has none. */
  private linkAgain() {
    const { directory, owner, path, fsync, number } = this;
    const place = placeOf(directory);
    if (!place || !owner.folder || !isSameFolder(place, owner.folder)) return;
    try {
      if (numbersIn(directory).length > 0 || !linkOwner(owner, { path, fsync })) return this.lose();
      this.sign = statSync(path);
      this.pin(path);
      this.isMissing = false;
      if (numbersIn(directory).at(-1) !== number) this.lose();
    } catch {
      // On a disk that fails, the next look tries again.
    }
  }

  /**
   * Keeps files open, so that the file system gives their numbers to no other file while this
   * process compares them.
   */
  private pin(...paths: string[]) {
    for (const path of paths)
      try {
        this.pinned.push(openSync(path, "r"));
      } catch {
        // Some systems open no folders.
      }
  }

  private lose() {
    const { directory } = this;
    const other = newestLock(directory)?.owner;
    const by = other === undefined || other.pid === 0 ? "" : ` (pid ${other.pid} on ${other.host})`;
    this.takenBy = `another simulator${by} has taken ${directory}`;
    if (this.renewing) hostTime.clearInterval(this.renewing);
    for (const notify of [...this.whenTaken]) notify(this.takenBy);
  }
}

/**
 * Deletes locks whose owners are gone, except for the newest two. The one after a lock whose owner
 * may live stays too: that owner looks for it.
 */
const removeSuperseded = (directory: string, newest: number) => {
  const { locks, halves } = supersededIn(directory, newest);
  for (const paths of [locks, halves])
    for (const path of paths) {
      const owner = ownerOf(path);
      if (!owner || judge(owner, directory) !== "ended") break;
      removeQuietly(path);
    }
};

/** Whether a process owns a state directory, or may own it. */
export const isOwned = (directory: string): boolean => {
  const newest = newestLock(directory);
  return newest !== undefined && !isFree(judge(newest.owner, directory));
};

const requireFree = (
  directory: string,
  { number, owner }: FoundLock,
  { force, aged }: { force: boolean; aged?: FoundLock },
): Verdict => {
  const verdict = judge(owner, directory);
  const isAged = aged?.number === number && aged.owner.nonce === owner.nonce;
  if (isFree(verdict) || (verdict === "unchecked" && (force || isAged))) return verdict;
  const isCertain = verdict === "holds";
  throw new StateLocked(directory, { owner, lock: { number, owner }, isCertain });
};
