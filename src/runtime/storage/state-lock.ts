import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { checkedMembers, withChecksum } from "./checked-members.ts";
import { directoryEntries } from "./directory-entries.ts";
import { isRunning, startTicksOf } from "./process-probe.ts";
import { removeQuietly } from "./remove-quietly.ts";
import { makeStateDirectory } from "./state-folder.ts";

/** Owner of a state directory. */
export interface LockOwner {
  pid: number;
  /** Start of the process in clock ticks since boot; empty where /proc is missing. */
  startTicks: string;
  bootId: string;
  host: string;
  /**
   * PID namespace of the process, which gives the pid its meaning; empty where /proc is missing.
   */
  pidNamespace: string;
  nonce: string;
  released?: boolean;
}

/** Raised when another process owns the state directory, or may own it. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
  readonly owner: LockOwner;
  readonly isCertain: boolean;

  constructor(directory: string, owner: LockOwner, isCertain: boolean) {
    super(
      isCertain
        ? `another simulator (pid ${owner.pid}) is using ${directory}`
        : `another simulator (pid ${owner.pid} on ${owner.host}) may be using ${directory}; ` +
            "it cannot be checked from here",
    );
    this.owner = owner;
    this.isCertain = isCertain;
  }
}

const LOCK_NAME = /^lock\.([1-9][0-9]{0,14})$/;
/** Temporary files of locks; their owner deletes them, unless it was killed. */
const TEMPORARY_NAME = /^lock\.(?:[0-9]+\.)?tmp-/;

const readText = (path: string) => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
};

const bootId = () => readText("/proc/sys/kernel/random/boot_id");

const pidNamespace = () => {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
};

/** Looks at the newest lock before an unreadable name counts as a lock. */
const MAX_LOOKS = 100;

/** Other processes that may be faster at one start; more than that means no lock stays. */
const MAX_RACES = 1000;

type Verdict = "dead" | "alive" | "unknown";

const judge = (owner: LockOwner): Verdict => {
  if (owner.released) return "dead";
  if (owner.host !== hostname()) return "unknown";
  if (owner.bootId !== bootId()) return "dead";
  if (owner.pidNamespace !== pidNamespace()) return "unknown";
  if (!isRunning(owner.pid)) return "dead";
  const startTicks = startTicksOf(owner.pid);
  return startTicks === "" || startTicks === owner.startTicks ? "alive" : "dead";
};

/** Owner of an unreadable lock: any process, which may still run. */
const UNKNOWN_OWNER: LockOwner = {
  pid: 0,
  startTicks: "",
  bootId: "",
  host: "an unknown host",
  pidNamespace: "",
  nonce: "",
};

/** Owner in a lock; nothing when the lock is gone. */
const ownerOf = (path: string): LockOwner | undefined => {
  try {
    return checkedMembers<LockOwner>(readFileSync(path, "utf8")) ?? UNKNOWN_OWNER;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : UNKNOWN_OWNER;
  }
};

const textOf = (owner: LockOwner) => JSON.stringify(withChecksum(owner));

/** The file of a lock; with `fsync` its bytes survive a power cut, as its name does. */
interface Written {
  path: string;
  fsync: boolean;
}

/**
 * Numbered locks on a state directory (decisions/state-directory-locks.md). A new owner links
 * `lock.<n+1>` beside the newest, which only one process can do. The two newest locks always stay,
 * so numbers only rise; the newest owner deletes older ones whose owners are gone. A slow process
 * may find an old number free. It owns nothing while a newer lock exists, and tries again.
 */
export class StateLock {
  readonly number: number;
  private readonly path: string;
  private readonly owner: LockOwner;
  private readonly fsync: boolean;

  private constructor(number: number, owner: LockOwner, written: Written) {
    this.number = number;
    this.path = written.path;
    this.fsync = written.fsync;
    this.owner = owner;
  }

  /** @throws StateLocked when another process owns the directory or may own it */
  static take(
    directory: string,
    { force = false, fsync = false }: { force?: boolean; fsync?: boolean } = {},
  ): StateLock {
    const made = makeStateDirectory(directory);
    const owner: LockOwner = {
      pid: process.pid,
      startTicks: startTicksOf(process.pid),
      bootId: bootId(),
      host: hostname(),
      pidNamespace: pidNamespace(),
      nonce: crypto.randomUUID(),
    };
    for (let look = 1; look <= MAX_RACES; look += 1) {
      const newest = newestLock(directory);
      if (newest) refuseUnlessDead(directory, newest.owner, force);
      const number = (newest?.number ?? 0) + 1;
      const path = join(directory, `lock.${number}`);
      // Another process was faster: look at its lock.
      if (!linkOwner(owner, { path, fsync })) continue;
      const lock = new StateLock(number, owner, { path, fsync });
      if (lock.settle(directory, made)) return lock;
    }
    throw new StateLocked(directory, UNKNOWN_OWNER, false);
  }

  /**
   * Makes a linked lock last. One that fails is released: a later start of this process would take
   * it for that of another.
   * @returns false when a newer lock exists; the linked one is gone then
   */
  private settle(directory: string, firstMade: string | undefined): boolean {
    try {
      if (numbersIn(directory).at(-1) !== this.number) {
        rmSync(this.path, { force: true });
        return false;
      }
      if (this.fsync) directoryEntries.keepNow(this.path, firstMade);
      removeSuperseded(directory, this.number);
      return true;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Marks the lock as released. Its file stays, so its number is never used again. */
  release() {
    if (this.owner.released) return;
    this.owner.released = true;
    const temporary = `${this.path}.tmp-${this.owner.nonce}`;
    try {
      writeFileSync(temporary, textOf(this.owner), { mode: 0o600, flush: this.fsync });
      renameSync(temporary, this.path);
    } catch {
      // On a full disk it stays as it is: the owner ends with its process.
      removeQuietly(temporary);
    }
  }
}

/**
 * Links a lock file for an owner.
 * @returns false when the lock exists
 */
const linkOwner = (owner: LockOwner, { path, fsync }: Written): boolean => {
  const temporary = join(dirname(path), `lock.tmp-${owner.nonce}`);
  try {
    writeFileSync(temporary, textOf(owner), { mode: 0o600, flush: fsync });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    removeQuietly(temporary);
  }
};

const numbersIn = (directory: string): number[] =>
  readdirSync(directory)
    .map((name) => Number(LOCK_NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);

/** Deletes locks whose owners are gone, except for the newest two. */
const removeSuperseded = (directory: string, newest: number) => {
  const locks = numbersIn(directory)
    .filter((number) => number < newest - 1)
    .map((number) => `lock.${number}`);
  const temporary = readdirSync(directory).filter((name) => TEMPORARY_NAME.test(name));
  for (const name of [...locks, ...temporary]) {
    const path = join(directory, name);
    const owner = ownerOf(path);
    if (owner && judge(owner) === "dead") removeQuietly(path);
  }
};

const newestLock = (directory: string): { number: number; owner: LockOwner } | undefined => {
  let number = numbersIn(directory).at(-1);
  for (let look = 1; number !== undefined; look += 1) {
    const owner = ownerOf(join(directory, `lock.${number}`));
    // A name without a file, like a broken link, may belong to any process.
    if (owner || look === MAX_LOOKS) return { number, owner: owner ?? UNKNOWN_OWNER };
    // The folder changed since it was read: look again.
    number = numbersIn(directory).at(-1);
  }
  return undefined;
};

/** Whether a process owns a state directory, or may own it. */
export const isOwned = (directory: string): boolean => {
  const newest = newestLock(directory);
  return newest !== undefined && judge(newest.owner) !== "dead";
};

const refuseUnlessDead = (directory: string, owner: LockOwner, force: boolean) => {
  const verdict = judge(owner);
  if (verdict === "dead" || (verdict === "unknown" && force)) return;
  throw new StateLocked(directory, owner, verdict === "alive");
};
