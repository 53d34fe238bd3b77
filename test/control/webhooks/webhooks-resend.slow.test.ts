import { expect, test } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import {
  allEnded,
  BALANCE_UPDATED,
  deadUrl,
  deliveries,
  fund,
  greetedPerTest,
  openAccount,
} from "../../webhooks/setup/greeted.ts";

const { world, account } = greetedPerTest();

const resend = (id: string) => world().control("POST", `/webhooks/${id}/resend`);

const show = async (id: string) => (await world().control("GET", `/webhooks/${id}`)).body;

/** Sets the receiver's answer from now on. */
const answer = (status: number, text = "") => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(status).end(text);
  };
};

/** An event about the account, sent as far as it goes. */
const send = async () => {
  await fund(world(), account());
  await allEnded(world());
  return (await deliveries(world(), BALANCE_UPDATED)).at(-1);
};

test("an accepted one is sent again: same id, bytes and signature, still accepted", async () => {
  const { id } = await send();
  answer(202, "thanks");
  const { status, body } = await resend(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    status: 202,
    state: "ACCEPTED",
    attempt: 2,
    reply: "thanks",
    tookMs: expect.any(Number),
  });
  const [first, second] = world().receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.signature).toBe(first?.signature);
  expect(world().receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
  expect((await show(id)).attempts.map(({ status }: Parsed) => status)).toEqual([200, 202]);
});

test("an ended one stays as it ended, whatever the answer, and is not retried", async () => {
  const { id } = await send();
  answer(500, "db down");
  expect((await resend(id)).body).toMatchObject({
    status: 500,
    state: "ACCEPTED",
    reply: "db down",
  });
  await world().sim.advance("1h");
  expect(world().receiver.received).toHaveLength(2);
  expect(await show(id)).toMatchObject({ state: "ACCEPTED", attempt: 2 });
});

test("one that nobody answers says why", async () => {
  const { id } = await send();
  await world().call("PATCH", "/config", { webhookEndpoint: await deadUrl() });
  expect((await resend(id)).body).toMatchObject({ id, status: null, error: "ECONNREFUSED" });
});

test("an undeliverable one can be sent once there is an endpoint", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  const { id } = await send();
  const refused = await resend(id);
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    code: "WEBHOOK_ENDPOINT_NOT_SET",
    next: ["service-sim webhooks endpoint http://127.0.0.1:3000      sets one"],
  });
  await world().call("PATCH", "/config", { webhookEndpoint: world().receiver.url });
  await allEnded(world());
  expect((await resend(id)).body).toMatchObject({ status: 200, state: "ACCEPTED" });
  expect(world().receiver.received.map(({ type }) => type)).toContain(BALANCE_UPDATED);
});

test("one that waits for its retry is accepted by it, and its lane continues", async () => {
  answer(500);
  const { id } = await send();
  await fund(world(), account());
  answer(200);
  expect((await resend(id)).body).toMatchObject({ status: 200, state: "ACCEPTED" });
  await allEnded(world());
  expect((await deliveries(world(), BALANCE_UPDATED)).map(({ state }: Parsed) => state)).toEqual([
    "ACCEPTED",
    "ACCEPTED",
  ]);
  const { body } = await world().control("GET", "/timers");
  expect(body.data).toEqual([]);
});

test("one that waits for its retry and fails again is retried when it would have been", async () => {
  answer(500);
  const { id } = await send();
  const before = await show(id);
  expect((await resend(id)).body).toMatchObject({ status: 500, state: "RETRYING", attempt: 2 });
  expect((await show(id)).nextAttemptAt).toBe(before.nextAttemptAt);
  answer(200);
  await world().sim.advance("1s");
  expect(await show(id)).toMatchObject({ state: "ACCEPTED", attempt: 3 });
});

test("it does not wait for its lane", async () => {
  const { id } = await send();
  answer(500);
  await fund(world(), account());
  await allEnded(world());
  answer(200);
  expect((await resend(id)).body).toMatchObject({ status: 200 });
  expect((await deliveries(world(), BALANCE_UPDATED)).at(-1).state).toBe("RETRYING");
});

test("an advance waits for it", async () => {
  const { id } = await send();
  let release = () => {};
  world().receiver.behaviour = (_event, response) =>
    new Promise((resolve) => {
      release = () => {
        response.end();
        resolve();
      };
    });
  const resent = resend(id);
  while (world().receiver.received.length < 2) await new Promise((next) => setImmediate(next));
  let isOver = false;
  const advance = world()
    .sim.advance("1s")
    .then((report) => {
      isOver = true;
      return report;
    });
  for (let turns = 0; turns < 20; turns += 1) await new Promise((next) => setImmediate(next));
  expect(isOver).toBe(false);
  release();
  expect(await advance).toMatchObject({ complete: true });
  expect((await resent).body.status).toBe(200);
});

test("nothing like it is 404", async () => {
  const { status, body } = await resend("0000aa");
  expect({ status, code: body.error.code }).toEqual({ status: 404, code: "ID_NOT_FOUND" });
});

test("signed again it has another signature, of the same bytes", async () => {
  const { id } = await send();
  const again = await world().control("POST", `/webhooks/${id}/resend`, { resign: true });
  expect(again.body).toMatchObject({ id, status: 200, attempt: 2 });
  const [first, second] = world().receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.signature).not.toBe(first?.signature);
  expect(world().receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
});

const ids = async (query: string) =>
  (await world().control("GET", `/webhooks/ids?${query}`)).body.data as string[];

test("ids from one to another are oldest first, both ends among them", async () => {
  for (let count = 0; count < 4; count += 1) await send();
  const all = (await deliveries(world(), BALANCE_UPDATED)).map(({ id }: Parsed) => id).sort();
  expect(await ids(`from=${all[1]}&to=${all[2]}`)).toEqual([all[1], all[2]]);
  expect(await ids(`from=${all[2]}`)).toEqual([all[2], all[3]]);
  expect(await ids(`from=${all[3]}&to=${all[3]}`)).toEqual([all[3]]);
  expect((await ids("")).slice(-4)).toEqual(all);
});

test("ids that stand the other way round, or nowhere, are refused", async () => {
  await send();
  await send();
  const [older, newer] = (await deliveries(world(), BALANCE_UPDATED))
    .map(({ id }: Parsed) => id)
    .sort();
  const wrong = await world().control("GET", `/webhooks/ids?from=${newer}&to=${older}`);
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
  const none = await world().control("GET", "/webhooks/ids?from=0000aa");
  expect(none).toMatchObject({ status: 404, body: { error: { code: "ID_NOT_FOUND" } } });
});

test("those that failed were given up, wait for a retry, or had no endpoint", async () => {
  await send();
  answer(500);
  await send();
  await world().sim.advance("8d");
  await send();
  expect((await Promise.all((await ids("failed=true")).map(show))).at(-1)?.state).toBe("RETRYING");
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  await openAccountAndFund();
  const states = (await Promise.all((await ids("failed=true")).map(show))).map(
    ({ state }) => state,
  );
  // The delivery that waited for its retry has no endpoint any longer either.
  expect(states).toEqual(["GIVEN_UP", "UNDELIVERABLE", "UNDELIVERABLE"]);
});

/** An event in a lane in which none waits. */
const openAccountAndFund = async () => {
  const opened = await openAccount(world());
  await world().call("POST", `/sandbox/internal-accounts/${opened}/fund`, { amount: 1 });
};
