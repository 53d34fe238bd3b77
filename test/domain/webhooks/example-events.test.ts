import { expect, test } from "vitest";
import { shapeIn } from "../../../src/contract/core/revised-shape.ts";
import { REVISIONS } from "../../../src/contract/core/revision-names.ts";
import { hasChange } from "../../../src/contract/core/revisions.ts";
import { EVENT_PAYLOADS } from "../../../src/contract/webhooks/event-payloads.ts";
import { EVENT_TYPES, eventSince } from "../../../src/contract/webhooks/events.ts";
import { EXAMPLE_PAYLOADS } from "../../../src/domain/webhooks/example-events.ts";
import { exampleIn } from "../../../src/domain/webhooks/later-examples.ts";
import { momentAt } from "../../../src/runtime/ids.ts";

const AT_MS = Date.parse("2026-01-05T09:00:00.000Z");

const moment = (seed = "7") => momentAt(AT_MS, { seed, branch: 0, counter: 0, seq: 1 });

// spec/events.md#types, spec/events.md#payloads
test.each(EVENT_TYPES)("an example of %s has the published shape", (type) => {
  const since = eventSince(type);
  const served = REVISIONS.filter((revision) => !since || hasChange(revision, since));
  for (const revision of served) {
    const example = exampleIn(revision, type, moment());
    const { data, error } = shapeIn(EVENT_PAYLOADS[type], revision).safeParse(example);
    expect(error).toBeUndefined();
    expect(data).toEqual(example);
  }
});

test.each(EVENT_TYPES)(
  "an example of %s is the same for the same seed, and another else",
  (type) => {
    expect(EXAMPLE_PAYLOADS[type](moment())).toEqual(EXAMPLE_PAYLOADS[type](moment()));
    if (type !== "TEST")
      expect(EXAMPLE_PAYLOADS[type](moment())).not.toEqual(EXAMPLE_PAYLOADS[type](moment("8")));
  },
);

test.each([
  { type: "OUTGOING_PAYMENT.PENDING", says: { status: "PENDING" } },
  { type: "OUTGOING_PAYMENT.PROCESSING", says: { status: "PROCESSING" } },
  {
    type: "OUTGOING_PAYMENT.COMPLETED",
    says: { status: "COMPLETED", settledAt: "2026-01-05T09:00:00.000Z" },
  },
  {
    type: "OUTGOING_PAYMENT.FAILED",
    says: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" },
  },
  { type: "OUTGOING_PAYMENT.EXPIRED", says: { status: "EXPIRED" } },
  { type: "OUTGOING_PAYMENT.REFUND_PENDING", says: { refund: { status: "PENDING" } } },
  { type: "OUTGOING_PAYMENT.REFUND_COMPLETED", says: { refund: { status: "COMPLETED" } } },
  { type: "OUTGOING_PAYMENT.REFUND_FAILED", says: { refund: { status: "FAILED" } } },
  { type: "INCOMING_PAYMENT.PENDING", says: { status: "PENDING", type: "INCOMING" } },
  { type: "INCOMING_PAYMENT.COMPLETED", says: { status: "COMPLETED" } },
  { type: "INCOMING_PAYMENT.FAILED", says: { status: "FAILED" } },
  {
    type: "INCOMING_PAYMENT.REFUND_PENDING",
    says: { status: "FAILED", refund: { status: "PENDING", reason: "TRANSACTION_FAILED" } },
  },
  {
    type: "INCOMING_PAYMENT.REFUND_COMPLETED",
    says: { status: "FAILED", refund: { status: "COMPLETED", reason: "TRANSACTION_FAILED" } },
  },
  {
    type: "INCOMING_PAYMENT.REFUND_FAILED",
    says: { status: "FAILED", refund: { status: "FAILED", reason: "TRANSACTION_FAILED" } },
  },
  { type: "AGENT_ACTION.PENDING_APPROVAL", says: { status: "PENDING_APPROVAL" } },
  { type: "EXTERNAL_ACCOUNT.STATUS_UPDATED", says: { status: "UNVERIFIED", currency: "USDC" } },
  {
    type: "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
    says: { status: "ACTIVE", totalBalance: { amount: 250_000 } },
  },
  { type: "CUSTOMER.KYC_REJECTED", says: { customerType: "INDIVIDUAL", kycStatus: "REJECTED" } },
  { type: "CUSTOMER.KYB_APPROVED", says: { customerType: "BUSINESS", kybStatus: "APPROVED" } },
  { type: "INTERNAL_ACCOUNT.STATUS_UPDATED", says: { status: "FROZEN" } },
  { type: "card.state_change", says: { state: "ACTIVE" } },
] as const)("$type says $says", ({ type, says }) => {
  expect(EXAMPLE_PAYLOADS[type](moment())).toMatchObject(says);
});

test("the amounts of an example payment are those of a quote", () => {
  expect(EXAMPLE_PAYLOADS["OUTGOING_PAYMENT.COMPLETED"](moment())).toMatchObject({
    sentAmount: { amount: 25_000, currency: { code: "USD" } },
    receivedAmount: { amount: 22_911, currency: { code: "EUR" } },
    fees: 96,
  });
});
