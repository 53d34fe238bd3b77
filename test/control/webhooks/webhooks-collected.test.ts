import { expect, test } from "vitest";
import { formatWebhook } from "../../../src/cli/commands/webhooks/show.ts";
import { simulatorPerTest } from "../../api/setup/world-per-test.ts";
import { styleOn } from "../../cli/setup/styles.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { Parsed } from "../../setup/test-simulator.ts";

const world = simulatorPerTest();

const COMPLETED = "OUTGOING_PAYMENT.COMPLETED";

const wait = (query: string) => world().control("GET", `/webhooks/wait?${query}`);

const pay = async () => {
  const { customerId, accountId } = await createPayer(world());
  const payee = await createPayee(world(), customerId, "999");
  const { body } = await world().call("POST", "/quotes", quoteInput(accountId, payee));
  await world().call("POST", `/quotes/${body.id}/execute`);
  return body.transactionId as string;
};

// spec/webhooks.md#wait
test("a test needs no receiver: it waits for an event that happened before, and reads it", async () => {
  const transactionId = await pay();
  const { status, body } = await wait(`type=${COMPLETED}`);
  expect([status, body.count]).toEqual([200, 1]);
  const [webhook] = body.data;
  expect(webhook).toMatchObject({
    type: COMPLETED,
    about: transactionId,
    state: "UNDELIVERABLE",
    collected: true,
    attempt: 0,
  });
  const whole = (await world().control("GET", `/webhooks/${webhook.id}`)).body;
  expect(JSON.parse(whole.body)).toMatchObject({
    type: COMPLETED,
    timestamp: "2026-01-05T09:00:00.000Z",
    data: { id: transactionId, status: "COMPLETED" },
  });
  expect(whole.headers).toEqual({ "content-type": "application/json" });
  expect(formatWebhook(whole, await styleOn(false))).toEqual(
    expect.arrayContaining([
      `${webhook.id}    ${COMPLETED}    collected`,
      "attempts   none: not sent, no endpoint",
      "signature  none: not sent, no endpoint",
    ]),
  );
});

test("several of a type are counted; since leaves out those up to a webhook", async () => {
  await pay();
  const first = (await wait(`type=${COMPLETED}`)).body.data[0].id;
  const waiting = wait(`type=${COMPLETED}&since=${first}&timeout=20s`);
  const second = await pay();
  const { body } = await waiting;
  expect(body.data.map(({ about }: Parsed) => about)).toEqual([second]);
  expect((await wait(`type=${COMPLETED}&count=2`)).body.count).toBe(2);
  const newest = body.data[0].id.slice(-6);
  expect((await wait(`type=${COMPLETED}&since=${newest}&timeout=1ms`)).status).toBe(404);
});

test("since an instant counts events from that instant on", async () => {
  await pay();
  await world().sim.advance("1m");
  const later = await pay();
  const since = encodeURIComponent("2026-01-05T09:01:00Z");
  const { body } = await wait(`type=${COMPLETED}&since=${since}`);
  expect(body.data.map(({ about }: Parsed) => about)).toEqual([later]);
});

test("an unknown webhook to begin behind is refused", async () => {
  const { status, body } = await wait(`type=${COMPLETED}&since=Webhook:nothing&timeout=1ms`);
  expect([status, body.error.code]).toEqual([404, "ID_NOT_FOUND"]);
});

test("what does not come is told as not collected", async () => {
  const { body } = await wait(`type=${COMPLETED}&timeout=1ms`);
  expect(body.error.message).toBe(
    "Expected 1 × OUTGOING_PAYMENT.COMPLETED collected within 1ms but found 0",
  );
});
