import type { Pair, Target } from "./figure.ts";

/** A summary of the ratios of some pairs. */
export interface Ratios {
  median: number;
  min: number;
  max: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
};

/**
 * Divides the pairs.
 * @throws when there is no pair, or one of them has no measurement
 */
export const ratiosOf = (pairs: readonly Pair[]): Ratios => {
  const ratios = pairs.map(({ measured, floor }) => measured / floor);
  if (ratios.length === 0 || !ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0))
    throw new Error(`Expected pairs above zero but found ${JSON.stringify(pairs)}`);
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
};

export const isMet = (target: Target, { median }: Ratios) =>
  "atMost" in target ? median <= target.atMost : median >= target.atLeast;
