import { type Brand, OWN } from "../../contract/core/brand-words.ts";
import { REPLY_BYTES } from "../../contract/core/cut-body.ts";
import { defined } from "../../contract/core/defined.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import { type Draft, instant, type Moment, type View } from "../core/draft.ts";
import { DURATIONS, NEVER_RETRIED, retryDelayMs, WEBHOOK_MAX_ATTEMPTS } from "../core/durations.ts";
import { clearTimer, setTimer, type TimerEffect } from "../core/schedule.ts";
import type { AttemptResult } from "../records/attempt-result.ts";
import type {
  DeliveryAttempt,
  DeliveryRecord,
  DeliveryState,
  EventRecord,
} from "../records/records.ts";

/**
 * Sends the next webhook of a reordered group, the one whose event came before
 * (spec/webhooks.md#reordering). Called when an attempt or the delivery of one has ended.
 */
const sendEarlier = (draft: Draft, { id, trouble }: DeliveryRecord) => {
  if (trouble?.did !== "reordered") return;
  const { group = [], times } = draft.get("Trouble", trouble.id) ?? {};
  if (group.length !== times) return;
  const earlier = group
    .slice(0, group.indexOf(id))
    .reverse()
    .flatMap((one) => draft.get("Delivery", one) ?? [])
    .at(0);
  if (earlier?.state === "HELD") draft.put("Delivery", { ...earlier, state: "WAITING" });
};

/**
 * Bounds of what is kept. Past them the oldest open delivery is given up, and the delivery that
 * ended first is forgotten.
 */
export const DELIVERY_BOUNDS = {
  open: 10_000,
  ended: 2_000,
  attemptsShown: 10,
  replyBytes: REPLY_BYTES,
} as const;

const isRetried = ({ type, lab }: DeliveryRecord) =>
  lab === undefined && !(NEVER_RETRIED as readonly string[]).includes(type);

const mayRetry = (delivery: DeliveryRecord, nextAttemptAtMs: number) =>
  isRetried(delivery) &&
  delivery.attemptCount < WEBHOOK_MAX_ATTEMPTS &&
  nextAttemptAtMs - delivery.bornAtMs <= DURATIONS.webhookRetryWindowMs;

const attemptOf = (result: AttemptResult, attempt: number): DeliveryAttempt => {
  const { deliveryId: _to, body: _whole, isTimeout: _late, isLoopback: _from, ...rest } = result;
  return { attempt, ...rest };
};

const withAttempt = (delivery: DeliveryRecord, result: AttemptResult): DeliveryRecord => {
  const attemptCount = delivery.attemptCount + 1;
  const attempts = [...delivery.attempts, attemptOf(result, attemptCount)];
  return {
    ...delivery,
    attemptCount,
    attempts: attempts.slice(-DELIVERY_BOUNDS.attemptsShown),
  };
};

/** A delivery as it was before an attempt, and the attempt's result. */
interface Attempted {
  delivery: DeliveryRecord;
  result: AttemptResult;
}

/**
 * Adds an attempt to an open delivery and accepts the delivery, gives it up or schedules a retry. The
 * delay of the schedule counts from the end of the attempt (spec/webhooks.md#retries).
 */
export const settleAttempt = (draft: Draft, { delivery, result }: Attempted, moment: Moment) => {
  const attempted = withAttempt(delivery, result);
  if (isAccepted(delivery.type, result.httpStatus))
    return delivery.copies
      ? sendCopy(draft, attempted)
      : endDelivery(draft, { delivery: attempted, state: "ACCEPTED" }, moment);
  const nextAttemptAtMs = moment.atMs + retryDelayMs(attempted.attemptCount);
  if (!mayRetry(attempted, nextAttemptAtMs))
    return endDelivery(draft, { delivery: attempted, state: "GIVEN_UP" }, moment);
  draft.put("Delivery", { ...attempted, state: "RETRYING", nextAttemptAtMs });
  sendEarlier(draft, attempted);
  setTimer(
    draft,
    { name: "webhook.retry", subject: delivery.id, dueAtMs: nextAttemptAtMs },
    moment,
  );
};

/** Has an accepted delivery sent once more, at once. */
const sendCopy = (draft: Draft, { copies = 0, ...delivery }: DeliveryRecord) =>
  draft.put("Delivery", {
    ...delivery,
    state: "RETRYING",
    ...(copies > 1 && { copies: copies - 1 }),
  });

/**
 * Adds an attempt that decides nothing but acceptance: a redelivery, or an attempt that came back
 * after its delivery had ended. Accepted, it ends the delivery in whatever state; failed, it leaves
 * the delivery as it is.
 */
export const addAttempt = (draft: Draft, { delivery, result }: Attempted, moment: Moment) => {
  const attempted = withAttempt(delivery, result);
  const isNewlyAccepted =
    delivery.state !== "ACCEPTED" && isAccepted(delivery.type, result.httpStatus);
  if (isNewlyAccepted) endDelivery(draft, { delivery: attempted, state: "ACCEPTED" }, moment);
  else draft.put("Delivery", attempted);
};

/** Ends a delivery; it takes its place behind everything that has ended before. */
export const endDelivery = (
  draft: Draft,
  { delivery, state }: { delivery: DeliveryRecord; state: DeliveryState },
  moment: Moment,
) => {
  const { nextAttemptAtMs: _past, endId: earlier, ...rest } = delivery;
  if (earlier !== undefined) draft.del("DeliveryEnd", earlier);
  const id = orderedId(moment.nextOrder());
  draft.put("DeliveryEnd", { id, deliveryId: delivery.id, atMs: moment.atMs });
  draft.put("Delivery", { ...rest, state, endId: id });
  sendEarlier(draft, delivery);
  clearTimer(draft, "webhook.retry", delivery.id);
};

/** Text that sorts as the number does. */
const orderedId = (order: number) => String(order).padStart(16, "0");

/** Timer `webhook.retry`: the delivery may be attempted again. */
export const readyForRetry = (draft: Draft, subject: string, _moment: Moment): TimerEffect => {
  const delivery = draft.get("Delivery", subject);
  if (delivery?.state !== "RETRYING") return {};
  const { nextAttemptAtMs: _due, ...rest } = delivery;
  draft.put("Delivery", rest);
  return { from: "RETRYING", to: `attempt ${delivery.attemptCount + 1}` };
};

/** Whether a delivery is due for a retry now. */
export const isRetryDue = ({
  state,
  nextAttemptAtMs,
}: Pick<DeliveryRecord, "state" | "nextAttemptAtMs">) =>
  state === "RETRYING" && nextAttemptAtMs === undefined;

/** Whether a delivery was kept without being sent, for lack of an endpoint. */
export const isCollected = ({ state }: DeliveryRecord) => state === "UNDELIVERABLE";

/** The exact bytes of an event, as a world of that brand sends them. */
export const bytesOf = ({ body, base64 }: EventRecord, brand: Brand = OWN): Buffer =>
  base64 === undefined ? Buffer.from(brand.outward(body)) : Buffer.from(base64, "base64");

/** The oldest delivery of a lane that awaits its first attempt, if any does. */
export const headOfLane = (view: View, lane: string): DeliveryRecord | undefined => {
  const [id] = view.ids("Delivery", "byLane", lane);
  return id === undefined ? undefined : view.get("Delivery", id);
};

/** A delivery as lists and the feed show it: `status` is the receiver's, `state` the delivery's. */
export const showDelivery = (delivery: DeliveryRecord) => {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery.id,
    type: delivery.type,
    ...defined({ lab: delivery.lab, about: delivery.about }),
    status: last?.httpStatus ?? null,
    state: delivery.state,
    ...(isCollected(delivery) && { collected: true as const }),
    ...defined({ reason: delivery.reason, trouble: delivery.trouble?.did }),
    attempt: delivery.attemptCount,
    createdAt: instant(delivery.bornAtMs),
    ...(last && { tookMs: last.tookMs, sentAt: instant(last.atMs) }),
    ...(last?.error !== undefined && { error: last.error }),
    ...(delivery.nextAttemptAtMs !== undefined && {
      nextAttemptAt: instant(delivery.nextAttemptAtMs),
    }),
  };
};
