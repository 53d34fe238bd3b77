import { drawsOf } from "../../setup/draws.ts";

/** Random draws of one history, repeatable by seed. */
export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Continues as a generator of another seed. */
  begin(seed: number): void;
}

export const chanceOf = (seed: number): Chance => {
  let next = drawsOf(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    begin: (other) => {
      next = drawsOf(Math.imul(other, 0x9e3779b1));
    },
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
};
