import { afterEach, beforeEach, expect, test } from "vitest";
import { endpointAddress } from "../../../src/contract/core/endpoint-address.ts";
import type { Rule } from "../../../src/domain/core/draft.ts";
import { emit } from "../../../src/domain/core/events.ts";
import { platformConfig } from "../../../src/domain/core/platform-config.ts";
import { createCustomer } from "../../../src/domain/customers/customers.ts";
import { receiveUmaPayment } from "../../../src/domain/payments/uma-receipts.ts";
import {
  recordAttempt,
  recordResend,
  recordUndeliverable,
} from "../../../src/domain/webhooks/delivery-consequences.ts";
import { CAUSE, openEngine } from "../../runtime/setup/test-engine.ts";

/** Deliveries that may wait in one world (spec/webhooks.md#retention). */
const MAX_OPEN = 10_000;

let world: ReturnType<typeof openEngine>;
let payment: string;
let request: string;

const setEndpoint: Rule<string, void> = (draft, webhookEndpoint) =>
  draft.put("PlatformConfig", {
    ...platformConfig(draft),
    webhookEndpoint: endpointAddress(webhookEndpoint),
  });

/** Events of one resource, decided by a row of another table. */
const emitMany: Rule<number, void> = (draft, count, moment) => {
  draft.decidedBy("quotedPayment.003");
  for (let done = 0; done < count; done += 1)
    emit(draft, moment, { type: "TEST", data: { id: "Transaction:other" } });
};

const commit = <Input, Reply>(rule: Rule<Input, Reply>, input: Input) =>
  world.engine.commit(rule, input, CAUSE);

const transaction = () => world.engine.state.get("Transaction", payment);
const delivery = () => world.engine.state.get("Delivery", request);

/** A payment whose request is not sent: the test plays its outcome. */
beforeEach(() => {
  world = openEngine("manual");
  commit(setEndpoint, "http://127.0.0.1:9/");
  const { reply: customer } = commit(createCustomer, { body: { customerType: "INDIVIDUAL" } });
  const asked = commit(receiveUmaPayment, {
    body: {
      senderUmaAddress: "$success.usd@sandbox.uma.test",
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 8_800,
      customerId: customer.id,
    },
  });
  payment = asked.reply.id;
  request = asked.events[0] as string;
});

afterEach(() => {
  expect(world.engine.stopped).toBeUndefined();
  world.engine.close();
});

const BROKEN = { status: "FAILED", failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" };

/** Fills the outbox until one more event is too many. */
const fillOutbox = () => {
  for (let left = MAX_OPEN - 1; left > 0; left -= 500) commit(emitMany, Math.min(500, left));
};

test("an outbox that gives up a request has room for the event of its failed payment", () => {
  fillOutbox();
  commit(emitMany, 1);
  expect(transaction()).toMatchObject(BROKEN);
  expect(world.engine.state.ids("Delivery", "byProgress", "open")).toHaveLength(MAX_OPEN);
});

test("an outbox that overflows before the request is sent fails the payment", () => {
  fillOutbox();
  expect(transaction()?.status).toBe("PENDING");
  commit(emitMany, 1);
  expect(delivery()).toMatchObject({ state: "GIVEN_UP", reason: "outbox full", attemptCount: 0 });
  expect(transaction()).toMatchObject(BROKEN);
  const told = world.journal.changes().at(-1);
  expect(told?.emit?.map(({ type }) => type)).toEqual(["TEST", "INCOMING_PAYMENT.FAILED"]);
  // The deciding row is that of the payment's rule, not that of the dropped delivery.
  expect(told?.row).toBe("quotedPayment.003");
  commit(emitMany, 1);
  expect(world.engine.state.ids("Delivery", "byProgress", "open")).toHaveLength(MAX_OPEN);
});

test("a later answer decides nothing", () => {
  fillOutbox();
  commit(emitMany, 1);
  const before = transaction();
  commit(recordAttempt, attempt(200));
  expect(transaction()).toBe(before);
  expect(delivery()).toMatchObject({ state: "ACCEPTED", attemptCount: 1 });
});

const attempt = (httpStatus: number) => ({
  deliveryId: request,
  atMs: 0,
  tookMs: 1,
  signature: "MEQ",
  httpStatus,
});

test("an attempt and what it decides are one change", () => {
  const before = world.journal.changes().length;
  commit(recordAttempt, attempt(403));
  const [change, ...more] = world.journal.changes().slice(before);
  expect(more).toEqual([]);
  expect(change?.put?.map(([kind]) => kind).sort()).toEqual([
    "Delivery",
    "DeliveryEnd",
    "Transaction",
  ]);
  expect(change).toMatchObject({
    row: "approval.403",
    emit: [{ type: "INCOMING_PAYMENT.FAILED" }],
  });
  expect(delivery()?.state).toBe("ACCEPTED");
  expect(transaction()?.status).toBe("REJECTED");
});

test("a second answer after a crash is one more attempt and decides nothing", () => {
  commit(recordAttempt, attempt(403));
  const decided = transaction();
  commit(recordAttempt, attempt(200));
  const before = world.journal.changes().length;
  commit(recordUndeliverable, { deliveryId: request });
  expect(world.journal.changes()).toHaveLength(before);
  expect(transaction()).toBe(decided);
  expect(delivery()).toMatchObject({ state: "ACCEPTED", attemptCount: 2 });
});

test("a redelivery accepted first decides; the attempt under way does not", () => {
  commit(recordResend, attempt(403));
  expect(transaction()?.status).toBe("REJECTED");
  commit(recordAttempt, attempt(500));
  expect(transaction()?.status).toBe("REJECTED");
  expect(delivery()).toMatchObject({ state: "ACCEPTED", attemptCount: 2 });
});

test("a redelivery that fails leaves the decision to the attempt", () => {
  commit(recordResend, attempt(500));
  expect(transaction()?.status).toBe("PENDING");
  expect(delivery()).toMatchObject({ state: "WAITING", attemptCount: 1 });
  commit(recordAttempt, attempt(403));
  expect(transaction()?.status).toBe("REJECTED");
});

test("a request without an endpoint fails the payment in the same change", () => {
  const before = world.journal.changes().length;
  commit(recordUndeliverable, { deliveryId: request });
  expect(world.journal.changes()).toHaveLength(before + 1);
  expect(delivery()?.state).toBe("UNDELIVERABLE");
  expect(transaction()).toMatchObject(BROKEN);
});

test("a delivery that no longer exists is ignored", () => {
  commit(recordAttempt, { ...attempt(200), deliveryId: "Webhook:none" });
  commit(recordUndeliverable, { deliveryId: "Webhook:none" });
  expect(transaction()?.status).toBe("PENDING");
});
