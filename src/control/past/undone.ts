import type { Undone } from "../../contract/control/rewind.ts";
import { instant } from "../../domain/core/draft.ts";
import type { Change } from "../../runtime/change.ts";
import { isAct } from "./rewind-target.ts";

/** Acts named in a report; the rest is counted. */
const MAX_ACTS = 20;

/** Sums up what a rewind takes back. */
export const undoneIn = (changes: readonly Change[], count: number): Undone => {
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
    acts: [...byCause.values()]
      .sort((a, b) => b.seq - a.seq)
      .slice(0, MAX_ACTS)
      .map(({ at, by, cause }) => ({ at: instant(at), by, cause })),
  };
};
