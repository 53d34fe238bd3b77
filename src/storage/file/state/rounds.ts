/** Gives a few things of a list at a time, and comes to each of them in its turn. */
export class Rounds {
  private at = 0;

  next<Item>(items: readonly Item[], most: number): Item[] {
    const count = Math.min(items.length, most);
    const from = this.at % Math.max(1, items.length);
    this.at = from + count;
    return [...items.slice(from), ...items.slice(0, from)].slice(0, count);
  }
}
