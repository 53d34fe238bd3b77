import { brokenJournals, fallenFences, wrongEffects } from "./effects.ts";
import { wrongEvents } from "./events.ts";
import type { ClusterHistory } from "./history.ts";
import { staleReplies, wrongReplies } from "./replies.ts";
import { awayWithoutFault, wrongRests } from "./rests.ts";

/** The rules of the campaign, by the sentence that each stands for. */
export const CLUSTER_RULES = {
  "replies go forward": staleReplies,
  "replies are what the journal has": wrongReplies,
  "acknowledged calls are done once": wrongEffects,
  "the journal is whole": brokenJournals,
  "fences rise": fallenFences,
  "events reach their receiver": wrongEvents,
  "nothing is left over": wrongRests,
  "worlds are away only during faults": awayWithoutFault,
} as const satisfies Record<string, (history: ClusterHistory) => string[]>;

/** A rule that a history breaks, and each place where it does. */
export interface Breach {
  rule: keyof typeof CLUSTER_RULES;
  found: string[];
}

/** Holds each rule against a history. */
export const checkHistory = (history: ClusterHistory): Breach[] =>
  Object.entries(CLUSTER_RULES)
    .map(([rule, check]) => ({ rule: rule as Breach["rule"], found: check(history) }))
    .filter(({ found }) => found.length > 0);
