import { expect, test } from "vitest";
import type { WorldRecording } from "../../src/contract/control/recordings.ts";
import { nextTurn } from "../../src/machine/host-time.ts";
import { createSimulator, type Simulator } from "../../src/simulator.ts";
import { Receiver } from "../setup/receiver.ts";
import { replayed } from "./setup/live-run.ts";

const person = { customerType: "INDIVIDUAL" } as const;

const opened = async <Done>(work: (sim: Simulator) => Promise<Done>): Promise<Done> => {
  const sim = await createSimulator({ seed: "7", clock: "manual" });
  try {
    return await work(sim);
  } finally {
    await sim.close();
  }
};

const recordingOf = async (sim: Simulator, world: string): Promise<WorldRecording> => {
  const response = await sim.fetch(new Request(`${sim.controlUrl}/worlds/${world}/recording`));
  return response.json();
};

const refusedIn = (sim: Simulator) =>
  expect(sim.call.getQuote({ params: { quoteId: "Quote:none" } })).rejects.toThrow();

/** Makes an account, which has one webhook each time it is funded. */
const funded = async ({ call }: Simulator) => {
  const { id: customerId } = await call.createCustomer({ body: person });
  const accounts = await call.listCustomerInternalAccounts({
    query: { customerId, currency: "USD" },
  } as never);
  const accountId = (accounts as { data: { id: string }[] }).data[0]?.id as string;
  return () => call.fundInternalAccount({ params: { accountId }, body: { amount: 100 } });
};

/** Makes calls with more than 4 MiB: the recording of the world is let go. */
const runOver = async (sim: Simulator) => {
  for (let count = 0; count < 5; count += 1)
    await sim.call.createCustomer({ body: { note: "x".repeat(900_000) } } as never).catch(() => {});
};

// spec/capsules.md#recordings-of-worlds
test("a world that is forked for every test keeps its recording, and each fork has its own", async () => {
  const { last, template } = await opened(async (sim) => {
    const template = await sim.fork("tpl");
    await template.call.createCustomer({ body: person });
    for (let count = 0; count < 300; count += 1) {
      const fork = await template.fork(`t-${count}`);
      await refusedIn(fork);
      await fork.close();
    }
    return { last: await recordingOf(sim, "t-299"), template: await recordingOf(sim, "tpl") };
  });
  expect(last).toMatchObject({ calls: 1, refused: [{ code: "QUOTE_NOT_FOUND" }] });
  expect(await replayed(last.capsule ?? "")).toEqual({ requests: 1 });
  expect(template).toMatchObject({ calls: 901, capsule: expect.any(String) });
});

// spec/capsules.md#recordings-of-worlds
test("a world whose forks ran over 4 MiB keeps its own recording, and makes them all the same", async () => {
  const { capsule = "", calls } = await opened(async (sim) => {
    const mine = await sim.fork("mine");
    for (const name of ["long", "short"]) {
      const fork = await mine.fork(name);
      await (name === "long" ? runOver(fork) : refusedIn(fork));
      await fork.fork(`of-${name}`);
    }
    await mine.call.createCustomer({ body: person });
    return recordingOf(sim, "mine");
  });
  expect(calls).toBe(5);
  expect(await replayed(capsule)).toEqual({ requests: 5 });
});

// spec/capsules.md#recordings-of-worlds
test("unnamed forks have their names again, also where one is made twice", async () => {
  const { capsule = "" } = await opened(async (sim) => {
    const mine = await sim.fork("mine");
    for (let count = 0; count < 3; count += 1) {
      const fork = await mine.fork();
      await refusedIn(fork);
      const again = await mine.fork("again");
      await refusedIn(again);
      await again.close();
    }
    return recordingOf(sim, "mine");
  });
  expect(await replayed(capsule)).toEqual({ requests: 13 });
});

// spec/capsules.md#recordings-of-worlds
test.each(["there", "removed"])(
  "a world %s tells its last refused calls and webhooks beyond 4 MiB",
  async (how) => {
    const told = await opened(async (sim) => {
      const mine = await sim.fork("mine");
      await (await funded(mine))();
      await runOver(mine);
      await refusedIn(mine);
      if (how === "removed") await mine.close();
      return recordingOf(sim, "mine");
    });
    expect(told.capsule).toBeUndefined();
    expect(told.left).toMatch(/^its run is over 4 MiB/);
    expect(told.calls).toBe(9);
    expect(told.refused.at(-1)).toMatchObject({ code: "QUOTE_NOT_FOUND" });
    expect(told.refused).toHaveLength(5);
    expect(told.webhooks).toMatchObject([{ type: "INTERNAL_ACCOUNT.BALANCE_UPDATED" }]);
  },
);

// spec/capsules.md#recordings-of-worlds
test("long answers of receivers to which nothing is decided are no part of it", async () => {
  const receiver = await new Receiver().start();
  receiver.behaviour = (_event, response) => void response.end("y".repeat(60_000));
  const { capsule = "" } = await opened(async (sim) => {
    const mine = await sim.fork("mine");
    await mine.call.patchConfig({ body: { webhookEndpoint: receiver.url } } as never);
    const fund = await funded(mine);
    for (let count = 0; count < 100; count += 1) await fund();
    await mine.advance("1s");
    return recordingOf(sim, "mine");
  });
  await receiver.stop();
  expect(receiver.received.length).toBeGreaterThan(90);
  expect(capsule.length).toBeLessThan(1_000_000);
  expect(await replayed(capsule)).toEqual({ requests: 104 });
});

// spec/capsules.md#recordings-of-worlds
test.each([
  "/customers/_sim/capsule",
  "/x/_sim/worlds/mine/recording",
  "/customers?tag=/_sim/worlds",
])("a platform call of %s is one like any other", async (path) => {
  const { capsule = "" } = await opened(async (sim) => {
    const mine = await sim.fork("mine");
    await mine.advance("1s");
    const token = Buffer.from(`${mine.clientId}:${mine.clientSecret}`).toString("base64");
    const headers = { authorization: `Basic ${token}` };
    await mine.fetch(new Request(`${mine.apiUrl}${path}`, { headers }));
    await mine.call.createCustomer({ body: person });
    return recordingOf(sim, "mine");
  });
  expect(await replayed(capsule)).toEqual({ requests: 3 });
});

test("a query that names the control surface takes no reading of an earlier step of the clock", async () => {
  const capsule = await opened(async (sim) => {
    await sim.advance("1s");
    const before = Date.now();
    while (Date.now() - before < 2) await nextTurn();
    const token = Buffer.from(`${sim.clientId}:${sim.clientSecret}`).toString("base64");
    const headers = { authorization: `Basic ${token}` };
    await sim.fetch(new Request(`${sim.apiUrl}/customers?tag=/_sim/worlds`, { headers }));
    return (await recordingOf(sim, "sandbox")).capsule ?? "";
  });
  const line = capsule.split("\n").find((one) => one.includes("tag=/_sim/")) ?? "";
  const { w, e } = JSON.parse(line.slice(line.indexOf("{")));
  expect(e - w).toBeGreaterThanOrEqual(0);
});

test("the removal of a world by a damaged address is refused and no more", async () => {
  await opened(async (sim) => {
    const address = `${sim.controlUrl}/worlds/%zz`;
    const { status } = await sim.fetch(new Request(address, { method: "DELETE" }));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});
