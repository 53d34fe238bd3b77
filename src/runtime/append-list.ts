/** Items of one chunk. */
const CHUNK = 1024;

/** Some items in a row; an array is one. */
export interface Chunk<Item> {
  readonly length: number;
  push(item: Item): unknown;
  at(position: number): Item | undefined;
  slice(): Chunk<Item>;
}

/**
 * A list that only grows at its end, or is replaced whole, and that forks at once: both sides share
 * the full chunks (decisions/shared-structure.md).
 */
export class AppendList<Item> {
  private readonly newChunk: () => Chunk<Item>;
  private chunks: Chunk<Item>[] = [];
  /** Whether the list of chunks, and the last chunk, may be written in place. */
  private isOwn = true;

  /** @param newChunk makes the chunks that items are kept in, by default arrays */
  constructor(newChunk: () => Chunk<Item> = () => []) {
    this.newChunk = newChunk;
  }

  get length() {
    const last = this.chunks.at(-1);
    return last ? (this.chunks.length - 1) * CHUNK + last.length : 0;
  }

  push(item: Item) {
    if (!this.isOwn) this.own();
    const last = this.chunks.at(-1);
    if (last && last.length < CHUNK) last.push(item);
    else this.begin(item);
  }

  /** Items from one position to before another; negative ones count from the end. */
  slice(from = 0, to = this.length): Item[] {
    const first = Math.max(0, from < 0 ? from + this.length : from);
    const end = Math.min(to < 0 ? to + this.length : to, this.length);
    const items: Item[] = [];
    for (let at = first; at < end; at += 1) items.push(this.at(at));
    return items;
  }

  *[Symbol.iterator](): Generator<Item, undefined> {
    for (let at = 0; at < this.length; at += 1) yield this.at(at);
  }

  /** Items before a position, by default all, the newest first. */
  *reversed(end = this.length): Generator<Item, undefined> {
    for (let at = Math.min(end, this.length) - 1; at >= 0; at -= 1) yield this.at(at);
  }

  /** Puts these items in place of all. */
  replace(items: readonly Item[]) {
    this.chunks = [];
    this.isOwn = true;
    for (const item of items) this.push(item);
  }

  /** The same items for another writer; from now on neither sees what the other adds. */
  fork(): AppendList<Item> {
    const twin = new AppendList<Item>(this.newChunk);
    twin.chunks = this.chunks;
    twin.isOwn = false;
    this.isOwn = false;
    return twin;
  }

  private at(position: number): Item {
    return this.chunks[Math.floor(position / CHUNK)]?.at(position % CHUNK) as Item;
  }

  private begin(item: Item) {
    const full = this.chunks.pop();
    const next = this.newChunk();
    next.push(item);
    // A copy is without the room that its original grew into.
    if (full) this.chunks.push(full.slice(), next);
    else this.chunks.push(next);
  }

  private own() {
    this.chunks = this.chunks.slice();
    const last = this.chunks.pop();
    if (last) this.chunks.push(last.slice());
    this.isOwn = true;
  }
}
