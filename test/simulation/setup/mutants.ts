import { Counts } from "./counts.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { BrokenHistory, playHistory } from "./play.ts";
import { loadProduct } from "./product.ts";

/** The history that found a planted bug. */
export interface Found {
  seed: number;
  /** Histories that were played until then. */
  histories: number;
  rule: string;
}

/**
 * Plays histories of the program with a planted bug until one breaks a rule.
 * @param seeds the seeds to play, in this order
 * @returns nothing when no history found it
 */
export const findBug = async (
  bug: PlantedBug,
  seeds: Iterable<number>,
): Promise<Found | undefined> => {
  const product = await loadProduct([bug, ...(bug.also ?? [])]);
  const counts = new Counts();
  for (const seed of seeds)
    try {
      await playHistory(product, seed, { counts });
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      return { seed, histories: counts.histories, rule: error.rule };
    }
  return undefined;
};
