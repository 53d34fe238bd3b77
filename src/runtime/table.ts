import type { Kind, Records } from "../domain/records/records.ts";
import { TABLES } from "../domain/records/tables.ts";
import { Dict, type Difference } from "./dict.ts";
import { type IdList, type Owner, withId, withoutId } from "./sorted-ids.ts";

const NONE: readonly string[] = [];

const KEYS_OF_ALL: readonly string[] = [""];

/** Keys of a record in one index of its kind; every kind has the index `all`. */
export const indexKeys = <K extends Kind>(kind: K, index: string, record: Records[K]) => {
  if (index === "all") return KEYS_OF_ALL;
  const keysOf = TABLES[kind].indexes[index];
  return keysOf ? keysOf(record) : NONE;
};

/** The indexes of a kind beside `all`, as tables walk through them. */
interface Declared<K extends Kind> {
  names: readonly string[];
  keysOf: readonly ((record: Records[K]) => readonly string[])[];
}

const declared = new WeakMap<object, Declared<Kind>>();

/** Looked up once for each kind: every change of a record walks through them. */
const declaredOf = <K extends Kind>(kind: K): Declared<K> => {
  const { indexes } = TABLES[kind];
  const known = declared.get(indexes);
  if (known) return known as unknown as Declared<K>;
  const found = { names: Object.keys(indexes), keysOf: Object.values(indexes) };
  declared.set(indexes, found as unknown as Declared<Kind>);
  return found;
};

const isSameKey = (before: readonly string[], after: readonly string[]) =>
  before.length === 1 && after.length === 1 && before[0] === after[0];

/** Records with neighboring ids, as a checkpoint keeps them. */
export interface TablePart<K extends Kind> {
  first: string;
  last: string;
  count: number;
  read(): readonly Records[K][];
}

/**
 * Records of one kind and their indexes; only `apply` changes them. Parts of a checkpoint are read
 * when a record in them is first asked for (decisions/lazy-records.md). While a table is being
 * loaded, its indexes are built on first use. One pass over the records costs less than updating
 * them through all of history.
 */
export class Table<K extends Kind> {
  readonly kind: K;
  private records = new Dict<Records[K]>();
  private unread: TablePart<K>[] = [];
  private all: IdList = NONE;
  /** In the order of their declaration. An index is made with its first entry. */
  private indexes: (Dict<IdList> | undefined)[];
  /**
   * Owner of lists written in place; lists of an earlier owner are copied first, chunk by chunk.
   */
  private owner: Owner = {};
  private readonly declared: Declared<K>;
  private isIndexed: boolean;

  constructor(kind: K, { isLoading = false } = {}) {
    this.kind = kind;
    this.declared = declaredOf(kind);
    this.indexes = new Array(this.declared.names.length).fill(undefined);
    this.isIndexed = !isLoading;
  }

  get size() {
    return this.unread.reduce((size, { count }) => size + count, this.records.size);
  }

  get(id: string): Records[K] | undefined {
    if (this.unread.length > 0) this.readPartOf(id);
    return this.records.get(id);
  }

  /** All records, in no particular order. */
  values(): Iterable<Records[K]> {
    while (this.readPart());
    return this.records.values();
  }

  /**
   * Ids under a key, in creation order. The list is the index itself: valid until the next write.
   */
  ids(index: string, key: string): IdList {
    if (!this.isIndexed) this.buildIndexes();
    if (index === "all") return key === "" ? this.all : NONE;
    return this.indexes[this.declared.names.indexOf(index)]?.get(key) ?? NONE;
  }

  /** The ids under a key as they are now, unaffected by later writes. */
  keptIds(index: string, key: string): IdList {
    const ids = this.ids(index, key);
    this.owner = {};
    return ids;
  }

  /** The same records for a writer of its own; this table is only read from now on. */
  fork(): Table<K> {
    const twin = new Table(this.kind);
    twin.isIndexed = this.isIndexed;
    twin.unread = this.unread.slice();
    twin.records = this.records.fork();
    twin.all = this.all;
    twin.indexes = this.indexes.map((index) => index?.fork());
    return twin;
  }

  /** Records that another table has differently; what both share is passed over. */
  differences(other: Table<K>): Iterable<Difference<Records[K]>> {
    while (this.readPart() || other.readPart());
    return this.records.differences(other.records);
  }

  /** Adds records in bulk. */
  load(records: readonly Records[K][]) {
    if (this.isIndexed) for (const record of records) this.apply(record.id, record);
    else for (const record of records) this.records.set(record.id, record);
  }

  /** Adds records that are read on first use, while the table is being loaded. */
  loadLater(part: TablePart<K>) {
    this.unread.push(part);
  }

  /** Reads one unread part; false when none is left. */
  readPart(): boolean {
    const part = this.unread.pop();
    if (part) this.load(part.read());
    return part !== undefined;
  }

  /**
   * Stores a record, or deletes it when there is none after the change.
   * @returns the record before it
   */
  apply(id: string, after: Records[K] | undefined): Records[K] | undefined {
    const before = this.get(id);
    if (after) this.records.set(id, after);
    else this.records.delete(id);
    if (this.isIndexed) this.reindex(id, before, after);
    return before;
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
    for (const id of [...this.records.keys()].sort())
      this.reindex(id, undefined, this.records.get(id));
  }

  private reindex(id: string, before: Records[K] | undefined, after: Records[K] | undefined) {
    if (!before && after) this.all = withId(this.all, id, this.owner);
    if (before && !after) {
      const left = withoutId(this.all, id, this.owner);
      this.all = left.length === 0 ? NONE : left;
    }
    const { keysOf } = this.declared;
    for (let at = 0; at < keysOf.length; at += 1) {
      const keys = keysOf[at] as (record: Records[K]) => readonly string[];
      const oldKeys = before ? keys(before) : NONE;
      const newKeys = after ? keys(after) : NONE;
      if (isSameKey(oldKeys, newKeys)) continue;
      for (const key of oldKeys) if (!newKeys.includes(key)) this.remove(at, key, id);
      for (const key of newKeys) if (!oldKeys.includes(key)) this.insert(at, key, id);
    }
  }

  private insert(at: number, key: string, id: string) {
    const index = this.indexes[at] ?? new Dict<IdList>();
    this.indexes[at] = index;
    const ids = index.get(key);
    const after = ids ? withId(ids, id, this.owner) : [id];
    if (after !== ids) index.set(key, after);
  }

  private remove(at: number, key: string, id: string) {
    const index = this.indexes[at];
    const ids = index?.get(key);
    if (!index || !ids) return;
    const after = withoutId(ids, id, this.owner);
    if (after.length === 0) index.delete(key);
    else if (after !== ids) index.set(key, after);
  }
}
