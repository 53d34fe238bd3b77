import { drawsOf } from "../../../setup/draws.ts";

/** Chooses by a number of the run; the same number makes the same choices. */
export class Chance {
  private readonly draw: () => number;

  constructor(seed: number) {
    this.draw = drawsOf(seed);
  }

  /** A whole number below a bound. */
  below(bound: number): number {
    return Math.floor(this.draw() * bound);
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
