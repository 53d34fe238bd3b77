/** Numbers that repeat for a seed (the generator mulberry32, which has 32 bits of state). */
export class Chance {
  private state: number;

  /** @param seed a whole number below 2^32 */
  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<One>(all: readonly One[]): One {
    return all[this.between(0, all.length - 1)] as One;
  }

  /** The same items in another order. */
  shuffled<One>(all: readonly One[]): One[] {
    const mixed = [...all];
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const other = this.between(0, at);
      [mixed[at], mixed[other]] = [mixed[other] as One, mixed[at] as One];
    }
    return mixed;
  }
}
