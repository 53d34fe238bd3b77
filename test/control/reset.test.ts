import { afterEach, beforeEach, expect, test } from "vitest";
import { turn, until } from "../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { fund, type Greeted, openAccount, startGreeted } from "../webhooks/setup/greeted.ts";

let world: TestSimulator;
let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

const reset = () => world.control("POST", "/reset");

/** A payment on its way, six minutes and an hour after the start. */
const fill = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${body.id}/execute`);
  await world.sim.advance("1m");
  return { payer, payee, quote: body };
};

test("records, timers, outbox, ledger and clock are as at the start", async () => {
  world = await startTestSimulator();
  const pristine = await world.control("GET", "/status");
  const { quote } = await fill();
  const { status, body } = await reset();
  expect(status).toBe(200);
  expect(body).toEqual({
    world: "sandbox",
    fixture: "default",
    seed: "test",
    dropped: { records: expect.any(Number), timers: 1, webhooks: 4 },
  });
  const after = await world.control("GET", "/status");
  const kept = ({ now, timers, webhooks, ledger, seed }: typeof after.body) => ({
    now,
    timers,
    webhooks,
    ledger,
    seed,
  });
  expect(kept(after.body)).toEqual(kept(pristine.body));
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await world.call("GET", `/quotes/${quote.id}`)).status).toBe(404);
  expect((await world.control("GET", "/ledger")).body).toMatchObject({ totals: {}, postings: [] });
  await world.sim.advance("1h");
  expect((await world.control("GET", "/webhooks")).body.data).toEqual([]);
});

test("credentials, webhook key and control token stay", async () => {
  world = await startTestSimulator();
  const { clientId, clientSecret, webhookPublicKey, controlToken } = world.sim;
  await reset();
  expect(world.sim).toMatchObject({ clientId, clientSecret, webhookPublicKey, controlToken });
  expect((await world.control("GET", "/webhooks/key")).body).toBe(webhookPublicKey);
  expect((await world.call("GET", "/config")).status).toBe(200);
});

test("an id is never given out again, although the same calls are made", async () => {
  world = await startTestSimulator();
  const seen = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    const { payer, payee, quote } = await fill();
    const { body } = await world.control("GET", "/webhooks?limit=100");
    const ids = [
      payer.customerId,
      payer.accountId,
      payee,
      quote.id,
      quote.transactionId,
      ...body.data.map(({ id }: { id: string }) => id),
    ];
    expect(ids.filter((id) => seen.has(id))).toEqual([]);
    for (const id of ids) seen.add(id);
    await reset();
  }
  expect(seen.size).toBe(45);
});

test("the configuration is as at the start: no endpoint, nothing is sent any more", async () => {
  const greeted: Greeted = await startGreeted();
  world = greeted;
  greeted.receiver.behaviour = (_event, response) => void response.writeHead(500).end();
  await fund(world, await openAccount(world));
  await until("an attempt", () => greeted.attempts.length === 1);
  await reset();
  expect((await world.call("GET", "/config")).body).not.toHaveProperty("webhookEndpoint");
  await world.sim.advance("7d");
  expect(greeted.receiver.received).toHaveLength(1);
  await greeted.stop();
});

test("what comes of an attempt that was out is forgotten", async () => {
  const greeted: Greeted = await startGreeted();
  world = greeted;
  let answer = () => {};
  greeted.receiver.behaviour = (_event, response) => {
    answer = () => void response.end();
  };
  await fund(world, await openAccount(world));
  await until("an attempt", () => greeted.receiver.received.length === 1);
  await reset();
  answer();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(greeted.attempts).toEqual([]);
  expect((await world.control("GET", "/webhooks")).body.data).toEqual([]);
  await greeted.stop();
});

test("each reset draws a new branch", async () => {
  world = await startTestSimulator({ storage: directory.url });
  await reset();
  await reset();
  await world.sim.close();
  const text = directory
    .contents()
    .map(([, bytes]) => bytes)
    .join("");
  const branches = [...text.matchAll(/"opens":\{[^}]*"branch":(\d+)/g)].map(([, branch]) => branch);
  expect(branches).toEqual(["1", "2", "3"]);
});

test("a restart continues after the reset, not before it", async () => {
  world = await startTestSimulator({ storage: directory.url });
  const { payer } = await fill();
  await reset();
  const later = await createPayer(world, 700);
  await world.sim.close();
  world = await reopen(directory);
  const { body } = await world.call("GET", "/customers");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([later.customerId]);
  expect((await world.call("GET", `/customers/${payer.customerId}`)).status).toBe(404);
  const third = await createPayer(world);
  expect([payer.customerId, later.customerId]).not.toContain(third.customerId);
  expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:00:00.000Z");
});
