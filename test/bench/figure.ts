import type { RunLength } from "./run-length.ts";
import type { Workplace } from "./workplace.ts";

/** A measurement and, next to it in time, its floor. Both have the same unit. */
export interface Pair {
  measured: number;
  floor: number;
}

/** Bound of a figure's median ratio. */
export type Target = { atMost: number } | { atLeast: number };

/** Pairs, and lines to print below the table. */
export interface Found {
  pairs: Pair[];
  notes?: readonly string[];
}

/** One row of the table: a cost of ours, divided by the least it could be. */
export interface Figure {
  name: string;
  /** The floor that it is divided by. */
  floor: string;
  /** Unit of both halves of a pair. */
  unit: "ms" | "/s" | "MB" | "MiB" | "KiB" | "µs" | "%";
  /** Absent for a figure that is only reported. */
  target?: Target;
  /** The shortest run that measures it: a usual one by default. */
  from?: RunLength;
  /**
   * Measures the pairs.
   * @throws Skipped where this machine cannot measure it
   */
  measure(workplace: Workplace): Promise<Pair[] | Found>;
}

/** A figure this machine cannot measure, with the reason; not a failure. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Runs both halves in turn, so that a disturbance hits both. */
export const pairsInTurn = async (
  counts: { warmUps: number; pairs: number },
  { measured, floor }: { measured(): Promise<number>; floor(): Promise<number> },
): Promise<Pair[]> => {
  const pairs: Pair[] = [];
  for (let turn = 0; turn < counts.warmUps + counts.pairs; turn += 1) {
    const pair = { measured: await measured(), floor: await floor() };
    if (turn >= counts.warmUps) pairs.push(pair);
  }
  return pairs;
};
