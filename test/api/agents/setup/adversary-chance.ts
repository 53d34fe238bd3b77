/** Chooses by a number of the run; the same number makes the same choices. */
export class Chance {
  private seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** A whole number below a bound (mulberry32). */
  below(bound: number): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / (2 ** 32 / bound));
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  maybe<T>(items: readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }

  /** True in `percent` of 100 cases. */
  odds(percent: number): boolean {
    return this.below(100) < percent;
  }
}
