import { type ChildProcess, fork, spawn } from "node:child_process";
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { directoryEntries } from "../../../../src/machine/directory-entries.ts";
import { ownerHere } from "../../../../src/storage/file/lock/lock-owner.ts";
import {
  type LockOwner,
  StateLock,
  StateLocked,
} from "../../../../src/storage/file/lock/state-lock.ts";
import { until } from "../../../runtime/setup/turns.ts";
import { bundledProgram } from "../../../setup/bundled.ts";
import { StateDirectory } from "../../setup/state-directory.ts";
import type { Race, Result } from "../../setup/state-lock-racer.ts";

const racer = bundledProgram(join(import.meta.dirname, "../../setup/state-lock-racer.ts"));

const NO_SUCH_PID = 2 ** 22 + 1;

let directory: StateDirectory;
let children: ChildProcess[];

beforeEach(() => {
  directory = new StateDirectory();
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(ended));
  directory.remove();
});

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? undefined
    : new Promise((resolve) => child.once("exit", resolve));

const started = <Child extends ChildProcess>(child: Child) => {
  children.push(child);
  return child;
};

const readOwner = (number: number): LockOwner =>
  JSON.parse(readFileSync(directory.file(`lock.${number}`), "utf8"));

const locks = () => readdirSync(directory.path).sort();

const refusal = (force = false): StateLocked => {
  try {
    StateLock.take(directory.path, { force });
  } catch (error) {
    expect(error).toBeInstanceOf(StateLocked);
    return error as StateLocked;
  }
  throw new Error("Expected the lock to be refused but found it taken");
};

/** Content of this process's lock. */
const ownOwner = (): LockOwner => ownerHere(directory.path, "nonce");

test("a directory that was taken is refused, naming the pid", () => {
  const lock = StateLock.take(directory.path);
  expect(lock.number).toBe(1);
  const error = refusal();
  expect(error.message).toBe(`another simulator (pid ${process.pid}) is using ${directory.path}`);
  expect(error).toMatchObject({ isCertain: true, owner: { pid: process.pid } });
});

test("a directory that was given back is taken under the next number, the last lock kept", () => {
  StateLock.take(directory.path).release();
  const second = StateLock.take(directory.path);
  expect(second.number).toBe(2);
  second.release();
  expect(StateLock.take(directory.path).number).toBe(3);
  expect(locks()).toEqual(["lock.2", "lock.3"]);
});

test("locks of owners that are gone are taken away, but for the newest and the one before", () => {
  const write = (name: string, changed: Partial<LockOwner>) =>
    writeFileSync(directory.file(name), JSON.stringify({ ...ownOwner(), ...changed }));
  write("lock.1", { released: true });
  write("lock.2", { pid: NO_SUCH_PID });
  write("lock.3", {});
  write("lock.4", { host: "elsewhere" });
  writeFileSync(directory.file("lock.5"), "{");
  write("lock.6", { released: true });
  write("lock.7", { released: true });
  write("lock.tmp-gone", { pid: NO_SUCH_PID });
  write("lock.6.tmp-gone", { released: true });
  write("lock.tmp-running", {});
  expect(StateLock.take(directory.path).number).toBe(8);
  // Alive, on another host, or unreadable: each owner may still run, and looks for the next number.
  expect(locks()).toEqual([
    "lock.3",
    "lock.4",
    "lock.5",
    "lock.6",
    "lock.7",
    "lock.8",
    "lock.tmp-running",
  ]);
});

/** The call that reads a folder, whose answers a test may replace. */
const spiedReaddir = () => {
  const readdir = vi.spyOn(fs, "readdirSync");
  // Otherwise modules that import it by its name would continue with the real one.
  syncBuiltinESMExports();
  onTestFinished(() => {
    readdir.mockRestore();
    syncBuiltinESMExports();
  });
  return readdir;
};

test("a number that was freed meanwhile is not taken while a newer lock is there", () => {
  const readdir = spiedReaddir();
  const gone = { ...ownOwner(), released: true };
  writeFileSync(directory.file("lock.9"), JSON.stringify(gone));
  writeFileSync(directory.file("lock.4"), JSON.stringify(gone));
  // The slow process read the folder when lock.4 was newest; lock.5 is free again since.
  readdir.mockReturnValueOnce(["lock.4"] as never);
  expect(StateLock.take(directory.path).number).toBe(10);
  expect(locks()).toEqual(["lock.10", "lock.9"]);
});

test("a lock that vanishes while it is looked at is looked for again", () => {
  const readdir = spiedReaddir();
  writeFileSync(directory.file("lock.3"), JSON.stringify({ ...ownOwner(), released: true }));
  readdir.mockReturnValueOnce(["lock.1"] as never);
  expect(StateLock.take(directory.path).number).toBe(4);
});

test("a lock that is a link to nothing may be anybody's", () => {
  symlinkSync(directory.file("nothing"), directory.file("lock.1"));
  expect(refusal()).toMatchObject({ isCertain: false });
  expect(StateLock.take(directory.path, { force: true }).number).toBe(2);
});

test("no flipped bit of a running owner's lock gives the directory away", () => {
  const held = StateLock.take(directory.path);
  const path = directory.file("lock.1");
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ (1 << (at & 7));
    writeFileSync(path, bytes);
    expect(() => StateLock.take(directory.path), `byte ${at}`).toThrow(StateLocked);
  }
  held.release();
});

test("the newest number decides, in numeric order", () => {
  const gone = JSON.stringify({ ...ownOwner(), released: true });
  for (const number of [9, 10]) writeFileSync(directory.file(`lock.${number}`), gone);
  expect(StateLock.take(directory.path).number).toBe(11);
});

/** Verdicts on the owner of the newest lock; `changed` is its difference from this process. */
const owners: { who: string; changed: Partial<LockOwner>; ends: "taken" | "held" | "unclear" }[] = [
  { who: "gave it back", changed: { released: true }, ends: "taken" },
  { who: "no longer runs", changed: { pid: NO_SUCH_PID }, ends: "taken" },
  { who: "had the pid of another process", changed: { startTicks: "1" }, ends: "taken" },
  { who: "ran before the machine was restarted", changed: { bootId: "earlier" }, ends: "taken" },
  { who: "runs", changed: {}, ends: "held" },
  { who: "is on another host", changed: { host: "elsewhere" }, ends: "unclear" },
  {
    who: "is on another host and had a pid that is gone here",
    changed: { host: "elsewhere", pid: NO_SUCH_PID },
    ends: "unclear",
  },
  {
    who: "is in another pid namespace",
    changed: { pidNamespace: "pid:[1]", pid: NO_SUCH_PID },
    ends: "unclear",
  },
];

test.each(owners)("a lock whose owner $who is $ends", ({ changed, ends }) => {
  const bytes = JSON.stringify({ ...ownOwner(), ...changed });
  writeFileSync(directory.file("lock.1"), bytes);
  if (ends === "taken") expect(StateLock.take(directory.path).number).toBe(2);
  else expect(refusal().isCertain).toBe(ends === "held");
  expect(readFileSync(directory.file("lock.1"), "utf8")).toBe(bytes);
});

test.each(owners)("with force a lock whose owner $who is taken unless held", (row) => {
  const { changed, ends } = row;
  writeFileSync(directory.file("lock.1"), JSON.stringify({ ...ownOwner(), ...changed }));
  if (ends === "held") expect(refusal(true).isCertain).toBe(true);
  else expect(StateLock.take(directory.path, { force: true }).number).toBe(2);
});

test.each(["", "{"])("a lock that reads %j may be anybody's", (bytes) => {
  writeFileSync(directory.file("lock.1"), bytes);
  expect(refusal()).toMatchObject({ isCertain: false });
  expect(StateLock.take(directory.path, { force: true }).number).toBe(2);
});

test("a lock that cannot be made to last is nobody's", () => {
  const keepNow = vi.spyOn(directoryEntries, "keepNow").mockImplementation(() => {
    throw new Error("EMFILE: too many open files");
  });
  onTestFinished(() => void keepNow.mockRestore());
  expect(() => StateLock.take(directory.path, { fsync: true })).toThrow("EMFILE");
  keepNow.mockRestore();
  expect(StateLock.take(directory.path, { fsync: true }).number).toBe(2);
});

test("a lock behind which the folder cannot be read is nobody's", () => {
  const readdir = spiedReaddir();
  readdir.mockReturnValueOnce([]).mockImplementationOnce(() => {
    throw new Error("EMFILE: too many open files");
  });
  expect(() => StateLock.take(directory.path)).toThrow("EMFILE");
  expect(StateLock.take(directory.path).number).toBe(2);
});

const hasProc = existsSync("/proc/self/stat");

test.runIf(hasProc)(
  "an owner that was killed has lost its lock, also before its parent noticed",
  async () => {
    // The shell becomes a sleep that never waits for its child: once killed, that is a zombie.
    const script = `"$0" "$@" & exec sleep 30`;
    started(spawn("sh", ["-c", script, process.execPath, racer(), directory.path]));
    await until("a lock", () => locks().includes("lock.1"));
    const { pid } = readOwner(1);
    expect(refusal()).toMatchObject({ isCertain: true, owner: { pid } });
    process.kill(pid, "SIGKILL");
    const stateOf = () => / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    await until("a zombie", () => stateOf() === "Z");
    expect(StateLock.take(directory.path).number).toBe(2);
  },
);

const racers = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const one = started(fork(racer(), { execArgv: [] }));
      await new Promise((resolve) => one.once("message", resolve));
      return one;
    }),
  );

const race = (
  field: ChildProcess[],
  where: string,
  { releases = false } = {},
): Promise<Result[]> => {
  const start: Race = { directory: where, startsAtMs: Date.now() + 5, releases };
  return Promise.all(
    field.map((one) => {
      const result = new Promise<Result>((resolve) => one.once("message", resolve));
      one.send(start);
      return result;
    }),
  );
};

const ROUNDS = 20;

test.each([2, 8])("of %i processes that race for a directory exactly one wins", async (count) => {
  const field = await racers(count);
  writeFileSync(directory.file("dead"), JSON.stringify({ ...ownOwner(), pid: NO_SUCH_PID }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const where = directory.file(`round-${round}`);
    const isTakenOver = round % 2 === 1; // every other time from an owner that is gone
    if (isTakenOver) {
      mkdirSync(where);
      copyFileSync(directory.file("dead"), join(where, "lock.1"));
    }
    const results = await race(field, where);
    const won = results.findIndex((result) => "won" in result);
    const refused = { refusedBy: field[won]?.pid };
    const expected = results.map((_, at) => (at === won ? { won: isTakenOver ? 2 : 1 } : refused));
    expect(results).toEqual(expected);
  }
});

test("of many starts that race, each with a number of its own, two locks are left", async () => {
  const field = await racers(4);
  const where = directory.file("many");
  const won: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await race(field, where, { releases: true });
    won.push(...results.flatMap((result) => ("won" in result ? [result.won] : [])));
  }
  expect(won.length).toBeGreaterThanOrEqual(ROUNDS);
  const last = won.length;
  expect(won.sort((a, b) => a - b)).toEqual(Array.from(won, (_, at) => at + 1));
  expect(
    readdirSync(where)
      .filter((name) => name.startsWith("lock"))
      .sort(),
  ).toEqual([`lock.${last}`, `lock.${last - 1}`].sort());
});
