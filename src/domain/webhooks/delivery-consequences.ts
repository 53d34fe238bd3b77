import { type EventType, isAccepted } from "../../contract/webhooks/events.ts";
import type { Draft, EmittedEvent, Moment, Rule } from "../core/draft.ts";
import { decideByAnswer, failUnasked } from "../payments/incoming-approval.ts";
import type { AttemptResult } from "../records/attempt-result.ts";
import type { DeliveryRecord } from "../records/records.ts";
import { isOpen } from "../records/tables.ts";
import { addAttempt, DELIVERY_BOUNDS, endDelivery, settleAttempt } from "./deliveries.ts";

/** Deliveries of events that become records only when their change is applied. */
type Emitted = readonly Pick<EmittedEvent, "deliverable" | "lab" | "trouble">[];

const isBornOpen = ({ deliverable, lab, trouble }: Emitted[number]) =>
  deliverable && isOpen({ state: lab?.state ?? trouble?.state ?? "WAITING" });

/** Forgets the deliveries that have been over for the longest time, with their events. */
const forgetOldest = (draft: Draft, count: number) => {
  const ends = draft.ids("DeliveryEnd", "all", "").slice(0, count);
  // Those that ended as they were born have no end of their own.
  const unsent = draft.ids("Delivery", "byProgress", "ended at birth").slice(0, count);
  for (let left = count; left > 0; left -= 1) {
    const end = ends[0] && draft.get("DeliveryEnd", ends[0]);
    const born = unsent[0] && draft.get("Delivery", unsent[0]);
    const isEnd = end && (!born || end.atMs < born.bornAtMs);
    const deliveryId = isEnd ? end.deliveryId : unsent[0];
    if (deliveryId === undefined) return;
    draft.del("Delivery", deliveryId);
    draft.del("Event", deliveryId);
    if (isEnd) draft.del("DeliveryEnd", end.id);
    (isEnd ? ends : unsent).shift();
  }
};

/**
 * Keeps the outbox within its bounds: gives up the oldest open deliveries when too many wait, and
 * forgets those that have been over for the longest time. A delivery that has just ended is the
 * last one to be forgotten, however old its event is: somebody may be waiting to see it.
 * @returns the deliveries that were given up
 */
export const boundDeliveries = (
  draft: Draft,
  emitted: Emitted,
  moment: Moment,
): DeliveryRecord[] => {
  const bornOpen = emitted.filter(isBornOpen).length;
  const open = draft.ids("Delivery", "byProgress", "open");
  const excess = Math.max(0, open.length + bornOpen - DELIVERY_BOUNDS.open);
  const givenUp = open.slice(0, excess).map((id) => draft.get("Delivery", id) as DeliveryRecord);
  for (const delivery of givenUp)
    endDelivery(
      draft,
      { delivery: { ...delivery, reason: "outbox full" }, state: "GIVEN_UP" },
      moment,
    );
  const bornEnded = emitted.length - bornOpen;
  const ended = draft.ids("Delivery", "byProgress", "ended").length + bornEnded;
  if (ended > DELIVERY_BOUNDS.ended) forgetOldest(draft, ended - DELIVERY_BOUNDS.ended);
  return givenUp;
};

/** Effects of an event's delivery on the record that the event is about. */
interface Consequence {
  /** Its attempt is over, with an answer or without. */
  answered(
    draft: Draft,
    attempt: { about: string | undefined; result: AttemptResult },
    moment: Moment,
  ): void;
  /** It ended before anyone was asked. */
  unsent(draft: Draft, about: string | undefined, moment: Moment): void;
}

/** Only approval requests have any (spec/uma-payments.md#approval-answers). */
const CONSEQUENCES: Partial<Record<EventType, Consequence>> = {
  "INCOMING_PAYMENT.PENDING": { answered: decideByAnswer, unsent: failUnasked },
};

/** The consequence of a delivery; lab events have none. */
const consequenceOf = ({ type, lab }: DeliveryRecord) =>
  lab === undefined ? CONSEQUENCES[type] : undefined;

/** Records the result of an attempt; what follows from it is part of the same change. */
export const recordAttempt: Rule<AttemptResult, void> = (draft, result, moment) => {
  const delivery = draft.get("Delivery", result.deliveryId);
  if (!delivery) return;
  if (!isOpen(delivery)) return addAttempt(draft, { delivery, result }, moment);
  settleAttempt(draft, { delivery, result }, moment);
  consequenceOf(delivery)?.answered(draft, { about: delivery.about, result }, moment);
};

/**
 * Records the result of a redelivery. One that is accepted before the event's own attempt has ended
 * is the answer that the event asked for. So is one of a delivery that stayed with another world. A
 * failed one leaves the answer to the attempt.
 */
export const recordResend: Rule<AttemptResult, void> = (draft, result, moment) => {
  const delivery = draft.get("Delivery", result.deliveryId);
  if (!delivery) return;
  addAttempt(draft, { delivery, result }, moment);
  const isAsked = isOpen(delivery) || delivery.state === "FORKED";
  if (isAsked && isAccepted(delivery.type, result.httpStatus))
    consequenceOf(delivery)?.answered(draft, { about: delivery.about, result }, moment);
};

/** Ends a delivery that meets no endpoint; what asked for an answer gets none. */
export const recordUndeliverable: Rule<{ deliveryId: string }, void> = (
  draft,
  { deliveryId },
  moment,
) => {
  const delivery = draft.get("Delivery", deliveryId);
  if (!delivery || !isOpen(delivery)) return;
  endDelivery(draft, { delivery, state: "UNDELIVERABLE" }, moment);
  consequenceOf(delivery)?.unsent(draft, delivery.about, moment);
};

/**
 * Keeps the outbox within its bounds. Called once per change, after its rule.
 * @param emitted the draft's own list, which grows with each event
 */
export const boundOutbox = (
  draft: Draft,
  emitted: readonly Pick<EmittedEvent, "deliverable" | "lab" | "trouble" | "type" | "about">[],
  moment: Moment,
) => {
  // Whoever was never asked gives no answer.
  for (const { type, about, trouble } of emitted)
    if (trouble?.state === "DROPPED") CONSEQUENCES[type]?.unsent(draft, about, moment);
  let givenUp = boundDeliveries(draft, emitted, moment);
  while (givenUp.length > 0) {
    for (const delivery of givenUp) consequenceOf(delivery)?.unsent(draft, delivery.about, moment);
    // What follows sends events too, which need room themselves.
    givenUp = boundDeliveries(draft, emitted, moment);
  }
};
