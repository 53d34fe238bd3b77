import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startFailure } from "../../src/cli/frame/simulator-options.ts";
import { JournalDamage } from "../../src/runtime/change.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { createSimulator, type SimulatorOptions } from "../../src/simulator.ts";
import { StateLocked } from "../../src/storage/file/lock/state-lock.ts";
import { LeftAside, moveBack } from "../../src/storage/file/state/set-aside.ts";
import { machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { openWorld, WorldExists } from "../../src/storage/open-world.ts";
import { fileWith } from "../scripts/setup/file-with.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { EXECUTE, fixtureOf, PAYING, QUOTE } from "./seed/setup/seeding.ts";

const FIXTURE = fixtureOf(...PAYING("003"), QUOTE, EXECUTE);
const NOW = "2026-01-05T09:00:00.000Z";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

/** Starts on the directory and stops again; returns the findings or the refusal. */
const start = async (options: SimulatorOptions = {}) => {
  const sim = await createSimulator({ storage: directory.url, ...options });
  const { opened, clientSecret } = sim;
  const { fixture, storage, now } = sim.status();
  await sim.close();
  return { ...opened, clientSecret, fixture, held: storage.records, now };
};

const refusal = (options: SimulatorOptions) =>
  start(options).then(
    () => undefined,
    (error: Error) => error,
  );

describe("a restart may say how the state began", () => {
  test.each([
    { what: "the seed", first: { seed: 7 }, again: { seed: "7" } },
    { what: "the instant", first: { now: NOW }, again: { now: "2026-01-05T09:00:00Z" } },
    { what: "the fixture", first: { fixture: FIXTURE }, again: { fixture: FIXTURE } },
    {
      what: "the fixture's content in a file",
      first: { fixture: FIXTURE },
      again: () => ({
        fixture: fileWith({ ...FIXTURE, name: "renamed", description: "the same" }),
      }),
    },
    { what: "that it had none", first: {}, again: { fixture: "default" } },
    {
      what: "all of it",
      first: { seed: 7, now: NOW, fixture: "payouts-demo", clock: "manual" },
      again: { seed: 7, now: NOW, fixture: "payouts-demo", clock: "manual" },
    },
  ])("$what", async ({ first, again }) => {
    const before = await start(first as SimulatorOptions);
    const given = typeof again === "function" ? again() : again;
    const after = await start(given as SimulatorOptions);
    expect(after).toMatchObject({ isNew: false, seed: before.seed, fixture: before.fixture });
    expect(after.held).toBe(before.held);
    expect(after.clientSecret).toBe(before.clientSecret);
  });

  test("the instant also where the first start said none", async () => {
    const { now } = await start({ clock: "manual" });
    expect(await start({ now })).toMatchObject({ isNew: false, now });
  });

  test("a moved clock stays where it was moved", async () => {
    const sim = await createSimulator({ storage: directory.url, now: NOW, clock: "manual" });
    await sim.advance("6m");
    await sim.close();
    expect(await start({ now: NOW })).toMatchObject({ now: "2026-01-05T09:06:00.000Z" });
  });
});

describe("a restart that says something else is refused, and nothing changes", () => {
  test.each([
    {
      what: "another seed",
      again: { seed: 8, clientSecret: "other" },
      says: "Expected --seed 7, which the state in DIR began with, but found 8",
    },
    {
      what: "another instant",
      again: { now: "2026-01-05T10:00:00Z", clientSecret: "other" },
      says: `Expected --now ${NOW}, which the state in DIR began with, but found 2026-01-05T10:00:00.000Z`,
    },
    {
      what: "another fixture",
      again: { fixture: "payouts-demo", clientSecret: "other" },
      says: "Expected --fixture f, which the state in DIR began with, but found payouts-demo",
    },
    {
      what: "a fixture that was edited",
      again: { fixture: fixtureOf(...PAYING("002"), QUOTE, EXECUTE) },
      says: "Expected --fixture f, which the state in DIR began with, but found other content under that name",
    },
  ])("$what", async ({ again, says }) => {
    const before = await start({ seed: 7, now: NOW, fixture: FIXTURE, clock: "manual" });
    const journal = directory.contents();
    const refused = await refusal(again);
    expect(refused).toBeInstanceOf(WorldExists);
    expect(refused?.message).toBe(says.replace("DIR", directory.path));
    expect(directory.contents()).toEqual(journal);
    expect(await start()).toMatchObject({ clientSecret: before.clientSecret, held: before.held });
  });
});

describe("fresh", () => {
  test("begins again; the earlier state is in a folder that a start can continue with", async () => {
    const before = await start({ seed: 7, fixture: FIXTURE });
    const asideIn = directory.file("old-1");
    const fresh = await start({ seed: 8, fresh: true });
    expect(fresh).toMatchObject({ isNew: true, seed: "8", fixture: "default", asideIn });
    expect(await start()).toMatchObject({ isNew: false, seed: "8" });
    const old = await start({ storage: `file:${asideIn}` });
    expect(old).toMatchObject({ isNew: false, seed: "7", fixture: "f", held: before.held });
    expect(old.clientSecret).toBe(before.clientSecret);
  });

  test("counts the folders up, and deletes none", async () => {
    for (const seed of [1, 2, 3]) await start({ seed, fresh: true });
    expect(readdirSync(directory.path).filter((name) => name.startsWith("old"))).toEqual([
      "old-1",
      "old-2",
    ]);
    expect(await start({ storage: `file:${directory.file("old-2")}` })).toMatchObject({
      seed: "2",
      isNew: false,
    });
  });

  test("moves nothing where there is no state, nor what is not ours", async () => {
    mkdirSync(directory.file("mine"));
    expect(await start({ fresh: true })).not.toHaveProperty("asideIn");
    await start({ fresh: true });
    expect(existsSync(directory.file("mine"))).toBe(true);
    expect(readdirSync(directory.file("old-1")).sort()).toEqual(["lock.2", "worlds"]);
  });

  test("moves damaged state aside as well", async () => {
    await start();
    directory.write(directory.segments()[0] ?? "", "garbage\n");
    expect(await start({ fresh: true })).toMatchObject({ isNew: true });
  });

  test("waits for the lock: a running simulator keeps its state", async () => {
    const sim = await createSimulator({ storage: directory.url });
    expect(await refusal({ fresh: true })).toBeInstanceOf(StateLocked);
    expect(existsSync(directory.file("old-1"))).toBe(false);
    await sim.close();
    expect(await start()).toMatchObject({ isNew: false });
  });

  test.each(["worlds", "files"])(
    "a move that was interrupted after %s is completed by the next start",
    async (moved) => {
      const before = await start({ seed: 7 });
      mkdirSync(directory.file("files"));
      mkdirSync(directory.file("old-1.part"));
      renameSync(directory.file(moved), join(directory.file("old-1.part"), moved));
      const asideIn = directory.file("old-1");
      expect(await start()).toMatchObject({ isNew: true, asideIn });
      expect(readdirSync(directory.path)).toContain("old-1");
      const old = await start({ storage: `file:${directory.file("old-1")}` });
      expect(old).toMatchObject({ isNew: false, seed: "7", clientSecret: before.clientSecret });
    },
  );
});

describe("a fresh start that fails brings the earlier state back", () => {
  const REFUSED = fixtureOf({ request: { method: "GET", path: "/quotes/x" } });

  /** The state as a start finds it, and the folders beside it. */
  const left = async () => ({
    ...(await start()),
    folders: readdirSync(directory.path).filter((name) => name.startsWith("old")),
  });

  test("when its fixture is refused", async () => {
    const before = await start({ seed: 7, fixture: FIXTURE });
    const journal = directory.contents();
    const refused = await refusal({ seed: 8, fresh: true, fixture: REFUSED });
    expect(refused?.message).toContain("Expected step 1, GET /quotes/x, to answer 2xx");
    expect(directory.contents()).toEqual(journal);
    const { seed, fixture, held, clientSecret } = before;
    expect(await left()).toMatchObject({ isNew: false, seed, fixture, held, clientSecret });
    expect(await left()).toMatchObject({ folders: [] });
  });

  test("with fsync, and beside folders of earlier fresh starts", async () => {
    for (const seed of [1, 2]) await start({ seed, fresh: true, fsync: true });
    await refusal({ seed: 8, fresh: true, fsync: true, fixture: REFUSED });
    expect(await left()).toMatchObject({ isNew: false, seed: "2", folders: ["old-1"] });
  });

  test("when the new world cannot be stored", async () => {
    await start({ seed: 7 });
    const storage = { kind: "file", directory: directory.path } as const;
    const write = () => Promise.reject(new Error("no space"));
    const folders = { ...machineFolders, write };
    const options = { storage, wall: machineWall, fsync: false, identity: {}, fresh: true };
    await expect(openWorld({ ...options, folders })).rejects.toThrow("no space");
    expect(await left()).toMatchObject({ isNew: false, seed: "7", folders: [] });
  });

  test("also when it was damaged: it is as damaged as before", async () => {
    await start();
    directory.write(directory.segments()[0] ?? "", "garbage\n");
    await refusal({ fresh: true, fixture: REFUSED });
    expect(await refusal({})).toBeInstanceOf(JournalDamage);
  });

  test.each(["worlds", "files"])(
    "a move back that was interrupted after %s is completed by the next start",
    async (moved) => {
      const { seed, clientSecret } = await start({ seed: 7 });
      mkdirSync(directory.file("files"));
      mkdirSync(directory.file("old-1.back"));
      for (const name of ["worlds", "files"].filter((one) => one !== moved))
        renameSync(directory.file(name), join(directory.file("old-1.back"), name));
      expect(await left()).toMatchObject({ isNew: false, seed, clientSecret, folders: [] });
    },
  );

  test("or says where it is, when it cannot be moved back", () => {
    const asideIn = directory.file("old-1");
    const moving = () => moveBack(asideIn, new Error("no such fixture"), { fsync: false });
    expect(moving).toThrow(LeftAside);
    expect(moving).toThrow(
      `no such fixture; the earlier state is still in ${asideIn}, since moving it back failed: ENOENT`,
    );
    expect(startFailure(new LeftAside(asideIn, { failure: "a", moving: "b" }))).toMatchObject({
      exitCode: 4,
      message: `a; the earlier state is still in ${asideIn}, since moving it back failed: b`,
      next: [`service-sim start --storage file:${asideIn}`],
    });
  });
});
