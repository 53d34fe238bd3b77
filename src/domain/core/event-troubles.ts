import { TROUBLES } from "../../contract/core/trouble-names.ts";
import type { TroubleRecord } from "../records/trouble-records.ts";
import type { Draft, EmittedEvent, EventTreatment, Moment } from "./draft.ts";
import { DURATIONS } from "./durations.ts";
import { setTimer } from "./schedule.ts";

type Met = Pick<EmittedEvent, "id" | "type" | "about">;

const isUsedUp = ({ times, met }: TroubleRecord) => times !== undefined && met >= times;

const meets = ({ type, about }: TroubleRecord, event: Met) =>
  (type ?? event.type) === event.type && (about ?? event.about) === event.about;

/** The beginning of a delivery under each trouble. */
const BEGIN: Record<
  TroubleRecord["does"],
  (
    draft: Draft,
    met: { trouble: TroubleRecord; event: Met },
    moment: Moment,
  ) => Partial<EventTreatment>
> = {
  hold: () => ({ state: "HELD" }),
  drop: () => ({ state: "DROPPED" }),
  duplicate: () => ({ copies: 1 }),
  delay: (draft, { trouble, event }, moment) => {
    const dueAtMs = moment.atMs + (trouble.byMs ?? DURATIONS.labDelayMs);
    setTimer(draft, { name: "webhook.retry", subject: event.id, dueAtMs }, moment);
    return { state: "RETRYING", nextAttemptAtMs: dueAtMs };
  },
  // The last of the group goes first; the others follow one by one.
  reorder: (_draft, { trouble: { met, times = 2 } }) => (met + 1 < times ? { state: "HELD" } : {}),
};

/**
 * The treatment of an event by the oldest trouble that it meets and that is not used up
 * (spec/webhooks.md#troubles). Test events meet none.
 */
export const treatmentOf = (
  draft: Draft,
  event: Met,
  moment: Moment,
): EventTreatment | undefined => {
  if (event.type === "TEST") return undefined;
  for (const id of draft.ids("Trouble", "all", "")) {
    const trouble = draft.get("Trouble", id);
    if (!trouble || isUsedUp(trouble) || !meets(trouble, event)) continue;
    const treatment = BEGIN[trouble.does](draft, { trouble, event }, moment);
    const isBound = trouble.does === "reorder" && !trouble.anyRecord && event.about !== undefined;
    const group = [...(trouble.group ?? []), event.id];
    draft.put("Trouble", {
      ...trouble,
      met: trouble.met + 1,
      ...(trouble.does === "reorder" && { group }),
      // It swaps within a record: that of the first webhook that it meets.
      ...(isBound && { about: event.about }),
    });
    return { id, did: TROUBLES[trouble.does].did, ...treatment };
  }
  return undefined;
};
