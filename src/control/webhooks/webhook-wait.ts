import { find } from "../../domain/core/draft.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { DeliveryRecord, DeliveryState } from "../../domain/records/records.ts";
import type { Change } from "../../runtime/change.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { waitUntil } from "../core/wait-until.ts";
import type { World } from "../core/world.ts";

/** The beginning of a wait: after a webhook, by its id, or from a simulated instant on. */
export type Since = { after: string } | { fromMs: number };

/** Webhooks that somebody waits for. */
export interface WantedWebhooks {
  type: string;
  count: number;
  /** Id of the record that they are about. */
  about?: string;
  /** Counts only webhooks from here on. */
  since?: Since;
  /** Longest wait, on the system clock. */
  timeoutMs: number;
}

/** States that count: without an endpoint, collected events count as accepted. */
const countedStates = (state: WorldState): readonly DeliveryState[] =>
  platformConfig(state).webhookEndpoint === undefined
    ? ["ACCEPTED", "UNDELIVERABLE"]
    : ["ACCEPTED"];

// Ids begin with their time, so that their order as texts is that of time.
const isLateEnough = (since: Since | undefined, { id, bornAtMs }: DeliveryRecord) => {
  if (since === undefined) return true;
  return "after" in since ? id > since.after : bornAtMs >= since.fromMs;
};

const arrivedOf = (state: WorldState, { type, about, since }: WantedWebhooks): DeliveryRecord[] =>
  countedStates(state)
    .flatMap((name) => find(state, "Delivery", ["byState", name]))
    .filter(
      (delivery) => delivery.type === type && (about === undefined || delivery.about === about),
    )
    .filter((delivery) => isLateEnough(since, delivery))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** Tells if a change may add to the count: each event that it emits makes a delivery. */
const mayCount = ({ put = [], emit = [], opens }: Change) =>
  opens !== undefined ||
  emit.length > 0 ||
  put.some(([kind]) => kind === "Delivery" || kind === "PlatformConfig");

const refuseMissing = (
  state: WorldState,
  came: number,
  { type, count, about, timeoutMs }: WantedWebhooks,
) => {
  const what = `${type}${about === undefined ? "" : ` about ${about}`}`;
  const verb = countedStates(state).includes("UNDELIVERABLE") ? "collected" : "accepted";
  const message = `Expected ${count} × ${what} ${verb} within ${showDuration(timeoutMs)} but found ${came}`;
  return refuse("WEBHOOK_DID_NOT_COME", { type, count, found: came }, message);
};

/**
 * Waits until N webhooks have been accepted; those before the call count too, unless `since` excludes
 * them. While no endpoint is set, collected ones count. Refuses with `WEBHOOK_DID_NOT_COME` when the time is over.
 * @returns all that fit, oldest first
 */
export const waitForWebhooks = async (
  world: World,
  wanted: WantedWebhooks,
): Promise<DeliveryRecord[]> => {
  const { engine, closing } = world;
  const arrived = () => arrivedOf(engine.state, wanted);
  const holds = () => arrived().length >= wanted.count;
  const { timeoutMs } = wanted;
  await waitUntil(world, { holds, touches: mayCount, timeoutMs, skips: true });
  if (closing.aborted) return refuse("UNAVAILABLE", { why: "it is closed" });
  const deliveries = arrived();
  return deliveries.length >= wanted.count
    ? deliveries
    : refuseMissing(engine.state, deliveries.length, wanted);
};
