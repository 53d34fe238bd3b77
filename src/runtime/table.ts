import type { Kind, Records } from "../domain/records.ts";
import { TABLES } from "../domain/tables.ts";

const NONE: readonly string[] = [];

/** Position of `id` in ascending ids, or where it would go. */
const position = (ids: readonly string[], id: string) => {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Keys of a record in one index of its kind; `all` is there for every kind. */
export const indexKeys = <K extends Kind>(kind: K, index: string, record: Records[K]) => {
  if (index === "all") return [""];
  const keysOf = TABLES[kind].indexes[index];
  return keysOf ? keysOf(record) : NONE;
};

/**
 * Records of one kind and their indexes. Only `apply` changes either. The indexes of a table that
 * is being loaded are built when first asked for: one pass over the records costs less than
 * keeping them up to date through all of history.
 */
export class Table<K extends Kind> {
  readonly kind: K;
  readonly records = new Map<string, Records[K]>();
  private readonly indexes = new Map<string, Map<string, string[]>>();
  private readonly names: readonly string[];
  private isIndexed: boolean;

  constructor(kind: K, { isLoading = false } = {}) {
    this.kind = kind;
    this.names = ["all", ...Object.keys(TABLES[kind].indexes)];
    this.isIndexed = !isLoading;
    for (const name of this.names) this.indexes.set(name, new Map());
  }

  /** Ids under a key, in creation order. The array is the index itself: read only. */
  ids(index: string, key: string): readonly string[] {
    if (!this.isIndexed) this.buildIndexes();
    return this.indexes.get(index)?.get(key) ?? NONE;
  }

  /** Puts a record in, or takes it out when there is none after. */
  apply(id: string, after: Records[K] | undefined) {
    const before = this.records.get(id);
    if (after) this.records.set(id, after);
    else this.records.delete(id);
    if (!this.isIndexed) return;
    for (const name of this.names) {
      const oldKeys = before ? indexKeys(this.kind, name, before) : NONE;
      const newKeys = after ? indexKeys(this.kind, name, after) : NONE;
      for (const key of oldKeys) if (!newKeys.includes(key)) this.remove(name, key, id);
      for (const key of newKeys) if (!oldKeys.includes(key)) this.insert(name, key, id);
    }
  }

  private buildIndexes() {
    this.isIndexed = true;
    for (const id of [...this.records.keys()].sort()) {
      const record = this.records.get(id) as Records[K];
      for (const name of this.names)
        for (const key of indexKeys(this.kind, name, record)) this.insert(name, key, id);
    }
  }

  private insert(name: string, key: string, id: string) {
    const index = this.indexes.get(name) as Map<string, string[]>;
    const ids = index.get(key);
    if (!ids) index.set(key, [id]);
    else if ((ids.at(-1) as string) < id) ids.push(id);
    else if (ids[position(ids, id)] !== id) ids.splice(position(ids, id), 0, id);
  }

  private remove(name: string, key: string, id: string) {
    const index = this.indexes.get(name) as Map<string, string[]>;
    const ids = index.get(key);
    if (!ids) return;
    // What is bounded drops its oldest, which stands first.
    const at = ids[0] === id ? 0 : position(ids, id);
    if (ids[at] !== id) return;
    if (at === 0) ids.shift();
    else ids.splice(at, 1);
    if (ids.length === 0) index.delete(key);
  }
}
