import type { Undone } from "../../contract/control/rewind.ts";
import { instant } from "../../domain/core/draft.ts";
import type { Change } from "../../runtime/change.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { isAct } from "./rewind-target.ts";

/** Acts named in a report; the rest is counted. */
const MAX_ACTS = 20;

/** Whether a receiver answered a webhook, whatever it said. */
const isAnswered = (state: WorldState, id: string) =>
  state.get("Delivery", id)?.attempts.some(({ httpStatus }) => httpStatus !== undefined) === true;

/** Sums up what a rewind takes back of the present state, `count` changes in all. */
export const undoneIn = (changes: readonly Change[], state: WorldState, count: number): Undone => {
  const acts = changes.filter(isAct);
  const byCause = new Map(acts.map((act) => [act.cause, act]));
  const causes = [...byCause.keys()];
  const requests = causes.filter((cause) => cause.startsWith("req-")).length;
  const fired = acts.filter(({ cause }) => !cause.startsWith("req-")).length;
  return {
    changes: count,
    requests,
    timers: fired,
    webhooks: changes.reduce((sum, { emit = [] }) => sum + emit.length, 0),
    delivered: changes.flatMap(({ emit = [] }) => emit).filter(({ id }) => isAnswered(state, id))
      .length,
    acts: [...byCause.values()]
      .sort((a, b) => b.seq - a.seq)
      .slice(0, MAX_ACTS)
      .map(({ at, by, cause }) => ({ at: instant(at), by, cause })),
  };
};
