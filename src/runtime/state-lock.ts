import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { directoryEntries } from "./directory-entries.ts";
import { isRunning, startTicksOf } from "./process-probe.ts";

/** Who owns a state directory. */
export interface LockOwner {
  pid: number;
  /** When the process started, in clock ticks since boot; empty where /proc is missing. */
  startTicks: string;
  bootId: string;
  host: string;
  /** A pid means something only within its namespace; empty where /proc is missing. */
  pidNamespace: string;
  nonce: string;
  released?: boolean;
}

/** Somebody else owns the state directory, or it cannot be told. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
  readonly owner: LockOwner;
  readonly isCertain: boolean;

  constructor(directory: string, owner: LockOwner, isCertain: boolean) {
    super(
      isCertain
        ? `Expected ${directory} to be unlocked but found it held by pid ${owner.pid}`
        : `Expected ${directory} to be unlocked but found a lock of pid ${owner.pid} on ` +
            `${owner.host}, which cannot be checked from here`,
    );
    this.owner = owner;
    this.isCertain = isCertain;
  }
}

const LOCK_NAME = /^lock\.([0-9]+)$/;

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

/** Of a lock that cannot be read: its owner may be anybody, and may still run. */
const UNKNOWN_OWNER: LockOwner = {
  pid: 0,
  startTicks: "",
  bootId: "",
  host: "an unknown host",
  pidNamespace: "",
  nonce: "",
};

const ownerOf = (path: string): LockOwner => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return UNKNOWN_OWNER;
  }
};

/**
 * Ownership of a state directory by numbered locks: a new owner links `lock.<n+1>` beside the
 * newest, which only one process can do; a lock of somebody else is never touched.
 */
export class StateLock {
  readonly number: number;
  private readonly path: string;
  private readonly owner: LockOwner;

  private constructor(number: number, path: string, owner: LockOwner) {
    this.number = number;
    this.path = path;
    this.owner = owner;
  }

  /** @throws StateLocked when another process owns the directory or may own it */
  static take(
    directory: string,
    { force = false, fsync = false }: { force?: boolean; fsync?: boolean } = {},
  ): StateLock {
    const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
    const owner: LockOwner = {
      pid: process.pid,
      startTicks: startTicksOf(process.pid),
      bootId: bootId(),
      host: hostname(),
      pidNamespace: pidNamespace(),
      nonce: crypto.randomUUID(),
    };
    for (;;) {
      const newest = newestLock(directory);
      if (newest) refuseUnlessDead(directory, newest.owner, force);
      const number = (newest?.number ?? 0) + 1;
      const path = join(directory, `lock.${number}`);
      const temporary = join(directory, `lock.tmp-${owner.nonce}`);
      writeFileSync(temporary, JSON.stringify(owner), { mode: 0o600 });
      try {
        linkSync(temporary, path);
        if (fsync) directoryEntries.keepNow(path, made);
        return new StateLock(number, path, owner);
      } catch (error) {
        // Somebody else was faster: look at who it is.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      } finally {
        unlinkSync(temporary);
      }
    }
  }

  /** Marks the lock as given back. Its file stays: its number is never used again. */
  release() {
    if (this.owner.released) return;
    this.owner.released = true;
    const temporary = `${this.path}.tmp-${this.owner.nonce}`;
    writeFileSync(temporary, JSON.stringify(this.owner), { mode: 0o600 });
    renameSync(temporary, this.path);
  }
}

const newestLock = (directory: string) => {
  const numbers = readdirSync(directory)
    .map((name) => Number(LOCK_NAME.exec(name)?.[1] ?? 0))
    .sort((a, b) => a - b);
  const number = numbers.at(-1);
  if (!number) return undefined;
  return { number, owner: ownerOf(join(directory, `lock.${number}`)) };
};

const refuseUnlessDead = (directory: string, owner: LockOwner, force: boolean) => {
  const verdict = judge(owner);
  if (verdict === "dead" || (verdict === "unknown" && force)) return;
  throw new StateLocked(directory, owner, verdict === "alive");
};
