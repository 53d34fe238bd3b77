import type { EventType } from "../contract/events.ts";
import {
  type AttemptResult,
  boundDeliveries,
  markUndeliverable,
  recordAttempt,
} from "./deliveries.ts";
import type { Draft, Moment, Rule } from "./draft.ts";
import { decideByAnswer, failUnasked } from "./incoming-approval.ts";
import { isOpen } from "./tables.ts";

/** What the fate of an event's delivery does to the record that the event tells of. */
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

/** Only an event that asks for something has any (platform digest 13.6, column R). */
const CONSEQUENCES: Partial<Record<EventType, Consequence>> = {
  "INCOMING_PAYMENT.PENDING": { answered: decideByAnswer, unsent: failUnasked },
};

/** Takes in what an attempt brought; what follows from it is part of the same change. */
export const takeAttempt: Rule<AttemptResult, void> = (draft, result, moment) => {
  const delivery = draft.get("Delivery", result.deliveryId);
  if (!delivery || !isOpen(delivery)) return;
  recordAttempt(draft, result, moment);
  const { type, about } = delivery;
  CONSEQUENCES[type]?.answered(draft, { about, result }, moment);
};

/** A delivery meets no endpoint: it ends, and what asked for an answer gets none. */
export const takeUndeliverable: Rule<{ deliveryId: string }, void> = (draft, input, moment) => {
  const delivery = draft.get("Delivery", input.deliveryId);
  if (!delivery || !isOpen(delivery)) return;
  markUndeliverable(draft, input);
  CONSEQUENCES[delivery.type]?.unsent(draft, delivery.about, moment);
};

/** Keeps the outbox within its bounds. Called once per change, after its rule. */
export const boundOutbox = (draft: Draft, emittedCount: number, moment: Moment) => {
  for (const { type, about } of boundDeliveries(draft, emittedCount))
    CONSEQUENCES[type]?.unsent(draft, about, moment);
};
