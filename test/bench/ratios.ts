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
 * The value that this share of the values does not exceed.
 * @param share above 0, at most 1
 * @throws when there is no value
 */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.ceil(share * sorted.length) - 1];
  if (found === undefined) throw new Error("Expected values but found none");
  return found;
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

/**
 * Whether even the best ratio is worse than half its goal: others who use the machine spoil some
 * pairs, but hardly all of them.
 */
export const isFarOff = (target: Target, { min, max }: Ratios) =>
  "atMost" in target ? min > 2 * target.atMost : max < target.atLeast / 2;

/** Shares of the whole that parts have, from 0 to 1. */
export const sharesOf = <Name extends string>(
  parts: Readonly<Record<Name, number>>,
): Record<Name, number> => {
  const whole = Object.values<number>(parts).reduce((sum, part) => sum + part, 0);
  const entries = Object.entries<number>(parts).map(([name, part]) => [name, part / whole]);
  return Object.fromEntries(entries) as Record<Name, number>;
};
