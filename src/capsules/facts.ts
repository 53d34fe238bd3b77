import type { FindFact } from "../domain/core/facts.ts";
import type { NotedFact } from "../worlds/fact-notes.ts";

/**
 * Answers the checks of one request from its line. A check that the line does not know at this place
 * is made: the run went another way, and its reply tells so.
 */
export const answersFrom = (facts: readonly NotedFact[]): FindFact => {
  const left = [...facts];
  return (of, check) => (left[0]?.of === of ? (left.shift()?.is as never) : check());
};
