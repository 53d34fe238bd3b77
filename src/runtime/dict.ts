import type { Owner } from "./sorted-ids.ts";

/** Most entries of a leaf; leaves of 16 to 64 cost about the same. */
const LEAF = 32;
const BITS = 5;
const WIDTH = 1 << BITS;
/** Bits of a hash; below that depth a leaf grows without bound. */
const HASH_BITS = 30;
/** Characters of a key that its hash covers: ids of one kind differ at the end. */
const HASHED = 14;

interface Leaf<V> {
  readonly owner: Owner;
  readonly entries: Map<string, V>;
}

interface Branch<V> {
  readonly owner: Owner;
  readonly kids: (Node<V> | undefined)[];
}

type Node<V> = Leaf<V> | Branch<V>;

const hashOf = (key: string): number => {
  let hash = key.length;
  for (let at = Math.max(0, key.length - HASHED); at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 2;
};

/** A key with the values it has on two sides; at least one of them has it. */
export interface Difference<V> {
  key: string;
  mine: V | undefined;
  theirs: V | undefined;
}

/**
 * A map from texts that forks at once: both sides share what neither has written since
 * (decisions/shared-structure.md). Its order means nothing.
 */
export class Dict<V> {
  private root: Node<V> | undefined;
  private owner: Owner = {};
  private count = 0;

  get size() {
    return this.count;
  }

  get(key: string): V | undefined {
    let node = this.root;
    if (node === undefined) return undefined;
    if ("entries" in node) return node.entries.get(key);
    for (let hash = hashOf(key); node !== undefined; hash >>>= BITS) {
      if ("entries" in node) return node.entries.get(key);
      node = node.kids[hash & (WIDTH - 1)];
    }
    return undefined;
  }

  set(key: string, value: V) {
    if (this.root === undefined) this.root = this.leafOf([[key, value]]);
    else this.root = this.stored(this.root, { key, value, hash: hashOf(key), depth: 0 });
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
  fork(): Dict<V> {
    const twin = new Dict<V>();
    twin.root = this.root;
    twin.count = this.count;
    // The nodes so far belong to neither.
    this.owner = {};
    return twin;
  }

  /** Keys whose values are not the same in an earlier or later fork; what both share is passed over. */
  *differences(other: Dict<V>): Generator<Difference<V>, undefined> {
    yield* differing(this.root, other.root);
  }

  private leafOf(entries: Iterable<[string, V]>): Leaf<V> {
    const leaf = { owner: this.owner, entries: new Map(entries) };
    this.count += leaf.entries.size;
    return leaf;
  }

  private ownLeaf(leaf: Leaf<V>): Leaf<V> {
    return leaf.owner === this.owner ? leaf : { owner: this.owner, entries: new Map(leaf.entries) };
  }

  private ownBranch(branch: Branch<V>): Branch<V> {
    return branch.owner === this.owner ? branch : { owner: this.owner, kids: branch.kids.slice() };
  }

  private stored(node: Node<V>, entry: { key: string; value: V; hash: number; depth: number }) {
    const { key, value, hash, depth } = entry;
    if ("kids" in node) {
      const branch = this.ownBranch(node);
      const at = hash & (WIDTH - 1);
      const kid = branch.kids[at];
      branch.kids[at] = kid
        ? this.stored(kid, { key, value, hash: hash >>> BITS, depth: depth + BITS })
        : this.leafOf([[key, value]]);
      return branch;
    }
    const leaf = this.ownLeaf(node);
    const before = leaf.entries.size;
    leaf.entries.set(key, value);
    this.count += leaf.entries.size - before;
    return leaf.entries.size > LEAF && depth < HASH_BITS ? this.split(leaf, depth) : leaf;
  }

  private split({ owner, entries }: Leaf<V>, depth: number): Branch<V> {
    const kids: (Leaf<V> | undefined)[] = new Array(WIDTH).fill(undefined);
    for (const [key, value] of entries) {
      const at = (hashOf(key) >>> depth) & (WIDTH - 1);
      kids[at] ??= { owner, entries: new Map() };
      kids[at].entries.set(key, value);
    }
    return { owner, kids };
  }

  private without(node: Node<V>, key: string, hash: number): Node<V> | undefined {
    if ("kids" in node) {
      const branch = this.ownBranch(node);
      const at = hash & (WIDTH - 1);
      const kid = branch.kids[at] as Node<V>;
      branch.kids[at] = this.without(kid, key, hash >>> BITS);
      return branch;
    }
    const leaf = this.ownLeaf(node);
    leaf.entries.delete(key);
    return leaf.entries.size === 0 ? undefined : leaf;
  }
}

function* leavesOf<V>(node: Node<V> | undefined): Generator<Map<string, V>, undefined> {
  if (node === undefined) return;
  if ("entries" in node) yield node.entries;
  else for (const kid of node.kids) yield* leavesOf(kid);
}

const gathered = <V>(node: Node<V> | undefined): Map<string, V> => {
  if (node && "entries" in node) return node.entries;
  return new Map([...leavesOf(node)].flatMap((entries) => [...entries]));
};

function* differing<V>(
  mine: Node<V> | undefined,
  theirs: Node<V> | undefined,
): Generator<Difference<V>, undefined> {
  if (mine === theirs) return;
  if (mine && theirs && "kids" in mine && "kids" in theirs) {
    for (const [at, kid] of mine.kids.entries()) yield* differing(kid, theirs.kids[at]);
    return;
  }
  const [ours, others] = [gathered(mine), gathered(theirs)];
  for (const [key, value] of ours)
    if (others.get(key) !== value) yield { key, mine: value, theirs: others.get(key) };
  for (const [key, value] of others)
    if (!ours.has(key)) yield { key, mine: undefined, theirs: value };
}
