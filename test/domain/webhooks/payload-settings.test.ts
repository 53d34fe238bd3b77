import { describe, expect, test } from "vitest";
import type { EventType } from "../../../src/contract/webhooks/events.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { EXAMPLE_PAYLOADS } from "../../../src/domain/webhooks/example-events.ts";
import { type Envelope, withSettings } from "../../../src/domain/webhooks/lab-events.ts";
import { momentAt } from "../../../src/runtime/ids.ts";

const AT_MS = Date.parse("2026-01-05T09:00:00.000Z");

const envelope = (type: EventType): Envelope => {
  const moment = momentAt(AT_MS, { seed: "7", branch: 0, counter: 0, seq: 1 });
  const data = EXAMPLE_PAYLOADS[type](moment);
  return { id: moment.newId("Webhook"), type, timestamp: "2026-01-05T09:00:00.000Z", data };
};

const set = (type: EventType, ...settings: string[]) => withSettings(envelope(type), settings);

test.each([
  { setting: "data.status=FAILED", says: { status: "FAILED" } },
  { setting: "status=FAILED", says: { status: "FAILED" } },
  { setting: "data.sentAmount.amount=4242", says: { sentAmount: { amount: 4242 } } },
  { setting: "data.platformCustomerId=4242", says: { platformCustomerId: "4242" } },
  { setting: 'data.platformCustomerId="shop"', says: { platformCustomerId: "shop" } },
  { setting: "data.description=a=b, c", says: { description: "a=b, c" } },
  { setting: "data.description=", says: { description: "" } },
  { setting: "data.refund.note.deep=true", says: undefined },
  { setting: 'data.extra={"a":[1]}', says: { extra: { a: [1] } } },
  { setting: "data.extra.a.b=null", says: { extra: { a: { b: null } } } },
])("a payment with $setting", ({ setting, says }) => {
  const type = "OUTGOING_PAYMENT.COMPLETED";
  if (says) expect(set(type, setting).data).toMatchObject(says);
  else expect(() => set(type, setting)).toThrow(Refusal);
});

test("arrays are set at an existing index, or at the next one", () => {
  const type = "card.funding_source_change";
  const { fundingSources } = envelope(type).data as { fundingSources: string[] };
  const change = (setting: string) => set(type, setting).data;
  const [, second] = fundingSources;
  expect(change("data.fundingSources[0]=x")).toMatchObject({ fundingSources: ["x", second] });
  expect(change("data.fundingSources.2=x")).toMatchObject({
    fundingSources: [...fundingSources, "x"],
  });
  expect(() => change("data.fundingSources.3=x")).toThrow(Refusal);
  expect(() => change("data.fundingSources.one=x")).toThrow(Refusal);
});

test("several settings apply in order, to the envelope too", () => {
  const { id, data } = set(
    "TEST",
    "data.a=1",
    "data.a=2",
    "id=Webhook:0a1b2c3d-0000-4000-8000-0000000000ee",
  );
  expect({ id, data }).toEqual({
    id: "Webhook:0a1b2c3d-0000-4000-8000-0000000000ee",
    data: { a: 2 },
  });
});

describe("refused is", () => {
  test.each([
    ["OUTGOING_PAYMENT.COMPLETED", "data.status", "path=value"],
    ["OUTGOING_PAYMENT.COMPLETED", "=1", "path=value"],
    ["OUTGOING_PAYMENT.COMPLETED", "data..status=1", "a path like data.status"],
    ["OUTGOING_PAYMENT.COMPLETED", "data.__proto__.x=1", "a path like data.status"],
    ["OUTGOING_PAYMENT.COMPLETED", "constructor.x=1", "a path like data.status"],
    ["OUTGOING_PAYMENT.COMPLETED", "data.status.x=1", "stands below no object"],
    [
      "OUTGOING_PAYMENT.COMPLETED",
      "data.status=NONSENSE",
      "in data.status of OUTGOING_PAYMENT.COMPLETED but found",
    ],
    [
      "OUTGOING_PAYMENT.COMPLETED",
      "data.sentAmount.amount=many",
      "in data.sentAmount.amount of OUTGOING_PAYMENT.COMPLETED",
    ],
    ["TEST", "type=CUSTOMER.KYC_APPROVED", "in type of TEST but found"],
    ["TEST", "data=1", "Expected an object in data of TEST but found 1"],
  ] as const)("%s with %s", (type, setting, says) => {
    expect(() => set(type, setting)).toThrow(Refusal);
    try {
      set(type, setting);
    } catch (error) {
      expect((error as Refusal).sentence).toContain(says);
    }
  });
});
