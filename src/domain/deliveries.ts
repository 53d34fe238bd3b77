import { isAccepted } from "../contract/events.ts";
import { type Draft, instant, type Moment, type View } from "./draft.ts";
import { DURATIONS, NEVER_RETRIED, retryDelayMs, WEBHOOK_MAX_ATTEMPTS } from "./durations.ts";
import type { DeliveryAttempt, DeliveryRecord, DeliveryState, EventRecord } from "./records.ts";
import { clearTimer, type Fired, setTimer } from "./schedule.ts";
import { isOpen } from "./tables.ts";

/** Bounds of what is kept (decisions, Webhooks): the rest is given up or forgotten, oldest first. */
export const DELIVERY_BOUNDS = {
  open: 10_000,
  ended: 2_000,
  attemptsShown: 10,
  replyBytes: 2_048,
} as const;

/** How one attempt went; no `httpStatus` means that no answer came. */
export interface AttemptResult {
  deliveryId: string;
  atMs: number;
  tookMs: number;
  httpStatus?: number;
  reply?: string;
  error?: string;
  /** All that was read of the answer, for an event whose answer decides something. */
  body?: string;
  /** No whole answer came within the time that it has. */
  isTimeout?: true;
  /** The answer came from this machine. */
  isLoopback?: boolean;
  signature: string;
}

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

/**
 * Takes in what an attempt brought: the delivery is accepted, given up, or waits for a retry at
 * the end of the attempt plus the delay of the schedule. A delivery that ended meanwhile stays.
 */
export const recordAttempt = (draft: Draft, result: AttemptResult, moment: Moment) => {
  const delivery = draft.get("Delivery", result.deliveryId);
  if (!delivery || !isOpen(delivery)) return;
  const { nextAttemptAtMs: _past, ...attempted } = withAttempt(delivery, result);
  if (isAccepted(delivery.type, result.httpStatus))
    return endDelivery(draft, attempted, "ACCEPTED");
  const nextAttemptAtMs = moment.atMs + retryDelayMs(attempted.attemptCount);
  if (!mayRetry(attempted, nextAttemptAtMs)) return endDelivery(draft, attempted, "GIVEN_UP");
  draft.put("Delivery", { ...attempted, state: "RETRYING", nextAttemptAtMs });
  setTimer(
    draft,
    { name: "webhook.retry", subject: delivery.id, dueAtMs: nextAttemptAtMs },
    moment,
  );
};

/**
 * Takes in what sending an event again brought, outside its lane: a delivery that has ended stays
 * as it ended, and one that is open waits for its own next attempt unless this one was accepted.
 * An event that is attempted once is ended by that attempt alone; one of the webhook lab is ended
 * from the start, and accepted as soon as somebody takes it.
 */
export const recordResend = (draft: Draft, result: AttemptResult, _moment: Moment) => {
  const delivery = draft.get("Delivery", result.deliveryId);
  if (!delivery) return;
  const attempted = withAttempt(delivery, result);
  const isTaken = isAccepted(delivery.type, result.httpStatus);
  const isEnded = (isOpen(delivery) && isRetried(delivery)) || delivery.lab !== undefined;
  if (isEnded && isTaken) endDelivery(draft, attempted, "ACCEPTED");
  else draft.put("Delivery", attempted);
};

/** Ends a delivery for good; the next one of its lane may go. */
export const endDelivery = (draft: Draft, delivery: DeliveryRecord, state: DeliveryState) => {
  const { nextAttemptAtMs: _past, ...rest } = delivery;
  draft.put("Delivery", { ...rest, state });
  clearTimer(draft, "webhook.retry", delivery.id);
};

/** A delivery that meets no endpoint ends undeliverable (MECHANISMS: read at each attempt). */
export const markUndeliverable = (draft: Draft, { deliveryId }: { deliveryId: string }) => {
  const delivery = draft.get("Delivery", deliveryId);
  if (delivery && isOpen(delivery)) endDelivery(draft, delivery, "UNDELIVERABLE");
};

/** Timer `webhook.retry`: the delivery may be attempted again. */
export const readyForRetry = (draft: Draft, subject: string, _moment: Moment): Fired => {
  const delivery = draft.get("Delivery", subject);
  if (delivery?.state !== "RETRYING") return {};
  const { nextAttemptAtMs: _due, ...rest } = delivery;
  draft.put("Delivery", rest);
  return { from: "RETRYING", to: `attempt ${delivery.attemptCount + 1}` };
};

/** Whether a delivery may be sent now, were it at the head of its lane. */
export const isReady = (delivery: DeliveryRecord) =>
  isOpen(delivery) && delivery.nextAttemptAtMs === undefined;

/** The exact bytes of an event. */
export const bytesOf = ({ body, base64 }: EventRecord): Buffer =>
  base64 === undefined ? Buffer.from(body) : Buffer.from(base64, "base64");

/** The delivery of a lane that goes first, if any is open. */
export const headOfLane = (view: View, lane: string): DeliveryRecord | undefined => {
  const [id] = view.ids("Delivery", "byLane", lane);
  return id === undefined ? undefined : view.get("Delivery", id);
};

const forget = (draft: Draft, id: string) => {
  draft.del("Delivery", id);
  draft.del("Event", id);
};

/**
 * Keeps the outbox within its bounds: the oldest open delivery is given up when too many wait,
 * the oldest ended ones are forgotten.
 * @returns those that were given up
 */
export const boundDeliveries = (draft: Draft, emittedCount: number): DeliveryRecord[] => {
  const open = draft.ids("Delivery", "byProgress", "open");
  const givenUp = open
    .slice(0, Math.max(0, open.length + emittedCount - DELIVERY_BOUNDS.open))
    .map((id) => draft.get("Delivery", id) as DeliveryRecord);
  for (const delivery of givenUp)
    endDelivery(draft, { ...delivery, reason: "outbox full" }, "GIVEN_UP");
  const ended = draft.ids("Delivery", "byProgress", "ended");
  for (const id of ended.slice(0, Math.max(0, ended.length + emittedCount - DELIVERY_BOUNDS.ended)))
    forget(draft, id);
  return givenUp;
};

/** A delivery as lists and the feed show it: `status` is the receiver's, `state` the delivery's. */
export const showDelivery = (delivery: DeliveryRecord) => {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery.id,
    type: delivery.type,
    ...(delivery.lab !== undefined && { lab: delivery.lab }),
    ...(delivery.about !== undefined && { about: delivery.about }),
    status: last?.httpStatus ?? null,
    state: delivery.state,
    ...(delivery.reason !== undefined && { reason: delivery.reason }),
    attempt: delivery.attemptCount,
    createdAt: instant(delivery.bornAtMs),
    ...(last && { tookMs: last.tookMs, sentAt: instant(last.atMs) }),
    ...(last?.error !== undefined && { error: last.error }),
    ...(delivery.nextAttemptAtMs !== undefined && {
      nextAttemptAt: instant(delivery.nextAttemptAtMs),
    }),
  };
};
