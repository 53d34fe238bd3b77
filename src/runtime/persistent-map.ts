import type { Owner } from "./id-set.ts";

/** Most entries of a leaf: fewer cost more to read, more cost more to copy after a fork. */
const MOST = { ids: 32, texts: 16 } as const;
const BITS = 5;
const WIDTH = 1 << BITS;
/** Bits of a hash; below that depth a leaf grows without bound. */
const HASH_BITS = 30;
/** A leaf has entries, a branch has kids: one shape for both, which the engine reads fastest. */
interface Node<V> {
  readonly owner: Owner;
  readonly entries: Map<string, V> | undefined;
  readonly kids: (Node<V> | undefined)[] | undefined;
}

const leaf = <V>(owner: Owner, entries: Map<string, V>): Node<V> => ({
  owner,
  entries,
  kids: undefined,
});

const branch = <V>(owner: Owner, kids: (Node<V> | undefined)[]): Node<V> => ({
  owner,
  entries: undefined,
  kids,
});

const PRIME = 0x01000193;

/** Covers the whole text: addresses at one domain differ at their beginning alone. */
const hashOfText = (key: string): number => {
  let hash = key.length;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), PRIME);
  return (hash ^ (hash >>> 15)) >>> 2;
};

const UUID = 36;
const COLON = 0x3a;
const SEVEN = 0x37;
/** Levels of a tree below which neighboring ids part. */
const NEAR_BITS = 15;

const ofHexDigit = (code: number) => (code & 0xf) + (code > 0x39 ? 9 : 0);

/**
 * Hash of an id by its counter (spec/clock.md#ids). 128 ids in a row meet in one leaf, or in four
 * below one branch: after a fork, records that are made one after the other copy it once. More
 * leaves would take more memory than what they hold.
 */
const hashOfId = (key: string): number => {
  const start = key.length - UUID;
  let group = 0;
  for (let at = start + 15; at < start + 22; at += 1)
    group = Math.imul(group ^ key.charCodeAt(at), PRIME);
  const last = ofHexDigit(key.charCodeAt(start + 22));
  group = Math.imul(group ^ (last >>> 1), PRIME);
  group ^= group >>> 15;
  const next = ofHexDigit(key.charCodeAt(start + 24));
  const quarter = ((last & 0x1) << 1) | (next >>> 3);
  return (
    (group & (2 ** NEAR_BITS - 1)) | (quarter << NEAR_BITS) | ((next & 0x7) << (NEAR_BITS + BITS))
  );
};

const isId = (key: string): boolean => {
  const start = key.length - UUID;
  return start > 0 && key.charCodeAt(start - 1) === COLON && key.charCodeAt(start + 14) === SEVEN;
};

const hashOf = (key: string): number => (isId(key) ? hashOfId(key) : hashOfText(key));

/** A key with the values it has on two sides; at least one of them has it. */
export interface MapDifference<V> {
  key: string;
  mine: V | undefined;
  theirs: V | undefined;
}

/**
 * A map from texts that forks at once: both sides share what neither has written since
 * (decisions/shared-structure.md). Its order means nothing.
 */
export class PersistentMap<V> {
  private root: Node<V> | undefined;
  private owner: Owner = {};
  private count = 0;

  get size() {
    return this.count;
  }

  get(key: string): V | undefined {
    let node = this.root;
    if (node === undefined) return undefined;
    if (node.kids === undefined) return node.entries?.get(key);
    for (let hash = hashOf(key); node !== undefined; hash >>>= BITS) {
      if (node.kids === undefined) return node.entries?.get(key);
      node = node.kids[hash & (WIDTH - 1)];
    }
    return undefined;
  }

  set(key: string, value: V) {
    this.root = this.stored(this.root, key, value, this.root?.kids ? hashOf(key) : 0, 0);
  }

  delete(key: string) {
    if (this.root === undefined || this.get(key) === undefined) return;
    this.count -= 1;
    this.root = this.count === 0 ? undefined : this.without(this.root, key, hashOf(key));
  }

  clear() {
    this.root = undefined;
    this.count = 0;
  }

  *keys(): Generator<string, undefined> {
    for (const entries of leavesOf(this.root)) yield* entries.keys();
  }

  *values(): Generator<V, undefined> {
    for (const entries of leavesOf(this.root)) yield* entries.values();
  }

  /** The same entries for another writer; from now on neither sees what the other writes. */
  fork(): PersistentMap<V> {
    const twin = new PersistentMap<V>();
    twin.root = this.root;
    twin.count = this.count;
    // The nodes so far belong to neither.
    this.owner = {};
    return twin;
  }

  /** Keys whose values are not the same in an earlier or later fork; what both share is passed over. */
  *differences(other: PersistentMap<V>): Generator<MapDifference<V>, undefined> {
    yield* differing(this.root, other.root);
  }

  // biome-ignore lint/complexity/useMaxParams: an object for each level would cost more than the write
  private stored(
    node: Node<V> | undefined,
    key: string,
    value: V,
    hash: number,
    depth: number,
  ): Node<V> {
    if (node?.kids) {
      const kids = node.owner === this.owner ? node.kids : node.kids.slice();
      const at = hash & (WIDTH - 1);
      kids[at] = this.stored(kids[at], key, value, hash >>> BITS, depth + BITS);
      return kids === node.kids ? node : branch(this.owner, kids);
    }
    const own = this.ownLeaf(node);
    const entries = own.entries as Map<string, V>;
    const before = entries.size;
    entries.set(key, value);
    this.count += entries.size - before;
    const isFull = entries.size > (isId(key) ? MOST.ids : MOST.texts);
    return isFull && depth < HASH_BITS ? this.split(entries, depth) : own;
  }

  private ownLeaf(node: Node<V> | undefined): Node<V> {
    return node?.owner === this.owner ? node : leaf(this.owner, new Map(node?.entries));
  }

  private split(entries: Map<string, V>, depth: number): Node<V> {
    const kids: (Node<V> | undefined)[] = new Array(WIDTH).fill(undefined);
    for (const [key, value] of entries) {
      const at = (hashOf(key) >>> depth) & (WIDTH - 1);
      kids[at] ??= leaf(this.owner, new Map());
      kids[at].entries?.set(key, value);
    }
    return branch(this.owner, kids);
  }

  private without(node: Node<V>, key: string, hash: number): Node<V> | undefined {
    if (node.kids) {
      const kids = node.owner === this.owner ? node.kids : node.kids.slice();
      const at = hash & (WIDTH - 1);
      kids[at] = this.without(kids[at] as Node<V>, key, hash >>> BITS);
      return kids === node.kids ? node : branch(this.owner, kids);
    }
    const own = this.ownLeaf(node);
    own.entries?.delete(key);
    return own.entries?.size === 0 ? undefined : own;
  }
}

function* leavesOf<V>(node: Node<V> | undefined): Generator<Map<string, V>, undefined> {
  if (node?.entries) yield node.entries;
  for (const kid of node?.kids ?? []) yield* leavesOf(kid);
}

const gathered = <V>(node: Node<V> | undefined): Map<string, V> => {
  if (node?.entries) return node.entries;
  return new Map([...leavesOf(node)].flatMap((entries) => [...entries]));
};

function* differing<V>(
  mine: Node<V> | undefined,
  theirs: Node<V> | undefined,
): Generator<MapDifference<V>, undefined> {
  if (mine === theirs) return;
  if (mine?.kids && theirs?.kids) {
    for (const [at, kid] of mine.kids.entries()) yield* differing(kid, theirs.kids[at]);
    return;
  }
  const [ours, others] = [gathered(mine), gathered(theirs)];
  for (const [key, value] of ours)
    if (others.get(key) !== value) yield { key, mine: value, theirs: others.get(key) };
  for (const [key, value] of others)
    if (!ours.has(key)) yield { key, mine: undefined, theirs: value };
}
