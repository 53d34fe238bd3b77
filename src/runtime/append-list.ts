/** Items of one chunk. */
const CHUNK = 1024;

/**
 * A list that only grows at its end, or is replaced whole, and that forks at once: both sides share
 * the full chunks (decisions/shared-structure.md).
 */
export class AppendList<Item> {
  private chunks: Item[][] = [];
  /** Whether the list of chunks, and the last chunk, may be written in place. */
  private isOwn = true;

  get length() {
    const last = this.chunks.at(-1);
    return last ? (this.chunks.length - 1) * CHUNK + last.length : 0;
  }

  push(item: Item) {
    if (!this.isOwn) this.own();
    const last = this.chunks.at(-1);
    if (last && last.length < CHUNK) last.push(item);
    else this.chunks.push([item]);
  }

  /** Items from one position to before another; negative ones count from the end. */
  slice(from = 0, to = this.length): Item[] {
    const first = Math.max(0, from < 0 ? from + this.length : from);
    const end = Math.min(to < 0 ? to + this.length : to, this.length);
    const parts: Item[][] = [];
    for (let at = first; at < end; ) {
      const chunk = Math.floor(at / CHUNK);
      const start = chunk * CHUNK;
      parts.push((this.chunks[chunk] as Item[]).slice(at - start, end - start));
      at = start + CHUNK;
    }
    return ([] as Item[]).concat(...parts);
  }

  *[Symbol.iterator](): Generator<Item, undefined> {
    for (const chunk of this.chunks) yield* chunk;
  }

  /** Items before a position, by default all, the newest first. */
  *reversed(end = this.length): Generator<Item, undefined> {
    for (let at = Math.min(end, this.length) - 1; at >= 0; at -= 1)
      yield (this.chunks[Math.floor(at / CHUNK)] as Item[])[at % CHUNK] as Item;
  }

  /** Puts these items in place of all. */
  replace(items: readonly Item[]) {
    this.chunks = [];
    this.isOwn = true;
    for (let at = 0; at < items.length; at += CHUNK) this.chunks.push(items.slice(at, at + CHUNK));
  }

  /** The same items for another writer; from now on neither sees what the other adds. */
  fork(): AppendList<Item> {
    const twin = new AppendList<Item>();
    twin.chunks = this.chunks;
    twin.isOwn = false;
    this.isOwn = false;
    return twin;
  }

  private own() {
    this.chunks = this.chunks.slice();
    const last = this.chunks.pop();
    if (last) this.chunks.push(last.slice());
    this.isOwn = true;
  }
}
