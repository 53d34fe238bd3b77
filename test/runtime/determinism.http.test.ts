import { copyFileSync, readFileSync } from "node:fs";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { machineWall } from "../../src/runtime/ports.ts";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { until } from "./setup/turns.ts";

afterEach(() => vi.restoreAllMocks());

const start = async (options: SimulatorOptions) => {
  const world = await startTestSimulator(options);
  onTestFinished(() => world.sim.close());
  return world;
};

/** Payments with three outcomes, a refusal, and enough time for all of them. */
const pay = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  for (const suffix of ["003", "005", "999"]) {
    const payee = await createPayee(world, payer.customerId, suffix);
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.call("POST", `/quotes/${body.id}/execute`);
    await world.call("POST", `/quotes/${body.id}/execute`); // refused: it is executed already
  }
  await world.sim.advance("10s");
  await world.sim.advance("10m");
};

/** The journal of the same calls in a directory with the identity of `like`. */
const journalOf = async (like?: StateDirectory) => {
  const directory = new StateDirectory();
  onTestFinished(() => directory.remove());
  if (like) directory.asFirstWorld();
  if (like) copyFileSync(like.world("identity.json"), directory.world("identity.json"));
  const world = await start({ storage: directory.url });
  await pay(world);
  await world.sim.close();
  return { directory, bytes: readFileSync(directory.segment("1-1"), "utf8") };
};

test("the same seed and the same calls write the same bytes, on any day", async () => {
  const first = await journalOf();
  vi.spyOn(machineWall, "nowMs").mockImplementation(() => Date.now() + 86_400_000);
  const second = await journalOf(first.directory);
  expect(second.bytes).toBe(first.bytes);
  expect(first.bytes.split("\n").length).toBeGreaterThan(15);
});

/** Event ids and bytes that a receiver gets, per resource in order. */
const eventsOf = async (seed: string) => {
  const world = await start({ seed });
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await pay(world);
  return receiver.received.map(({ id, body, data }) => ({ lane: data.id ?? id, id, body }));
};

test("the number of failed attempts does not change later ids", async () => {
  const customers: string[] = [];
  for (const attempts of [0, 1]) {
    const world = await start({});
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    receiver.behaviour = (_event, response) => void response.writeHead(500).end();
    const payer = await createPayer(world);
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
    await world.call("POST", path, { amount: 1 });
    await until("the attempts", async () => {
      const { body } = await world.control("GET", "/webhooks");
      return attempts === 0 || body.data[0].state === "RETRYING";
    });
    const { body } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    customers.push(body.id);
  }
  expect(customers[1]).toBe(customers[0]);
});

type Sent = Awaited<ReturnType<typeof eventsOf>>;

/** Lanes may overtake each other; the order within a lane is fixed, and a stable sort keeps it. */
const byLane = (events: Sent) =>
  events.toSorted((a, b) => Number(a.lane > b.lane) - Number(a.lane < b.lane));

test("the same seed and the same calls send the same events, another seed sends others", async () => {
  const [first, second, other] = [await eventsOf("a"), await eventsOf("a"), await eventsOf("b")];
  expect(byLane(second)).toEqual(byLane(first));
  const ids = new Set(first.map(({ id }) => id));
  expect(other).toHaveLength(first.length);
  expect(other.filter(({ id }) => ids.has(id))).toEqual([]);
});
