import { afterEach, beforeEach, expect, test } from "vitest";
import { FORMAT_VERSION } from "../../../src/runtime/change.ts";
import { ServedElsewhere } from "../../../src/runtime/served-elsewhere.ts";
import { type EngineOptions, EngineSession } from "../../../src/storage/engine/engine-session.ts";
import { StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

let data: SimulatedData;
const sessions: EngineSession[] = [];

beforeEach(() => {
  data = new SimulatedData({ format: FORMAT_VERSION });
});

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.leave();
});

const join = async (options: Partial<EngineOptions> = {}) => {
  const engine = new SimulatedEngine(data);
  const session = await EngineSession.join(engine, { version: "1.2.3", ...options });
  sessions.push(session);
  return session;
};

/** Makes a world that is due at an instant. */
const made = async (session: EngineSession, name: string, dueAtMs?: number) => {
  await session.create(name);
  const world = data.worlds.get(name);
  if (world) world.dueAtMs = dueAtMs;
};

/** Ends the lease of a process by the engine's clock. */
const endLease = (id: string) => {
  const process = data.processes.get(id);
  if (process) process.untilMs = data.nowMs;
};

const STOPPED = { seq: 0, atMs: 7, mode: "manual", offsetMs: 0 };

const stop = (name: string) => {
  const world = data.worlds.get(name);
  if (world) Object.assign(world, { owner: undefined, summary: JSON.stringify(STOPPED) });
};

test("two processes of a store have its key and format, and an id each", async () => {
  const [one, other] = [await join(), await join()];
  expect(one.shared.key).toHaveLength(32);
  expect(other.shared.key).toEqual(one.shared.key);
  expect(one.shared.format).toBe(FORMAT_VERSION);
  expect(one.shared.process).toMatch(/^sim-[0-9a-f]{8}$/);
  expect(other.shared.process).not.toBe(one.shared.process);
});

test("another store has another key", async () => {
  const one = await join();
  data = new SimulatedData({ format: FORMAT_VERSION });
  expect((await join()).shared.key).not.toEqual(one.shared.key);
});

test("processes are listed with peer and lease, this one too", async () => {
  const one = await join({ peer: "10.0.0.7:4748", leaseMs: 1_000 });
  const other = await join();
  await one.create("sandbox");
  const known = { knows: FORMAT_VERSION, version: "1.2.3", loaded: 0 };
  expect(await other.shared.processes()).toEqual([
    { id: one.shared.process, peer: "10.0.0.7:4748", ...known, leaseLeftMs: 1_000 },
    { id: other.shared.process, ...known, leaseLeftMs: 5_000 },
  ]);
});

test("a world has the process that serves it as its owner, whoever asks", async () => {
  const one = await join({ peer: "10.0.0.7:4748" });
  const other = await join();
  await one.create("a");
  await other.create("b");
  const [oneRow, otherRow] = await one.shared.processes();
  for (const { shared } of [one, other]) {
    expect(await shared.find("a")).toEqual({ name: "a", summary: undefined, owner: oneRow });
    expect(await shared.worlds()).toEqual([
      { name: "a", summary: undefined, owner: oneRow },
      { name: "b", summary: undefined, owner: otherRow },
    ]);
  }
});

test("a world that was stopped has no owner, and says how it was then", async () => {
  const session = await join();
  await session.create("a");
  stop("a");
  expect(await session.shared.find("a")).toEqual({ name: "a", summary: STOPPED });
});

test("an owner whose lease has ended is no owner", async () => {
  const [one, other] = [await join(), await join()];
  await one.create("a");
  endLease(one.shared.process);
  expect(await other.shared.find("a")).toEqual({ name: "a", summary: undefined });
  expect(await other.shared.worlds()).toEqual([{ name: "a", summary: undefined }]);
});

test("an owner that is not listed is no owner", async () => {
  const [one, other] = [await join(), await join()];
  await one.create("a");
  data.processes.delete(one.shared.process);
  expect(await other.shared.find("a")).toEqual({ name: "a", summary: undefined });
});

test("an unknown name and an unknown caller are found nowhere", async () => {
  const { shared } = await join();
  expect(await shared.find("absent")).toBeUndefined();
  expect(await shared.maker("token:absent")).toBeUndefined();
  expect(await shared.worlds()).toEqual([]);
});

test("the maker of a caller is found, served or not", async () => {
  const [one, other] = [await join(), await join()];
  await one.create("a");
  data.worlds.get("a")?.callers.add("token:x");
  expect(await other.shared.maker("token:x")).toBe("a");
  stop("a");
  expect(await other.shared.maker("token:x")).toBe("a");
});

test("due are the worlds that nobody serves, the longest due first", async () => {
  const [one, other] = [await join(), await join()];
  const { nowMs } = data;
  await made(one, "later", nowMs + 1);
  await made(one, "second", nowMs - 1);
  await made(one, "first", nowMs - 2);
  await made(one, "none");
  await made(other, "served", nowMs - 3);
  expect(await other.shared.due(20)).toEqual([]);
  endLease(one.shared.process);
  expect(await other.shared.due(20)).toEqual(["first", "second"]);
  expect(await other.shared.due(1)).toEqual(["first"]);
});

test("who takes a world of another process hears where that one is reached", async () => {
  const [one, other] = [await join({ peer: "10.0.0.7:4748", leaseMs: 2_000 }), await join()];
  await one.create("a");
  const refused = await other.take("a").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServedElsewhere);
  expect(refused).toMatchObject({
    world: "a",
    owner: one.shared.process,
    peer: "10.0.0.7:4748",
    leaseLeftMs: 2_000,
  });
});

test("a store that does not answer is trouble, not an empty list", async () => {
  const { shared } = await join();
  data.awayForActs = 5;
  for (const look of [
    () => shared.find("a"),
    () => shared.worlds(),
    () => shared.maker("a"),
    () => shared.due(1),
    () => shared.processes(),
  ])
    await expect(look()).rejects.toThrow(StoreTrouble);
});

test("a process that lost its lease joins again as another one, and takes worlds", async () => {
  const one = await join({ leaseMs: 40 });
  const other = await join();
  await made(one, "a");
  const before = one.shared.process;
  endLease(before);
  await other.take("a");
  await expect.poll(() => one.shared.process).not.toBe(before);
  await expect(one.take("a")).rejects.toThrow(ServedElsewhere);
  endLease(other.shared.process);
  expect((await one.take("a"))?.facts.name).toBe("a");
  expect(data.worlds.get("a")?.owner).toBe(one.shared.process);
  expect(one.trouble()).toBeUndefined();
});
