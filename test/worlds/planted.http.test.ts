import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { StateLocked } from "../../src/simulator.ts";
import { AttemptLimiter } from "../../src/webhooks/attempt-limiter.ts";
import { RunningWorld } from "../../src/worlds/running-world.ts";
import { WorldsOfProcess } from "../../src/worlds/worlds.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

afterEach(() => vi.restoreAllMocks());

const storageFor = () => {
  const directory = mkdtempSync(join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return `file:${directory}` as const;
};

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("a fork sends no delivery of its origin, and fires no retry of it", async () => {
  const receiver = await new Receiver().start();
  const world = await startTestSimulator({ webhookEndpoint: receiver.url });
  try {
    receiver.behaviour = (_event, response) => {
      response.statusCode = 500;
      response.end();
    };
    await world.call("POST", "/customers", { customerType: "INDIVIDUAL", kycStatus: "APPROVED" });
    const { body } = await world.call("GET", "/customers/internal-accounts");
    await world.call("POST", `/sandbox/internal-accounts/${body.data[0].id}/fund`, { amount: 100 });
    await world.control("POST", "/clock/advance", { by: "1s" });
    const before = receiver.received.length;
    expect(before).toBeGreaterThan(0);
    await world.control("POST", "/worlds", { name: "fork" });
    await world.control("POST", "/clock/advance?world=fork", { by: "40d" });
    expect(receiver.received).toHaveLength(before);
    const shown = await world.control("GET", "/webhooks?world=fork");
    const states = shown.body.data.map(({ state }: { state: string }) => state);
    expect(new Set(states)).toEqual(new Set(["FORKED"]));
    await world.control("POST", "/clock/advance", { by: "1d" });
    expect(receiver.received.length).toBeGreaterThan(before);
  } finally {
    await world.sim.close();
    await receiver.stop();
  }
});

test("a world that sends leaves the room that it does not take to the next in line", async () => {
  const passed = vi.spyOn(AttemptLimiter.prototype, "release");
  const world = await startTestSimulator();
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await world.control("POST", "/clock/advance", { by: "1s" });
  expect(passed).toHaveBeenCalled();
  await world.sim.close();
});

test("a world on file storage that is made while one of its name is removed is a new one", async () => {
  const storage = storageFor();
  const world = await startTestSimulator({ storage });
  expect((await world.control("POST", "/worlds", { name: "a" })).status).toBe(201);
  const [removed, made] = await Promise.all([
    world.control("DELETE", "/worlds/a"),
    world.control("POST", "/worlds", { name: "a" }),
  ]);
  expect([removed.status, made.status]).toEqual([204, 201]);
  await world.sim.close();
  const again = await startTestSimulator({ storage });
  const { body } = await again.control("GET", "/worlds");
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["sandbox", "a"]);
  expect(again.alarms).toEqual([]);
  await again.sim.close();
});

test("the directory stays locked until every world in it is closed", async () => {
  const storage = storageFor();
  const world = await startTestSimulator({ storage });
  await world.control("POST", "/worlds", { name: "slow" });
  const whole = WorldsOfProcess.prototype.close;
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  vi.spyOn(WorldsOfProcess.prototype, "close").mockImplementation(async function (
    this: WorldsOfProcess,
  ) {
    await gate;
    await whole.call(this);
  });
  const closed = world.sim.close();
  await turns(200);
  await expect(startTestSimulator({ storage })).rejects.toThrow(StateLocked);
  go();
  await closed;
  await (await startTestSimulator({ storage })).sim.close();
});

const refusing = () => {
  const whole = RunningWorld.prototype.close;
  vi.spyOn(RunningWorld.prototype, "close").mockImplementation(function (
    this: RunningWorld,
    ...given
  ) {
    return this.name === "sandbox"
      ? whole.apply(this, given)
      : whole.apply(this, given).then(() => Promise.reject(new Error("the disk is full")));
  });
};

const withoutUnhandled = async (work: () => Promise<unknown>) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    await work();
    await turns(5);
  } finally {
    process.off("unhandledRejection", note);
  }
  expect(unhandled).toEqual([]);
};

test("worlds that cannot be closed fail the close, which closes all others first", async () => {
  refusing();
  const world = await startTestSimulator();
  for (const name of ["a", "b", "c"]) await world.control("POST", "/worlds", { name });
  await withoutUnhandled(() => expect(world.sim.close()).rejects.toThrow("the disk is full"));
});

test("an idle world that cannot be closed is an alarm, and no crash", async () => {
  const world = await startTestSimulator();
  await world.control("POST", "/worlds", { name: "a" });
  refusing();
  const { worlds } = world.sim as unknown as { worlds: WorldsOfProcess };
  await withoutUnhandled(() => worlds.sweep(hostTime.monotonicMs() + 11 * 60_000));
  expect(world.alarms).toEqual(["the world a was not closed: the disk is full"]);
  vi.restoreAllMocks();
  await world.sim.close();
});

test("a world that is still being made is closed with the others", async () => {
  const made: RunningWorld[] = [];
  const whole = RunningWorld.prototype.fork;
  vi.spyOn(RunningWorld.prototype, "fork").mockImplementation(async function (
    this: RunningWorld,
    birth,
  ) {
    await turns(100);
    const world = await whole.call(this, birth);
    made.push(world);
    return world;
  });
  const world = await startTestSimulator();
  const { worlds } = world.sim as unknown as { worlds: WorldsOfProcess };
  const creating = worlds.create({ name: "late" });
  await world.sim.close();
  expect((await creating).closing.aborted).toBe(true);
  expect(made).toHaveLength(1);
});
