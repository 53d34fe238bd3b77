import { PAGE_LIMIT, type Page } from "../../contract/core/lists.ts";
import type { Kind, Records } from "../records/records.ts";
import type { View } from "./draft.ts";
import { type Ids, isIn, positionAfter, positionIn } from "./ids.ts";
import { refuse } from "./refusal.ts";

/** Query of a paged list: its own filters and the page (spec/lists.md#page). */
export interface ListInput<Filters> {
  query: Filters & {
    limit?: number | undefined;
    cursor?: string | undefined;
    sortOrder?: "asc" | "desc" | undefined;
  };
}

/** The records of one kind in a list. */
export interface ListedKind<K extends Kind, Item> {
  kind: K;
  /** Index and wanted key; without a key that filter is not set. */
  indexed: readonly (readonly [index: string, key: string | undefined])[];
  /**
   * Bounds of creation, both inclusive, simulated epoch milliseconds (spec/lists.md#filter-values).
   */
  createdMs?: { from?: number | undefined; to?: number | undefined };
  /** A filter that no index answers. */
  where?: (record: Records[K]) => boolean;
  show: (view: View, record: Records[K]) => Item;
}

interface PageRequest<K extends Kind, Item> extends ListedKind<K, Item> {
  input: ListInput<object>;
}

/** A date filter in epoch milliseconds. */
export const toMs = (date: string | undefined) =>
  date === undefined ? undefined : Date.parse(date);

/** The first 13 characters of a UUID v7 made at an instant; ids sort by creation. */
const idPrefix = (kind: string, atMs: number) => {
  const hex = Math.max(0, atMs).toString(16).padStart(12, "0");
  return `${kind}:${hex.slice(0, 8)}-${hex.slice(8)}`;
};

const createdWindow = (
  ids: Ids,
  bounds: { from?: number | undefined; to?: number | undefined },
) => {
  // A kind's ids may begin with another name: those of ApiToken begin with `Token:`.
  const kind = ids.at(0)?.split(":")[0] ?? "";
  const first = bounds.from === undefined ? 0 : positionIn(ids, idPrefix(kind, bounds.from));
  const last =
    bounds.to === undefined ? ids.length : positionIn(ids, idPrefix(kind, bounds.to + 1));
  return [first, Math.max(first, last)] as const;
};

/** Short fingerprint of list and filters; it binds a cursor to its list (spec/lists.md#cursor). */
export const fingerprint = (filters: object) => {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify(filters)) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash.toString(36);
};

/** A cursor after an item of a list. */
export const encodeCursor = (id: string, filters: string) =>
  Buffer.from(JSON.stringify({ id, f: filters })).toString("base64url");

/** The item that a cursor of a list came after. */
export const decodeCursor = (cursor: string, filters: string): string => {
  const wrong = (says: string) => refuse("INVALID_INPUT", { field: "cursor", value: cursor }, says);
  let position: { id?: unknown; f?: unknown } | undefined;
  try {
    position = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return wrong("Expected cursor to be a nextCursor of this list");
  }
  if (typeof position !== "object" || position === null || typeof position.id !== "string")
    return wrong("Expected cursor to be a nextCursor of this list");
  if (position.f !== filters)
    return wrong("Expected cursor to be used with the filters and order it came with");
  return position.id;
};

/** The place of a page in its list. */
interface Place {
  limit: number;
  isDescending: boolean;
  /** The last record of the page before. */
  mark?: string | undefined;
}

const uuidOf = (id: string) => id.slice(id.indexOf(":") + 1);

/** An id as one of another kind that was made at the same time; lists of several kinds share order. */
const atKindOf = (ids: Ids, id: string) => {
  const [kind, own] = ids.at(0)?.split(":") ?? [];
  return own === undefined ? id : `${kind}:${uuidOf(id)}`;
};

/** Records of one kind from a place on, one more than a page holds, and the count of all. */
const recordsFrom = <K extends Kind, Item>(
  view: View,
  { kind, indexed, createdMs = {}, where, show }: ListedKind<K, Item>,
  { limit, isDescending, mark }: Place,
) => {
  const set = indexed.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  const lists = set.map(([index, key]) => view.ids(kind, index, key));
  const shortest = lists.reduce<Ids | undefined>(
    (best, ids) => (best && best.length <= ids.length ? best : ids),
    undefined,
  );
  const ids = shortest ?? view.ids(kind, "all", "");
  const [first, last] = createdWindow(ids, createdMs);
  const others = lists.filter((list) => list !== ids);
  const inOthers = (id: string) => others.every((list) => isIn(list, id));
  const record = (id: string) => view.get(kind, id) as Records[K];
  const matches = (id: string) => inOthers(id) && (!where || where(record(id)));
  const exact = others.length === 0 && !where;

  const own = mark === undefined ? undefined : atKindOf(ids, mark);
  const start =
    own === undefined
      ? undefined
      : isDescending
        ? positionIn(ids, own) - 1
        : positionAfter(ids, own);
  const found: string[] = [];
  const step = isDescending ? -1 : 1;
  for (
    let at = isDescending ? Math.min(start ?? last - 1, last - 1) : Math.max(start ?? first, first);
    at >= first && at < last && found.length <= limit;
    at += step
  ) {
    const id = ids.at(at) as string;
    if (matches(id)) found.push(id);
  }
  return {
    found: found.map((id) => ({ id, show: () => show(view, record(id)) })),
    totalCount: exact ? last - first : ids.slice(first, last).filter(matches).length,
  };
};

/**
 * One page of a list, newest first unless `sortOrder` says otherwise (spec/lists.md#order). A
 * cursor names the last record of its page, so pages stay in step while records come and go.
 */
export const page = <K extends Kind, Item>(
  view: View,
  { input, ...listed }: PageRequest<K, Item>,
): Page<Item> => pageOfKinds(view, input, [listed]);

/** One page of a list of records of two kinds, in the order of their creation. */
export const pageOfTwo = <K extends Kind, L extends Kind, Item>(
  view: View,
  { input, ...listed }: PageRequest<K, Item>,
  other: ListedKind<L, Item>,
): Page<Item> => pageOfKinds(view, input, [listed, other]);

/** @param listed of several kinds; the filters of the first one mark the cursors */
const pageOfKinds = <K extends Kind, L extends Kind, Item>(
  view: View,
  input: ListInput<object>,
  listed: readonly [ListedKind<K, Item>, ListedKind<L, Item>?],
): Page<Item> => {
  const { limit = PAGE_LIMIT.default, cursor, sortOrder = "desc", ...filters } = input.query;
  const [{ kind, indexed }, other] = listed;
  const filterMark = fingerprint({ kind, indexed, filters, sortOrder });
  const mark = cursor === undefined ? undefined : decodeCursor(cursor, filterMark);
  const isDescending = sortOrder === "desc";
  const place = { limit, isDescending, mark };
  const of = [
    recordsFrom(view, listed[0], place),
    ...(other ? [recordsFrom(view, other, place)] : []),
  ];
  const found = of.flatMap((one) => one.found);
  if (other)
    found.sort((one, next) => (uuidOf(one.id) < uuidOf(next.id) === isDescending ? 1 : -1));
  const hasMore = found.length > limit;
  const shown = found.slice(0, limit);
  return {
    data: shown.map(({ show }) => show()),
    hasMore,
    ...(hasMore && { nextCursor: encodeCursor(shown.at(-1)?.id ?? "", filterMark) }),
    totalCount: of.reduce((sum, { totalCount }) => sum + totalCount, 0),
  };
};

/**
 * One page of a fixed table, with the same rules as a list of records. A cursor names the last row
 * of its page.
 * @param rows filtered, with ascending, distinct keys
 */
export const pageOfRows = <Row>({
  list,
  input,
  rows,
  keyOf,
}: {
  /** Name of the list; cursors of other lists are refused. */
  list: string;
  input: ListInput<object>;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}): Page<Row> => {
  const { limit = PAGE_LIMIT.default, cursor, sortOrder = "desc", ...filters } = input.query;
  const mark = fingerprint({ list, filters, sortOrder });
  const from = cursor === undefined ? undefined : decodeCursor(cursor, mark);
  const isAfter = (row: Row) =>
    from === undefined || (sortOrder === "desc" ? keyOf(row) < from : keyOf(row) > from);
  const rest = (sortOrder === "desc" ? rows.toReversed() : [...rows]).filter(isAfter);
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rest.length > limit;
  return {
    data,
    hasMore,
    ...(hasMore && last !== undefined && { nextCursor: encodeCursor(keyOf(last), mark) }),
    totalCount: rows.length,
  };
};
