import type { View } from "../domain/core/draft.ts";
import { timerId } from "../domain/core/schedule.ts";
import type { DeliveryRecord } from "../domain/records/records.ts";
import type { AttemptLimiter } from "./attempt-limiter.ts";
import type { ReadyLanes } from "./ready-lanes.ts";

interface Sender {
  turns: ReadyLanes;
  limiter: AttemptLimiter;
}

const hasFirstToCome = ({ lane }: DeliveryRecord, { turns, limiter }: Sender) =>
  turns.has(lane) || limiter.isFirstUnderWay(lane);

const hasRetryToCome = ({ id, lane }: DeliveryRecord, { turns, limiter }: Sender) =>
  turns.retriesOf(lane).has(id) && (turns.has(lane) || !limiter.mayRetryIn(lane));

const hasWayOn = (view: View, delivery: DeliveryRecord, sender: Sender) => {
  const { id, state, nextAttemptAtMs } = delivery;
  // Whoever holds it back can release it.
  if (sender.limiter.has(id) || state === "HELD") return true;
  if (state === "WAITING") return hasFirstToCome(delivery, sender);
  return nextAttemptAtMs === undefined
    ? hasRetryToCome(delivery, sender)
    : view.get("Timer", timerId("webhook.retry", id)) !== undefined;
};

/** Ids of open deliveries that nothing would ever send; there are some only after a bug. */
export const strandedIn = (view: View, sender: Sender): string[] =>
  [...view.ids("Delivery", "byProgress", "open")].filter((id) => {
    const delivery = view.get("Delivery", id);
    return delivery !== undefined && !hasWayOn(view, delivery, sender);
  });
