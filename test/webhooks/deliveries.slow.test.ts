import { expect, onTestFinished, test } from "vitest";
import { endpointAddress } from "../../src/contract/core/endpoint-address.ts";
import { isAccepted } from "../../src/contract/webhooks/events.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { emit } from "../../src/domain/core/events.ts";
import { platformConfig } from "../../src/domain/core/platform-config.ts";
import type { DeliveryRecord } from "../../src/domain/records/records.ts";
import {
  DELIVERY_BOUNDS,
  isRetryDue,
  readyForRetry,
} from "../../src/domain/webhooks/deliveries.ts";
import { boundDeliveries, recordAttempt } from "../../src/domain/webhooks/delivery-consequences.ts";
import { momentAt } from "../../src/runtime/ids.ts";
import { WorldDraft } from "../../src/runtime/world-draft.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { CAUSE, openEngine } from "../runtime/setup/test-engine.ts";

const BORN_MS = 1_767_603_600_000;
const SEVEN_DAYS_MS = 604_800_000;

const delivery = (changed: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  id: "Webhook:1",
  type: "OUTGOING_PAYMENT.COMPLETED",
  lane: "Transaction:1",
  cause: "req-1-1",
  bornAtMs: BORN_MS,
  state: "WAITING",
  attemptCount: 0,
  attempts: [],
  ...changed,
});

const worldOf = (records: readonly DeliveryRecord[]) => {
  const world = new WorldState();
  const put = records.map((record): ["Delivery", DeliveryRecord] => ["Delivery", record]);
  world.apply({ v: 5, seq: 1, at: BORN_MS, cause: "test", by: "test", put, n: 0 });
  return world;
};

/** The delivery after an attempt that ended `afterMs` after the event, and its timer. */
const afterAttempt = (
  record: DeliveryRecord,
  { httpStatus, afterMs = 0 }: { httpStatus?: number; afterMs?: number },
) => {
  const draft = new WorldDraft(worldOf([record]));
  const moment = momentAt(BORN_MS + afterMs, { seed: "test", branch: 1, counter: 0 });
  const result = { deliveryId: record.id, atMs: BORN_MS, tookMs: 5, signature: "MEQ" };
  recordAttempt(draft, { ...result, ...(httpStatus !== undefined && { httpStatus }) }, moment);
  const timer = draft.get("Timer", `webhook.retry ${record.id}`);
  return { delivery: draft.get("Delivery", record.id), timer, draft };
};

test.each([
  { httpStatus: undefined, accepted: false },
  { httpStatus: null, accepted: false },
  { httpStatus: 199, accepted: false },
  { httpStatus: 200, accepted: true },
  { httpStatus: 299, accepted: true },
  { httpStatus: 300, accepted: false },
  { httpStatus: 408, accepted: false },
  { httpStatus: 409, accepted: true },
  { httpStatus: 410, accepted: false },
  { httpStatus: 500, accepted: false },
])("the answer $httpStatus takes the event: $accepted", ({ httpStatus, accepted }) => {
  expect(isAccepted("OUTGOING_PAYMENT.COMPLETED", httpStatus)).toBe(accepted);
});

test.each([
  { failed: 1, delayMs: 1000 },
  { failed: 2, delayMs: 2000 },
  { failed: 3, delayMs: 4000 },
  { failed: 11, delayMs: 1_024_000 },
  { failed: 12, delayMs: 1_800_000 },
  { failed: 13, delayMs: 1_800_000 },
  { failed: 159, delayMs: 1_800_000 },
])("after failed attempt $failed the next comes $delayMs ms later", ({ failed, delayMs }) => {
  const after = afterAttempt(delivery({ attemptCount: failed - 1 }), { afterMs: 77 });
  const dueAtMs = BORN_MS + 77 + delayMs;
  expect(after.delivery).toMatchObject({
    state: "RETRYING",
    attemptCount: failed,
    nextAttemptAtMs: dueAtMs,
  });
  expect(after.timer).toMatchObject({ name: "webhook.retry", dueAtMs });
});

const ends: { when: string; record: Partial<DeliveryRecord>; afterMs: number; ends: boolean }[] = [
  { when: "it was attempt 159", record: { attemptCount: 158 }, afterMs: 0, ends: false },
  { when: "it was attempt 160", record: { attemptCount: 159 }, afterMs: 0, ends: true },
  {
    when: "the next one would come exactly 7 days after the event",
    record: { attemptCount: 20 },
    afterMs: SEVEN_DAYS_MS - 1_800_000,
    ends: false,
  },
  {
    when: "the next one would come later than 7 days after the event",
    record: { attemptCount: 20 },
    afterMs: SEVEN_DAYS_MS - 1_800_000 + 1,
    ends: true,
  },
  { when: "it is a test event", record: { type: "TEST" }, afterMs: 0, ends: true },
];

test.each(ends)(
  "a failed attempt ends the delivery when $when: $ends",
  ({ record, afterMs, ends }) => {
    const after = afterAttempt(delivery(record), { httpStatus: 500, afterMs });
    expect(after.delivery?.state).toBe(ends ? "GIVEN_UP" : "RETRYING");
    expect(after.timer === undefined).toBe(ends);
  },
);

// spec/webhooks.md#delivery-states
test.each(["ACCEPTED", "GIVEN_UP", "UNDELIVERABLE"] as const)(
  "a delivery that ended %s during an attempt stays so when the attempt fails",
  (state) => {
    const { delivery: after, timer } = afterAttempt(delivery({ state, attemptCount: 3 }), {
      httpStatus: 500,
    });
    expect(after).toMatchObject({ state, attemptCount: 4 });
    expect(timer).toBeUndefined();
  },
);

test.each(["WAITING", "RETRYING", "GIVEN_UP", "UNDELIVERABLE"] as const)(
  "an attempt that is accepted ends a delivery that is %s as accepted",
  (state) => {
    const { delivery: after } = afterAttempt(delivery({ state }), { httpStatus: 409 });
    expect(after).toMatchObject({ state: "ACCEPTED", attemptCount: 1 });
  },
);

test("a delivery is not due for its retry until its timer fires", () => {
  const { draft, delivery: waiting } = afterAttempt(delivery(), { httpStatus: 500 });
  expect(waiting && isRetryDue(waiting)).toBe(false);
  readyForRetry(draft, "Webhook:1", momentAt(BORN_MS, { seed: "", branch: 1, counter: 9 }));
  const ready = draft.get("Delivery", "Webhook:1");
  expect(ready && isRetryDue(ready)).toBe(true);
});

const MOMENT = momentAt(BORN_MS, { seed: "", branch: 1, counter: 9 });

/** Ids whose text order is their count. */
const many = (count: number, changed: Partial<DeliveryRecord>) =>
  Array.from({ length: count }, (_, at) =>
    delivery({ ...changed, id: `Webhook:${String(at).padStart(6, "0")}`, lane: `lane ${at % 7}` }),
  );

test.each([
  { open: 9_999, emits: 1, givenUp: 0 },
  { open: 10_000, emits: 0, givenUp: 0 },
  { open: 10_000, emits: 1, givenUp: 1 },
  { open: 10_003, emits: 2, givenUp: 5 },
])("of $open open deliveries and $emits more, the $givenUp oldest are given up", (row) => {
  const draft = new WorldDraft(worldOf(many(row.open, {})));
  boundDeliveries(draft, Array(row.emits).fill({ deliverable: true }), MOMENT);
  const givenUp = draft.ids("Delivery", "byState", "GIVEN_UP");
  expect([...givenUp]).toEqual(many(row.givenUp, {}).map(({ id }) => id));
  for (const id of givenUp) expect(draft.get("Delivery", id)?.reason).toBe("outbox full");
});

test.each([
  { ended: 2_000, kept: 2_000 },
  { ended: 2_001, kept: 2_000 },
  { ended: 2_500, kept: 2_000 },
])("of $ended ended deliveries the $kept newest are kept", ({ ended, kept }) => {
  const records = many(ended, { state: "ACCEPTED" });
  const draft = new WorldDraft(worldOf(records));
  boundDeliveries(draft, [], MOMENT);
  expect([...draft.ids("Delivery", "byProgress", "ended")]).toEqual(
    records.slice(-kept).map(({ id }) => id),
  );
});

test("the delivery that has just ended is kept, however old it is; the one over for longest goes", () => {
  const others = many(2_000, { state: "ACCEPTED" });
  const late = delivery({ id: "Webhook:000000-old", state: "RETRYING", lane: "slow" });
  const world = worldOf([late, ...others]);
  const draft = new WorldDraft(world);
  const result = {
    deliveryId: late.id,
    atMs: BORN_MS + 5,
    tookMs: 1,
    signature: "",
    httpStatus: 200,
  };
  const moment = momentAt(BORN_MS + 5, { seed: "", branch: 1, counter: 9 });
  recordAttempt(draft, result, moment);
  boundDeliveries(draft, [], moment);
  expect(draft.get("Delivery", late.id)?.state).toBe("ACCEPTED");
  expect(draft.get("Delivery", "Webhook:000000")).toBeUndefined();
  expect(draft.ids("Delivery", "byProgress", "ended")).toHaveLength(2_000);
});

test("deliveries are forgotten in the order they ended, born ended or not", () => {
  const engine = openEngine("manual").engine;
  const accept: Rule<{ id: string }, void> = (draft, { id }, moment) =>
    recordAttempt(
      draft,
      { deliveryId: id, atMs: 0, tookMs: 1, signature: "", httpStatus: 200 },
      moment,
    );
  const born: Rule<boolean, string> = (draft, deliverable, moment) => {
    const id = moment.newId("Webhook");
    draft.emit({ id, type: "TEST", lane: id, body: "{}", deliverable });
    return id;
  };
  const { ended } = DELIVERY_BOUNDS;
  Object.assign(DELIVERY_BOUNDS, { ended: 2 });
  onTestFinished(() => void Object.assign(DELIVERY_BOUNDS, { ended }));
  const [a, b] = [true, true].map((open) => engine.commit(born, open, CAUSE).reply) as [
    string,
    string,
  ];
  engine.commit(accept, { id: b }, CAUSE);
  engine.commit(accept, { id: a }, CAUSE);
  const open = engine.commit(born, true, CAUSE).reply;
  engine.commit(accept, { id: open }, CAUSE);
  expect([...engine.state.ids("Delivery", "all", "")]).toEqual([a, open]);
  expect(engine.state.count("DeliveryEnd")).toBe(2);
  engine.close();
});

const emitMany: Rule<number, void> = (draft, count, moment) => {
  for (let done = 0; done < count; done += 1)
    emit(draft, moment, { type: "TEST", data: { id: `Transaction:${done % 7}` } });
};

const setEndpoint: Rule<string, void> = (draft, webhookEndpoint) =>
  draft.put("PlatformConfig", {
    ...platformConfig(draft),
    webhookEndpoint: endpointAddress(webhookEndpoint),
  });

test("a world whose receiver is gone keeps 10,000 events waiting and 2,000 that ended", () => {
  const { engine } = openEngine("manual");
  engine.commit(setEndpoint, "http://127.0.0.1:9/", CAUSE);
  for (let done = 0; done < 26; done += 1) engine.commit(emitMany, 500, CAUSE);
  const { state } = engine;
  expect(state.ids("Delivery", "byProgress", "open")).toHaveLength(10_000);
  const ended = state.ids("Delivery", "byProgress", "ended");
  expect(ended.length).toBeLessThanOrEqual(2_000);
  expect(ended.length).toBeGreaterThanOrEqual(1_500);
  // Nothing is left of forgotten deliveries, and the bytes of kept ones are there.
  expect([...state.ids("Event", "all", "")]).toEqual([...state.ids("Delivery", "all", "")]);
  expect([...state.ids("Timer", "all", "")]).toEqual([]);
  engine.close();
});
