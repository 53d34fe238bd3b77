import { find } from "../domain/draft.ts";
import { showDuration } from "../domain/durations.ts";
import type { DeliveryRecord } from "../domain/records.ts";
import { refuse } from "../domain/refusal.ts";
import type { Change } from "../runtime/change.ts";
import type { WorldState } from "../runtime/world-state.ts";
import { waitUntil } from "./wait-until.ts";
import type { WorldControl } from "./world-control.ts";

/** Webhooks that somebody waits for. */
export interface WantedWebhooks {
  type: string;
  count: number;
  /** Id of the record they are to tell of. */
  about?: string;
  /** How long to wait, on the wall clock. */
  timeoutMs: number;
}

const acceptedOf = (state: WorldState, { type, about }: WantedWebhooks): DeliveryRecord[] =>
  find(state, "Delivery", ["byState", "ACCEPTED"]).filter(
    (one) => one.type === type && (about === undefined || one.about === about),
  );

const touchesDeliveries = ({ put = [], opens }: Change) =>
  opens !== undefined || put.some(([kind]) => kind === "Delivery");

const didNotCome = (found: number, { type, count, about, timeoutMs }: WantedWebhooks) => {
  const what = `${type}${about === undefined ? "" : ` about ${about}`}`;
  const says = `Expected ${count} × ${what} accepted within ${showDuration(timeoutMs)} but found ${found}`;
  return refuse("WEBHOOK_DID_NOT_COME", { type, count, found }, says);
};

/**
 * Waits until so many webhooks were accepted; what was accepted before counts. Refuses with
 * `WEBHOOK_DID_NOT_COME` when the time is over.
 * @returns all that fit, oldest first
 */
export const waitForWebhooks = async (
  control: WorldControl,
  wanted: WantedWebhooks,
): Promise<DeliveryRecord[]> => {
  const { engine, closing } = control;
  const accepted = () => acceptedOf(engine.state, wanted);
  const holds = () => accepted().length >= wanted.count;
  const { timeoutMs } = wanted;
  await waitUntil(control, { holds, touches: touchesDeliveries, timeoutMs });
  if (closing.aborted) return refuse("UNAVAILABLE", { why: "it is closed" });
  const found = accepted();
  return found.length >= wanted.count ? found : didNotCome(found.length, wanted);
};
