import type { Draft, EmittedEvent, Moment } from "../core/draft.ts";
import type { DeliveryEndRecord, DeliveryRecord } from "../records/records.ts";
import { isOpen } from "../records/tables.ts";
import { DELIVERY_BOUNDS, endDelivery } from "./deliveries.ts";

/** Deliveries of events that become records only when their change is applied. */
type Emitted = readonly Pick<EmittedEvent, "deliverable" | "lab" | "trouble">[];

const isBornOpen = ({ deliverable, lab, trouble }: Emitted[number]) =>
  deliverable && isOpen({ state: lab?.state ?? trouble?.state ?? "WAITING" });

/** The delivery that ended first among those that ended later than they were born. */
const firstEnd = (draft: Draft): DeliveryEndRecord | undefined => {
  const [id] = draft.ids("DeliveryEnd", "all", "");
  return id === undefined ? undefined : draft.get("DeliveryEnd", id);
};

const firstEndedAtBirth = (draft: Draft): DeliveryRecord | undefined => {
  const [id] = draft.ids("Delivery", "byProgress", "ended at birth");
  return id === undefined ? undefined : draft.get("Delivery", id);
};

/** The delivery that has been over for the longest time. */
const longestOver = (draft: Draft): { deliveryId: string; end?: DeliveryEndRecord } | undefined => {
  const end = firstEnd(draft);
  const unsent = firstEndedAtBirth(draft);
  if (end && (!unsent || end.atMs < unsent.bornAtMs)) return { deliveryId: end.deliveryId, end };
  return unsent && { deliveryId: unsent.id };
};

const forgetFirst = (draft: Draft) => {
  const first = longestOver(draft);
  if (!first) return;
  draft.del("Delivery", first.deliveryId);
  draft.del("Event", first.deliveryId);
  if (first.end) draft.del("DeliveryEnd", first.end.id);
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
  for (let over = ended - DELIVERY_BOUNDS.ended; over > 0; over -= 1) forgetFirst(draft);
  return givenUp;
};
