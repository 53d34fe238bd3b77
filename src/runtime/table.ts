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

/** Records with neighbouring ids as a checkpoint keeps them. */
export interface TablePart<K extends Kind> {
  first: string;
  last: string;
  count: number;
  read(): readonly Records[K][];
}

/**
 * Records of one kind and their indexes. Only `apply` changes either. What a checkpoint keeps of
 * a table is read part by part, each when a record in it is first asked for. The indexes of a
 * table that is being loaded are built when first asked for: one pass over the records costs less
 * than keeping them up to date through all of history.
 */
export class Table<K extends Kind> {
  readonly kind: K;
  private readonly records = new Map<string, Records[K]>();
  private readonly unread: TablePart<K>[] = [];
  private readonly indexes = new Map<string, Map<string, string[]>>();
  private readonly names: readonly string[];
  private isIndexed: boolean;

  constructor(kind: K, { isLoading = false } = {}) {
    this.kind = kind;
    this.names = ["all", ...Object.keys(TABLES[kind].indexes)];
    this.isIndexed = !isLoading;
    for (const name of this.names) this.indexes.set(name, new Map());
  }

  get size() {
    return this.unread.reduce((size, { count }) => size + count, this.records.size);
  }

  get(id: string): Records[K] | undefined {
    if (this.unread.length > 0) this.readPartOf(id);
    return this.records.get(id);
  }

  /** All records, in no order. */
  values(): Iterable<Records[K]> {
    while (this.readPart());
    return this.records.values();
  }

  /** Ids under a key, in creation order. The array is the index itself: read only. */
  ids(index: string, key: string): readonly string[] {
    if (!this.isIndexed) this.buildIndexes();
    return this.indexes.get(index)?.get(key) ?? NONE;
  }

  /** Takes over records. */
  load(records: readonly Records[K][]) {
    if (this.isIndexed) for (const record of records) this.apply(record.id, record);
    else for (const record of records) this.records.set(record.id, record);
  }

  /** The same with records that are read when one is asked for; while a table is being loaded. */
  loadLater(part: TablePart<K>) {
    this.unread.push(part);
  }

  /** Reads one part that nobody has asked for yet; false when there is none left. */
  readPart(): boolean {
    const part = this.unread.pop();
    if (part) this.load(part.read());
    return part !== undefined;
  }

  /** Puts a record in, or takes it out when there is none after. */
  apply(id: string, after: Records[K] | undefined) {
    const before = this.get(id);
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

  private readPartOf(id: string) {
    const at = this.unread.findIndex(({ first, last }) => first <= id && id <= last);
    if (at < 0) return;
    this.unread.push(...this.unread.splice(at, 1));
    this.readPart();
  }

  private buildIndexes() {
    while (this.readPart());
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
