import { Counts } from "./counts.ts";
import { playHistory } from "./play.ts";
import { loadProduct, type Product } from "./product.ts";

let product: Promise<Product> | undefined;

/**
 * Plays a history of each seed.
 * @throws BrokenHistory of the first that breaks a rule
 */
export const playAll = async (seeds: readonly number[]): Promise<Counts> => {
  product ??= loadProduct();
  const counts = new Counts();
  for (const seed of seeds) await playHistory(await product, seed, { counts });
  return counts;
};

export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);
