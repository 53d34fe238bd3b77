import { type Ids, positionIn } from "../domain/core/ids.ts";

/**
 * Up to this many ids are kept in a plain array that each write copies; most lists have one to
 * five.
 */
const FEW = 8;
/** Most ids in one chunk. Sizes from 64 to 512 cost about the same. */
const CHUNK = 256;
/** Neighboring chunks with at most this many ids together are joined. */
const JOINED = CHUNK / 2;

/** Identity of a writer: it may write its own nodes in place and copies all others first. */
export type Owner = object;

/** Ids of an index entry. Plain arrays are never written in place. */
export type IdList = readonly string[] | IdSet;

interface Chunk {
  owner: Owner;
  ids: string[];
}

/**
 * Many ids in ascending order, in chunks. A new owner shares the chunks and copies one at its first
 * write there. After a fork both sides write under new owners, so neither sees the other's writes.
 */
export class IdSet implements Ids {
  readonly owner: Owner;
  private chunks: Chunk[];
  private ownsChunks = false;
  private count: number;
  /** Position of each chunk's first id; computed on demand, dropped by a write. */
  private starts: readonly number[] | undefined;

  private constructor(owner: Owner, chunks: Chunk[], count: number) {
    this.owner = owner;
    this.chunks = chunks;
    this.count = count;
  }

  /** @param ids ascending and unique, at least one */
  static of(ids: readonly string[], owner: Owner): IdSet {
    const chunks: Chunk[] = [];
    for (let at = 0; at < ids.length; at += CHUNK)
      chunks.push({ owner, ids: ids.slice(at, at + CHUNK) });
    return new IdSet(owner, chunks, ids.length);
  }

  /**
   * The same ids for `owner` to write: this list if it is the owner's, else a copy that shares
   * chunks.
   */
  ownedBy(owner: Owner): IdSet {
    return owner === this.owner ? this : new IdSet(owner, this.chunks, this.count);
  }

  get length() {
    return this.count;
  }

  at(position: number): string | undefined {
    // Without the start of each chunk, which each write has counted again.
    if (position === -1) return this.chunks.at(-1)?.ids.at(-1);
    if (position === 0) return this.chunks[0]?.ids[0];
    const at = position < 0 ? position + this.count : position;
    if (at < 0 || at >= this.count) return undefined;
    const chunk = this.chunkAt(at);
    return this.chunks[chunk]?.ids[at - (this.startsOfChunks()[chunk] as number)];
  }

  position(id: string): number {
    if (this.count === 0) return 0;
    const chunk = this.chunkFor(id);
    return (this.startsOfChunks()[chunk] as number) + positionIn(this.idsOf(chunk), id);
  }

  slice(from = 0, to = this.count): string[] {
    const first = from < 0 ? Math.max(0, from + this.count) : from;
    const end = Math.min(to < 0 ? to + this.count : to, this.count);
    if (first >= end) return [];
    const parts: string[][] = [];
    let chunk = this.chunkAt(first);
    let start = this.startsOfChunks()[chunk] as number;
    while (start < end) {
      const ids = this.idsOf(chunk);
      parts.push(ids.slice(Math.max(0, first - start), end - start));
      start += ids.length;
      chunk += 1;
    }
    return ([] as string[]).concat(...parts);
  }

  *[Symbol.iterator](): Generator<string, undefined> {
    for (const { ids } of this.chunks) yield* ids;
  }

  /** Adds an id; does nothing if it is there. */
  insert(id: string) {
    if (this.count === 0) this.ownChunks().push({ owner: this.owner, ids: [] });
    const at = this.chunkFor(id);
    const known = this.idsOf(at);
    const isLast = known.length === 0 || (known.at(-1) as string) < id;
    const position = isLast ? known.length : positionIn(known, id);
    if (known[position] === id) return;
    if (isLast && known.length >= CHUNK && at === this.chunks.length - 1)
      // Most ids arrive in ascending order, so full chunks stay full.
      this.ownChunks().push({ owner: this.owner, ids: [id] });
    else {
      const ids = this.ownIds(at);
      if (isLast) ids.push(id);
      else ids.splice(position, 0, id);
      if (ids.length > CHUNK) this.split(at);
    }
    this.count += 1;
    this.starts = undefined;
  }

  /** Removes an id; does nothing if it is missing. */
  remove(id: string) {
    if (this.count === 0) return;
    const at = this.chunkFor(id);
    const known = this.idsOf(at);
    // Bounded lists drop their oldest id, which is first.
    const position = known[0] === id ? 0 : positionIn(known, id);
    if (known[position] !== id) return;
    const ids = this.ownIds(at);
    if (position === 0) ids.shift();
    else ids.splice(position, 1);
    if (ids.length === 0) this.ownChunks().splice(at, 1);
    else if (ids.length < JOINED) this.join(at);
    this.count -= 1;
    this.starts = undefined;
  }

  private idsOf(chunk: number): readonly string[] {
    return (this.chunks[chunk] as Chunk).ids;
  }

  /** Ids in a chunk; those that do not exist are taken for full ones. */
  private sizeOf(chunk: number) {
    return this.chunks[chunk]?.ids.length ?? CHUNK;
  }

  private ownChunks(): Chunk[] {
    if (!this.ownsChunks) this.chunks = this.chunks.slice();
    this.ownsChunks = true;
    return this.chunks;
  }

  private ownIds(at: number): string[] {
    const chunks = this.ownChunks();
    const chunk = chunks[at] as Chunk;
    if (chunk.owner === this.owner) return chunk.ids;
    const own = { owner: this.owner, ids: chunk.ids.slice() };
    chunks[at] = own;
    return own.ids;
  }

  private split(at: number) {
    const ids = this.ownIds(at).splice(CHUNK / 2);
    this.ownChunks().splice(at + 1, 0, { owner: this.owner, ids });
  }

  /** Joins a chunk with a neighbor, so that removals do not leave many small chunks. */
  private join(at: number) {
    const first = this.sizeOf(at) + this.sizeOf(at + 1) <= JOINED ? at : at - 1;
    if (this.sizeOf(first) + this.sizeOf(first + 1) > JOINED) return;
    const ids = this.ownIds(first);
    ids.push(...this.idsOf(first + 1));
    this.ownChunks().splice(first + 1, 1);
  }

  /** The chunk that an id belongs to: the last one that begins at or before it. */
  private chunkFor(id: string): number {
    const { chunks } = this;
    let low = 0;
    let high = chunks.length - 1;
    // Most reads and writes concern the newest and the oldest ids.
    if (high > 0 && this.begins(high, id)) return high;
    if (high > 1 && !this.begins(1, id)) return 0;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.begins(middle, id)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private begins(chunk: number, id: string) {
    return (this.idsOf(chunk)[0] as string) <= id;
  }

  /** The chunk that holds a position below `length`. */
  private chunkAt(position: number): number {
    const starts = this.startsOfChunks();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private startsOfChunks(): readonly number[] {
    if (this.starts) return this.starts;
    let start = 0;
    this.starts = this.chunks.map(({ ids }) => {
      start += ids.length;
      return start - ids.length;
    });
    return this.starts;
  }
}

/** @param ids ascending and unique */
export const listOf = (ids: readonly string[], owner: Owner): IdList =>
  ids.length > FEW ? IdSet.of(ids, owner) : ids;

/** The list with an id added, which replaces the given one for its owner. */
export const withId = (list: IdList, id: string, owner: Owner): IdList => {
  if (list instanceof IdSet || list.length >= FEW) {
    const own = list instanceof IdSet ? list.ownedBy(owner) : IdSet.of(list, owner);
    own.insert(id);
    return own;
  }
  const last = list.at(-1);
  if (last === undefined || last < id) return [...list, id];
  const position = positionIn(list, id);
  return list[position] === id ? list : list.toSpliced(position, 0, id);
};

/** The list without an id, which replaces the given one for its owner. */
export const withoutId = (list: IdList, id: string, owner: Owner): IdList => {
  if (list instanceof IdSet) {
    const own = list.ownedBy(owner);
    own.remove(id);
    return own;
  }
  const position = positionIn(list, id);
  return list[position] === id ? list.toSpliced(position, 1) : list;
};
