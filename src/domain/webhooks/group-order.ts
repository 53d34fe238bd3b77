import type { Draft } from "../core/draft.ts";
import type { DeliveryRecord } from "../records/records.ts";

/**
 * Sends the next webhook of a reordered group, the one whose event came before
 * (spec/webhooks.md#reordering). Called when an attempt or the delivery of one has ended.
 */
export const sendEarlier = (draft: Draft, { id, trouble }: DeliveryRecord) => {
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
