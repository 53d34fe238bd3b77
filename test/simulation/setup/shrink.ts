import { Counts } from "./counts.ts";
import { BrokenHistory, playHistory } from "./play.ts";
import type { Product } from "./product.ts";

const isBroken = async (product: Product, seed: number, shorter: Shorter) => {
  try {
    await playHistory(product, seed, { counts: new Counts(), shorter });
    return undefined;
  } catch (error) {
    if (error instanceof BrokenHistory) return error;
    throw error;
  }
};

interface Shorter {
  steps: number;
  without: ReadonlySet<number>;
}

/**
 * Leaves out steps of a broken history one by one, as long as it still breaks a rule.
 * @returns the shortest history that was found
 */
export const shrink = async (product: Product, broken: BrokenHistory): Promise<BrokenHistory> => {
  const { seed, step: steps } = broken;
  let without = new Set<number>();
  let shortest = broken;
  for (let step = steps - 1; step >= 1; step -= 1) {
    const fewer = new Set(without).add(step);
    const found = await isBroken(product, seed, { steps, without: fewer });
    if (!found) continue;
    without = fewer;
    shortest = found;
  }
  return shortest;
};
