import type { WorldRecording } from "../contract/control/recordings.ts";
import { defined } from "../contract/core/defined.ts";
import type { WorldState } from "../runtime/world-state.ts";

export type RecordedWebhooks = WorldRecording["webhooks"];

/** Refused calls, and webhooks, that a recording tells (spec/capsules.md#recordings-of-worlds). */
export const MOST_TOLD = 5;

/** The newest webhooks of a world, as its recording tells them. */
export const lastWebhooks = (state: WorldState): RecordedWebhooks => {
  const ids = state.ids("Delivery", "all", "");
  return ids.slice(Math.max(0, ids.length - MOST_TOLD)).flatMap((id) => {
    const delivery = state.get("Delivery", id);
    // Those that a fork inherited were never its own.
    if (!delivery || delivery.state === "FORKED") return [];
    const { type, about, attempts } = delivery;
    const last = attempts.at(-1);
    const answer = last && String(last.httpStatus ?? last.error);
    return [{ id, type, state: delivery.state, ...defined({ about, answer }) }];
  });
};
