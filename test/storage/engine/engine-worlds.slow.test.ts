import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FORMAT_VERSION } from "../../../src/runtime/change.ts";
import { machineWall } from "../../../src/runtime/ports.ts";
import { EngineSession } from "../../../src/storage/engine/engine-session.ts";
import { openFirstIn } from "../../../src/storage/open-world.ts";
import { NameTaken } from "../../../src/storage/port/store-trouble.ts";
import type { WorldHandle } from "../../../src/storage/world/world-handle.ts";
import { act, imageOf } from "../../runtime/setup/random-world.ts";
import { CAUSE, stepsOf, turned } from "../setup/disk-world.ts";
import type { ActName } from "./engine-faults.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

let data: SimulatedData;
let session: EngineSession;
let other: EngineSession;
let world: WorldHandle;
/** Acts of the first process that wait until a test lets them continue. */
const held = new Map<ActName, { promise: Promise<void>; open(): void }>();

const hold = (name: ActName) => {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  held.set(name, { promise, open });
};

const open = (name: ActName) => {
  held.get(name)?.open();
  held.delete(name);
};

const joined = (schedule?: (name: ActName) => Promise<void>) =>
  EngineSession.join(new SimulatedEngine(data, schedule && { schedule }), { version: "1.2.3" });

const opened = async () => {
  const identity = { clockMode: "manual", seed: "s", clientSecret: "secret" } as const;
  world = await openFirstIn(session, { wall: machineWall, identity });
  if (world.isNew) world.reset();
};

const durable = () => world.engine.journal.reached(world.engine.state.seq);

const change = async (count: number, from = 0) => {
  for (const step of stepsOf(count, from)) world.engine.commit(act, step, CAUSE);
  await durable();
};

const names = () => world.points.list().map(({ name }) => name);

const ownerOf = (name: string) => data.worlds.get(name)?.owner;

beforeEach(async () => {
  data = new SimulatedData({ format: FORMAT_VERSION });
  session = await joined(async (name) => held.get(name)?.promise);
  other = await joined();
  await opened();
  await change(5);
});

afterEach(async () => {
  for (const name of [...held.keys()]) open(name);
  await world.close();
  await other.leave();
});

const MAY_BE_DONE = { trouble: { seen: "The store has not answered for 2 s", mayBeDone: true } };

describe("a caller waits for 2 s, and what was sent is settled behind its back", () => {
  test("a fork that was made late is nobody's: another process has it at once", async () => {
    hold("write");
    await expect(world.fork({ name: "f", clientId: "sandbox+f" })).rejects.toMatchObject(
      MAY_BE_DONE,
    );
    expect(data.worlds.has("f")).toBe(false);
    open("write");
    await expect.poll(() => data.worlds.get("f")).toMatchObject({ owner: undefined, fence: 2 });
    expect((await other.take("f"))?.facts).toEqual({ name: "f", from: "sandbox" });
    await change(2);
  });

  test("a snapshot that was kept late is listed, and can be loaded", async () => {
    hold("write");
    await expect(world.points.save("p")).rejects.toMatchObject(MAY_BE_DONE);
    expect(names()).toEqual([]);
    const image = imageOf(world.engine.state);
    open("write");
    await expect.poll(names).toEqual(["p"]);
    expect(imageOf((await world.points.load("p"))!).records).toEqual(image.records);
    await change(2);
  });

  test("a snapshot that was removed late is gone", async () => {
    await world.points.save("p");
    hold("write");
    await expect(world.points.remove("p")).rejects.toMatchObject(MAY_BE_DONE);
    expect(names()).toEqual(["p"]);
    open("write");
    await expect.poll(names).toEqual([]);
    expect(await world.points.load("p")).toBeUndefined();
    expect(await world.points.remove("p")).toBe(false);
  });

  test("a write behind it is not sent once nobody waits for it", async () => {
    hold("write");
    const first = world.points.save("p");
    const second = world.points.save("q");
    await expect(first).rejects.toMatchObject(MAY_BE_DONE);
    await expect(second).rejects.toMatchObject({ trouble: { mayBeDone: false } });
    open("write");
    await expect.poll(names).toEqual(["p"]);
    await world.points.save("r");
    expect(names()).toEqual(["p", "r"]);
  });

  /** Takes the world to its only snapshot, three changes ago. */
  const switched = async () => {
    await world.points.save("p");
    await change(3, 5);
    const state = await world.points.load("p");
    hold("write");
    const { seq } = world.engine.state;
    await expect(world.points.switchTo(turned(world, state!))).rejects.toMatchObject(MAY_BE_DONE);
    // Until it is known where it continues, it is read as it was, and takes no writes.
    expect(world.engine.state.seq).toBe(seq);
    expect(() => world.engine.requireWritable()).toThrow("UNAVAILABLE");
    await durable();
    return { seq, past: state!.seq };
  };

  test("a rewind that was done late takes the world there, and it goes on", async () => {
    const { past } = await switched();
    open("write");
    await expect.poll(() => world.engine.readOnlyBecause).toBeUndefined();
    expect(world.engine.state.seq).toBe(past);
    await change(2, 9);
    const image = imageOf(world.engine.state);
    await world.close();
    session = await joined();
    await opened();
    expect(imageOf(world.engine.state)).toEqual(image);
  });

  test("a rewind that was refused late leaves the world where it was", async () => {
    const { seq } = await switched();
    data.readOnlyForActs = 1;
    open("write");
    await expect.poll(() => world.engine.readOnlyBecause).toBeUndefined();
    expect(world.engine.state.seq).toBe(seq);
    await change(2, 9);
    expect(data.worlds.get("sandbox")?.seq).toBe(seq + 2);
  });
});

test("a fork whose name another process has taken is refused as one that is there", async () => {
  await other.create("f");
  await expect(world.fork({ name: "f", clientId: "sandbox+f" })).rejects.toThrow(
    new NameTaken("f"),
  );
  expect(ownerOf("f")).toBe(other.shared.process);
  await change(1);
});

describe("a world that is given back without facts of its stop", () => {
  test("is free at once, is due as it was, and claims no clean stop", async () => {
    const given = await session.create("w");
    Object.assign(data.worlds.get("w") ?? {}, { dueAtMs: 7 });
    await given.release({ documents: [] });
    expect(data.worlds.get("w")).toMatchObject({
      owner: undefined,
      summary: undefined,
      dueAtMs: 7,
    });
    expect((await other.take("w"))?.facts).toEqual({ name: "w" });
  });

  test("stays with the process that has taken it meanwhile", async () => {
    const given = await session.create("w");
    Object.assign(data.worlds.get("w") ?? {}, { owner: undefined });
    await other.take("w");
    await given.release({ documents: [] });
    expect(ownerOf("w")).toBe(other.shared.process);
  });

  test("is given back without a word while the store is away", async () => {
    const given = await session.create("w");
    data.awayForActs = 1;
    await given.release({ documents: [] });
    expect(ownerOf("w")).toBe(session.shared.process);
  });
});
