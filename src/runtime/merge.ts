import type { Change } from "./change.ts";
import type { FiredTimer } from "./listeners.ts";

/** The point that a world had reached when a copy of it was made. */
export interface Origin {
  generation: number;
  seq: number;
  /** The instant at which an advance held its clock, if one was under way. */
  stepMs?: number;
}

/**
 * Tells whether a world has changed since a copy was made of it. Work that opens the world again
 * may come late: it drops the changes made meanwhile.
 */
export const isMoved = (then: Origin, now: Origin, { opens }: { opens: boolean }) =>
  then.generation !== now.generation ||
  (!opens && (then.seq !== now.seq || then.stepMs !== now.stepMs));

/** One step in the life of a copy; `tell` is called when the world itself has reached that step. */
export type DryRunEntry = { change: Change } | { fired: FiredTimer } | { tell(): void };

/**
 * Renumbers the same steps for the world that takes them in: its changes continue the world's own,
 * marked as one group of the journal. New ids follow every id that the world has given out.
 */
export const asGroup = (
  past: readonly DryRunEntry[],
  { seq: afterSeq, counter }: { seq: number; counter: number },
): DryRunEntry[] => {
  let seq = afterSeq;
  const upTo = afterSeq + past.filter((one) => "change" in one).length;
  return past.map((one) => {
    if (!("change" in one)) return one;
    seq += 1;
    const change = { ...one.change, seq, n: Math.max(one.change.n, counter) };
    return { change: seq < upTo ? { ...change, upTo } : change };
  });
};
