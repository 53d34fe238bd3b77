import type { Draft, Moment } from "../core/draft.ts";
import { endDelivery } from "./deliveries.ts";

/**
 * Ends the open deliveries of a world that was just forked: its origin sends them
 * (spec/worlds.md#fork). Nothing follows from that, since nobody was asked.
 */
export const endAsForked = (draft: Draft, moment: Moment) => {
  for (const id of [...draft.ids("Delivery", "byProgress", "open")]) {
    const delivery = draft.get("Delivery", id);
    if (delivery) endDelivery(draft, { delivery, state: "FORKED" }, moment);
  }
};
