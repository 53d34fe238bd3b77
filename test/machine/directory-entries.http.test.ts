import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { directoryEntries } from "../../src/machine/directory-entries.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { machineFiles } from "../../src/storage/file/journal/journal-file.ts";
import { keyFiles } from "../../src/storage/file/state/key-files.ts";
import { openWorld } from "../../src/storage/open-world.ts";
import { CAUSE, leave } from "../runtime/setup/test-engine.ts";
import { until } from "../runtime/setup/turns.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

let outer: StateDirectory;
/** A new state directory in a new directory. */
let directory: string;

beforeEach(() => {
  outer = new StateDirectory();
  directory = outer.file(join("deep", "state"));
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  outer.remove();
});

/** Records which directories are synced from now on, in order. */
const watch = () => {
  const synced: string[] = [];
  const note = (path: string, firstMade?: string) => {
    synced.push(relative(outer.path, path));
    if (firstMade !== undefined) synced.push(`made ${relative(outer.path, firstMade)}`);
  };
  const { keepNow, keep } = directoryEntries;
  vi.spyOn(directoryEntries, "keepNow").mockImplementation((path, made) => {
    note(path, made);
    keepNow(path, made);
  });
  vi.spyOn(directoryEntries, "keep").mockImplementation((path, made) => {
    note(path, made);
    return keep(path, made);
  });
  return synced;
};

const open = (fsync: boolean) =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync,
    identity: { clockMode: "manual" },
    checkpointAfterBytes: 100,
  });

const inState = (...names: string[]) => join("deep", "state", ...names);
const inWorld = (...names: string[]) => inState("worlds", "sandbox", ...names);
const inLine = (...names: string[]) => inWorld("line-0", ...names);

test("with --fsync the name of every new file is kept, before anything in it counts", async () => {
  const synced = watch();
  const written = vi.spyOn(machineFiles, "write").mockImplementation((fd, bytes, { from }) => {
    synced.push("write");
    return fs.writeSync(fd, bytes, from);
  });
  const world = await open(true);
  const made = dirname(dirname(synced[2] ?? ""));
  expect(made).toMatch(/^deep\/state\/\.new-[0-9a-f]{12}$/);
  expect(synced).toEqual([
    inState("lock.1"),
    "made deep",
    join(made, "line-0", "line.json"),
    join(made, "world.json"),
    inState("worlds", "sandbox"),
    inState("worlds"),
    inWorld("identity.json"),
    inLine("journal", "begun"),
    inLine("journal", "1-1"),
    `made ${inLine("journal")}`,
  ]);
  world.reset();
  world.engine.commit(leave, "Event:1", CAUSE);
  await world.engine.journal.reached(world.engine.state.seq);
  expect(written).toHaveBeenCalled();
  await until("a checkpoint", () => synced.some((name) => name.includes("manifest")));
  const names = synced.filter((name) => name !== "write");
  const checkpoint = names.slice(names.indexOf(inLine("journal", "1-2")));
  const folder = dirname(checkpoint[2] ?? "");
  expect(folder).toMatch(
    /^deep\/state\/worlds\/sandbox\/line-0\/checkpoint\/0{11}[0-9]-[0-9a-f]{8}$/,
  );
  expect(checkpoint.slice(0, 4)).toEqual([
    inLine("journal", "1-2"),
    `made ${inLine("journal")}`,
    join(folder, "0.json"),
    `made ${inLine("checkpoint")}`,
  ]);
  await world.close();
});

test("without it none is", async () => {
  const synced = watch();
  const world = await open(false);
  world.reset();
  await world.engine.journal.reached(world.engine.state.seq);
  await world.close();
  expect(synced).toEqual([]);
});

test.each([
  { what: "its own", made: undefined, synced: ["deep/state/a"] },
  { what: "its own, made for it", made: "deep/state/a", synced: ["deep/state/a", "deep/state"] },
  { what: "several made", made: "deep", synced: ["deep/state/a", "deep/state", "deep", ""] },
])("a file in a folder, $what: $synced are synced", async ({ made, synced }) => {
  fs.mkdirSync(join(directory, "a"), { recursive: true });
  const path = join(directory, "a", "file");
  const opened: string[] = [];
  const fsynced: number[] = [];
  const { openSync, fsyncSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((name, ...more) => {
    opened.push(relative(outer.path, String(name)));
    return openSync(name, ...more);
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation((fd) => {
    fsynced.push(fd);
    fsyncSync(fd);
  });
  syncBuiltinESMExports();
  directoryEntries.keepNow(path, made && outer.file(made));
  expect(opened).toEqual(synced);
  expect(fsynced).toHaveLength(synced.length);
});

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test.each([
  { code: "EPERM", isIgnored: true },
  { code: "EISDIR", isIgnored: true },
  { code: "EINVAL", isIgnored: true },
  { code: "ENOTSUP", isIgnored: true },
  { code: "EIO", isIgnored: false },
  { code: "ENOSPC", isIgnored: false },
])("$code when a directory is synced is ignored: $isIgnored", async ({ code, isIgnored }) => {
  const { openSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((...given) => {
    if (given[0] === outer.path) failing(code)();
    return openSync(...given);
  });
  const handle = await fs.promises.open(outer.path, "r");
  onTestFinished(() => handle.close());
  vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(failing(code));
  syncBuiltinESMExports();
  const keepNow = () => directoryEntries.keepNow(outer.file("a"));
  const keep = directoryEntries.keep(outer.file("a"));
  if (isIgnored) {
    expect(keepNow).not.toThrow();
    await keep;
  } else {
    expect(keepNow).toThrow(code);
    await expect(keep).rejects.toThrow(code);
  }
});

test("a value whose name cannot be kept counts as not stored", async () => {
  vi.spyOn(directoryEntries, "keep").mockRejectedValue(new Error("EIO"));
  const storage = keyFiles(directory, { fsync: true });
  await expect(storage.setItem("identity", "{}")).rejects.toThrow("EIO");
});
