import type { EventType } from "../../contract/webhooks/events.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import type { Draft, EmittedEvent, Moment, Rule } from "../core/draft.ts";
import { decideByAnswer, failUnasked } from "../payments/incoming-approval.ts";
import type { AttemptResult } from "../records/attempt-result.ts";
import type { DeliveryRecord } from "../records/records.ts";
import { isOpen } from "../records/tables.ts";
import { addAttempt, endDelivery, settleAttempt } from "./deliveries.ts";
import { boundDeliveries } from "./delivery-bounds.ts";

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
