import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { FED_LISTS, type FedListName } from "../../contract/control/row-lists.ts";
import type { RowPage } from "../../contract/control/rows.ts";
import { countIn, type ListedName, type ListedRows } from "../../rows/world.ts";
import { ask } from "../reads.ts";
import { useConsole, useIsLive, useWatched } from "../use-console.ts";

/** Rows of one call. */
const PAGE_ROWS = 100;

/** Rows that are read beyond those in sight, on both sides. */
const AHEAD_ROWS = 30;

/** A place that the rows were scrolled past sooner than this is not read, real milliseconds. */
const REST_MS = 80;

/** Places of rows, from 0: the first, and the last. */
export interface Sight {
  from: number;
  to: number;
}

/** A list of any length, of which the parts in sight are read. */
export interface ListedPart<Row> {
  /** All rows of the list that match; undefined until the simulator has said it. */
  total: number | undefined;
  /** A row by its place; undefined while it is being read. */
  at(place: number): Row | undefined;
  /** Rows that are known, from top to bottom. */
  known(): readonly Row[];
  /** Tells which rows are in sight. */
  look(sight: Sight): void;
}

const isFed = (name: ListedName): name is FedListName =>
  (FED_LISTS as readonly string[]).includes(name);

const pathOf = (name: ListedName, query: string, page: number) =>
  `/rows?list=${name}&limit=${PAGE_ROWS}&offset=${page * PAGE_ROWS}` +
  (query === "" ? "" : `&query=${encodeURIComponent(query)}`);

const pagesIn = ({ from, to }: Sight) => {
  const first = Math.floor(Math.max(0, from - AHEAD_ROWS) / PAGE_ROWS);
  const last = Math.floor((to + AHEAD_ROWS) / PAGE_ROWS);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
};

const START: Sight = { from: 0, to: PAGE_ROWS - 1 - AHEAD_ROWS };

/** The last value that stood still for a while. */
const useRested = <Value>(value: Value, restMs: number): Value => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
};

/** Pages of a list, by the place of each row from the list's end: there it stays as new ones come. */
const usePagesInSight = (name: ListedName, query: string, pages: readonly number[]) => {
  const { control, reads } = useConsole();
  const isLive = useIsLive();
  const results = useQueries(
    {
      queries: pages.map((page) => {
        const path = pathOf(name, query, page);
        return {
          queryKey: [path],
          queryFn: ({ signal }: { signal: AbortSignal }) => ask<RowPage>(control, path, signal),
          enabled: isLive,
        };
      }),
    },
    reads.client,
  );
  const rows = new Map<number, { id: string; version?: number }>();
  let total: number | undefined;
  let newestMs = -1;
  for (const { data, dataUpdatedAt } of results) {
    const page = data?.body;
    if (!page) continue;
    if (dataUpdatedAt > newestMs) total = page.totalCount;
    newestMs = Math.max(newestMs, dataUpdatedAt);
    for (const [at, row] of page.data.entries())
      rows.set(page.totalCount - 1 - page.offset - at, row as unknown as { id: string });
  }
  const last = useRef({ name, total, rows });
  // The rows of the words before stay in sight until the simulator has found others.
  if (total !== undefined || last.current.name !== name) last.current = { name, total, rows };
  return last.current;
};

/** The rows of a list that match a query: those that the feed keeps, and pages of all others. */
export const useRows = <Name extends ListedName>(
  name: Name,
  query: string,
): ListedPart<ListedRows[Name]> => {
  type Row = ListedRows[Name];
  const watched = useWatched();
  const live = (isFed(name) ? watched.lists[name] : []) as readonly Row[];
  const isAll = isFed(name) && query === "";
  const [sight, look] = useState(START);
  const rested = useRested(sight, sight === START ? 0 : REST_MS);
  const count = isAll ? countIn(watched, name) : undefined;
  // What the feed has told is not read.
  const isKnown = (page: number) =>
    count !== undefined && Math.min(count, (page + 1) * PAGE_ROWS) <= live.length;
  const wanted = pagesIn(rested).filter((page) => !isKnown(page));
  const found = usePagesInSight(name, query, wanted);
  const rows = found.rows as unknown as ReadonlyMap<number, Row>;
  const fresh = useMemo(() => new Map(live.map((row) => [row.id, row])), [live]);
  const total = count ?? found.total;
  const at = (place: number): Row | undefined => {
    if (isAll && place < live.length) return live[place];
    const row = rows.get((total ?? 0) - 1 - place);
    return row && (fresh.get(row.id) ?? row);
  };
  return {
    total,
    at,
    look,
    known: () => {
      const further = [...rows].sort(([a], [b]) => b - a).map(([, row]) => row);
      if (!isAll) return further;
      return [...live, ...further.filter(({ id }) => !fresh.has(id))];
    },
  };
};
