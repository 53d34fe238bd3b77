import type { Workplace } from "./workplace.ts";

/** What was measured and, next to it in time, its floor. Both have the same unit. */
export interface Pair {
  measured: number;
  floor: number;
}

/** Bound of a figure's median ratio. */
export type Target = { atMost: number } | { atLeast: number };

/** One row of the table: something of ours, divided by the least it could cost. */
export interface Figure {
  name: string;
  /** What it is divided by. */
  floor: string;
  /** Unit of both halves of a pair. */
  unit: "ms" | "requests/s" | "MiB";
  /** None: told for information. */
  target?: Target;
  /** @throws Skipped where this machine cannot tell it */
  measure(workplace: Workplace): Promise<Pair[]>;
}

/** A figure this machine cannot tell, and why; that is no failure. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Runs both halves in turn, so that what disturbs one disturbs the other. */
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
