import type { Change } from "./change.ts";
import type { FiredTimer } from "./listeners.ts";

/** Where a world stood when a copy of it was made. */
export interface Origin {
  generation: number;
  seq: number;
  /** The instant at which an advance held its clock, if one was under way. */
  stepMs?: number;
}

/**
 * Whether a world has moved since a copy was made of it. What opens it anew may be late: what
 * moved is dropped.
 */
export const isMoved = (then: Origin, now: Origin, { opens }: { opens: boolean }) =>
  then.generation !== now.generation ||
  (!opens && (then.seq !== now.seq || then.stepMs !== now.stepMs));

/** One thing that happened to a copy; `tell` is called when the world itself has come that far. */
export type RehearsalEntry = { change: Change } | { fired: FiredTimer } | { tell(): void };

/**
 * The same happenings as a world takes them in: its changes numbered on from where it stands, and
 * marked as one group of the journal. Ids go on behind every id that the world has given out.
 */
export const asGroup = (
  past: readonly RehearsalEntry[],
  { seq: afterSeq, counter }: { seq: number; counter: number },
): RehearsalEntry[] => {
  let seq = afterSeq;
  const upTo = afterSeq + past.filter((one) => "change" in one).length;
  return past.map((one) => {
    if (!("change" in one)) return one;
    seq += 1;
    const change = { ...one.change, seq, n: Math.max(one.change.n, counter) };
    return { change: seq < upTo ? { ...change, upTo } : change };
  });
};
