import type { Kind, Records } from "../domain/records/records.ts";
import { TABLES } from "../domain/records/tables.ts";
import { type IdList, listOf, type Owner, withId, withoutId } from "./id-set.ts";
import { type MapDifference, PersistentMap } from "./persistent-map.ts";

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
  const declaration = { names: Object.keys(indexes), keysOf: Object.values(indexes) };
  declared.set(indexes, declaration as unknown as Declared<Kind>);
  return declaration;
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

/** Ids under a key of an index; most have one, which needs no list. */
type Entry = string | IdList;

const idsIn = (entry: Entry | undefined): IdList => {
  if (entry === undefined) return NONE;
  return typeof entry === "string" ? [entry] : entry;
};

/**
 * Records of one kind and their indexes; only `apply` changes them. Parts of a checkpoint are read
 * when a record in them is first asked for (decisions/lazy-records.md). An index is built when it
 * is first asked for, by one pass over the records, and kept from then on
 * (decisions/indexes-when-asked.md).
 */
export class Table<K extends Kind> {
  readonly kind: K;
  private records = new PersistentMap<Records[K]>();
  private unread: TablePart<K>[] = [];
  private all: IdList = NONE;
  /** False while a table is being loaded, until somebody asks for `all`. */
  private isListed: boolean;
  /** In the order of their declaration; those that nobody asked for are missing. */
  private indexes: (PersistentMap<Entry> | undefined)[];
  /**
   * Indexes that this table or a relative by `fork` was asked for. A fork is born with them, so
   * that not each of a thousand forks builds its own.
   */
  private requestedIndexes: Set<number>;
  /**
   * Owner of lists written in place; lists of an earlier owner are copied first, chunk by chunk.
   */
  private owner: Owner = {};
  private readonly declared: Declared<K>;

  constructor(kind: K, { isLoading = false } = {}) {
    this.kind = kind;
    this.declared = declaredOf(kind);
    this.indexes = new Array(this.declared.names.length).fill(undefined);
    this.requestedIndexes = new Set();
    this.isListed = !isLoading;
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
    if (index === "all") return key === "" ? this.list() : NONE;
    const at = this.declared.names.indexOf(index);
    if (at < 0) return NONE;
    return idsIn((this.indexes[at] ?? this.build(at)).get(key));
  }

  /** The ids under a key as they are now, unaffected by later writes. */
  keptIds(index: string, key: string): IdList {
    const ids = this.ids(index, key);
    this.owner = {};
    return ids;
  }

  /** The same records for a writer of its own; this table is only read from now on. */
  fork(): Table<K> {
    for (const at of this.requestedIndexes) if (!this.indexes[at]) this.build(at);
    const twin = new Table(this.kind);
    twin.isListed = this.isListed;
    twin.unread = this.unread.slice();
    twin.records = this.records.fork();
    twin.all = this.all;
    twin.indexes = this.indexes.map((index) => index?.fork());
    twin.requestedIndexes = this.requestedIndexes;
    return twin;
  }

  /** Records that another table has differently; what both share is passed over. */
  differences(other: Table<K>): Iterable<MapDifference<Records[K]>> {
    while (this.readPart() || other.readPart());
    return this.records.differences(other.records);
  }

  /** Adds records in bulk. */
  load(records: readonly Records[K][]) {
    if (this.isListed) for (const record of records) this.apply(record.id, record);
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
    if (this.isListed) this.reindex(id, before, after);
    return before;
  }

  private readPartOf(id: string) {
    const at = this.unread.findIndex(({ first, last }) => first <= id && id <= last);
    if (at < 0) return;
    this.unread.push(...this.unread.splice(at, 1));
    this.readPart();
  }

  private list(): IdList {
    if (this.isListed) return this.all;
    while (this.readPart());
    this.isListed = true;
    this.all = listOf([...this.records.keys()].sort(), this.owner);
    return this.all;
  }

  private build(at: number): PersistentMap<Entry> {
    const keysOf = this.keysOf(at);
    const idsByKey = new Map<string, string[]>();
    for (const id of this.list()) {
      const record = this.records.get(id);
      if (!record) continue;
      for (const key of keysOf(record)) {
        const ids = idsByKey.get(key);
        if (ids === undefined) idsByKey.set(key, [id]);
        else if (ids.at(-1) !== id) ids.push(id);
      }
    }
    const index = new PersistentMap<Entry>();
    for (const [key, ids] of idsByKey)
      index.set(key, ids.length === 1 ? (ids[0] as string) : listOf(ids, this.owner));
    this.indexes[at] = index;
    this.requestedIndexes.add(at);
    return index;
  }

  private keysOf(at: number) {
    return this.declared.keysOf[at] as (record: Records[K]) => readonly string[];
  }

  private reindex(id: string, before: Records[K] | undefined, after: Records[K] | undefined) {
    if (!before && after) this.all = withId(this.all, id, this.owner);
    if (before && !after) {
      const left = withoutId(this.all, id, this.owner);
      this.all = left.length === 0 ? NONE : left;
    }
    for (let at = 0; at < this.indexes.length; at += 1) {
      const index = this.indexes[at];
      if (!index) continue;
      const keysOf = this.keysOf(at);
      const oldKeys = before ? keysOf(before) : NONE;
      const newKeys = after ? keysOf(after) : NONE;
      if (isSameKey(oldKeys, newKeys)) continue;
      for (const key of oldKeys) if (!newKeys.includes(key)) this.remove(index, key, id);
      for (const key of newKeys) if (!oldKeys.includes(key)) this.insert(index, key, id);
    }
  }

  private insert(index: PersistentMap<Entry>, key: string, id: string) {
    const entry = index.get(key);
    if (entry === id) return;
    const after = entry === undefined ? id : withId(idsIn(entry), id, this.owner);
    if (after !== entry) index.set(key, after);
  }

  private remove(index: PersistentMap<Entry>, key: string, id: string) {
    const entry = index.get(key);
    if (entry === undefined || (typeof entry === "string" && entry !== id)) return;
    const after = entry === id ? NONE : withoutId(idsIn(entry), id, this.owner);
    if (after.length === 0) index.delete(key);
    else if (after !== entry) index.set(key, after);
  }
}
