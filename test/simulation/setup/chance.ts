/** Random draws of one history, repeatable by seed. */
export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Goes on as a generator of another seed. */
  begin(seed: number): void;
}

/** The generator mulberry32: small, fast, and the same on every machine. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    begin: (other) => {
      state = Math.imul(other, 0x9e3779b1) >>> 0;
    },
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
};
