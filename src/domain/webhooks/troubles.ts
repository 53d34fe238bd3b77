import { defined } from "../../contract/core/defined.ts";
import type { Trouble } from "../../contract/core/trouble-names.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { LiftedTroubles, WebhookTrouble } from "../../contract/webhooks/troubles.ts";
import { all, type Draft, find, instant, type Rule, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import type { DeliveryRecord } from "../records/records.ts";
import type { TroubleRecord } from "../records/trouble-records.ts";

/** Number of webhooks that each trouble meets by default; `hold` continues. */
const USUAL_TIMES: Record<Trouble, number | undefined> = {
  hold: undefined,
  duplicate: 1,
  reorder: 2,
  delay: 1,
  drop: 1,
};

interface NewTrouble {
  does: Trouble;
  type?: EventType | undefined;
  about?: string | undefined;
  times?: number | undefined;
  byMs?: number | undefined;
  anyRecord?: boolean | undefined;
}

/** A trouble as its list shows it. */
export const showTrouble = (trouble: TroubleRecord): WebhookTrouble => {
  const { id, does, type, about, times, byMs, anyRecord, met, createdAtMs } = trouble;
  const lacking = does === "reorder" && met > 0 ? (times ?? met) - met : 0;
  return {
    id,
    do: does,
    ...defined({ type, about, times, byMs, anyRecord }),
    met,
    ...(lacking > 0 && { waitsFor: lacking }),
    createdAt: instant(createdAtMs),
  };
};

/** POST /_sim/webhooks/troubles: for webhooks of events that happen from now on. */
export const addTrouble: Rule<NewTrouble, WebhookTrouble> = (draft, given, moment) => {
  const { does, type, about, times = USUAL_TIMES[does] } = given;
  const byMs = does === "delay" ? (given.byMs ?? DURATIONS.labDelayMs) : undefined;
  const trouble: TroubleRecord = {
    id: moment.newId("Trouble"),
    does,
    ...defined({ type, about, times, byMs }),
    ...(given.anyRecord && { anyRecord: true as const }),
    met: 0,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Trouble", trouble);
  return showTrouble(trouble);
};

/** Troubles that are on, oldest first; the first that a webhook meets treats it. */
export const troublesOf = (view: View): readonly TroubleRecord[] => all(view, "Trouble");

/** Webhooks that are held back. */
export const heldIn = (view: View): readonly DeliveryRecord[] =>
  find(view, "Delivery", ["byState", "HELD"]);

const release = (draft: Draft, deliveries: readonly DeliveryRecord[]) => {
  for (const delivery of deliveries) draft.put("Delivery", { ...delivery, state: "WAITING" });
  return deliveries.length;
};

/**
 * Lifts troubles and releases what they hold; each lane sends it in the order of its events
 * (spec/webhooks.md#release).
 */
export const liftTroubles = (draft: Draft, ids: readonly string[]): LiftedTroubles => {
  const held = heldIn(draft).filter(({ trouble }) => ids.includes(trouble?.id ?? ""));
  for (const id of ids) draft.del("Trouble", id);
  return { lifted: ids.length, released: release(draft, held) };
};

/** POST /_sim/webhooks/release: one webhook, or all that are held, with the troubles that hold. */
export const releaseHeld: Rule<{ id?: string | undefined }, LiftedTroubles> = (draft, { id }) => {
  if (id !== undefined) {
    const one = heldIn(draft).filter((delivery) => delivery.id === id);
    return { lifted: 0, released: release(draft, one) };
  }
  const holding = troublesOf(draft).filter(({ does }) => does === "hold" || does === "reorder");
  const { lifted, released } = liftTroubles(
    draft,
    holding.map((one) => one.id),
  );
  // Those of a trouble that is gone are held by nothing else.
  return { lifted, released: released + release(draft, heldIn(draft)) };
};
