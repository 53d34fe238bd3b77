import { ROW_LISTS, type RowListName } from "../../contract/control/row-lists.ts";
import { FindQuery, FoundRows, RowPage, RowsQuery } from "../../contract/control/rows.ts";
import type { JsonValue } from "../../contract/control/values.ts";
import { defined } from "../../contract/core/defined.ts";
import { PAGE_LIMIT } from "../../contract/core/lists.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { matches, termsOf } from "../../rows/filter.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { World } from "../core/world.ts";
import { search } from "./row-search.ts";
import { type Keys, ROW_SOURCES, type RowWorld } from "./row-sources.ts";

interface PageWish {
  list: RowListName;
  query?: string;
  limit?: number;
  cursor?: string;
  offset?: number;
}

const rowWorld = ({ engine, log }: World): RowWorld => ({ engine, log: () => log });

/** The place at which a page begins, among the rows found. */
const placeIn = (keys: Keys, found: readonly string[] | undefined, query: PageWish) => {
  const { cursor, offset = 0 } = query;
  if (cursor === undefined) return offset;
  const after = keys.after(cursor);
  if (after === undefined) return refuse("INVALID_INPUT", { field: "cursor", value: cursor });
  if (!found) return after;
  const at = found.indexOf(cursor);
  if (at >= 0) return at + 1;
  // The row of the cursor matches no more: the page continues behind its place.
  const behind = new Set(keys.slice(after, keys.length));
  const next = found.findIndex((key) => behind.has(key));
  return next < 0 ? found.length : next;
};

/** A page of a list, or of those of its rows that a query finds (spec/console.md#rows). */
const pageOf = (world: RowWorld, found: readonly string[] | undefined, query: PageWish) => {
  const { list, limit = PAGE_LIMIT.default } = query;
  const { keys: keysOf, row } = ROW_SOURCES[list];
  const keys = keysOf(world);
  const totalCount = found?.length ?? keys.length;
  const start = Math.min(placeIn(keys, found, query), totalCount);
  const page = (found ?? keys).slice(start, start + limit);
  const hasMore = start + page.length < totalCount;
  return {
    data: page.flatMap((key) => row(world, key) ?? []) as unknown as JsonValue[],
    hasMore,
    ...(hasMore && { nextCursor: page.at(-1) ?? "" }),
    totalCount,
    offset: start,
  };
};

/** Most rows that are found in one list. */
const MOST_FOUND = 8;

const namesIn = async (world: World, query: string): Promise<FoundRows["data"]> => {
  const terms = termsOf(query);
  const isSought = (name: string) =>
    matches(terms, { id: name, status: "", type: "", code: "", isOpen: true });
  const worlds = (await world.worlds.list()).map(({ name }) => ({ list: "worlds" as const, name }));
  const points = world.timelines.points
    .list()
    .map(({ name }) => ({ list: "snapshots" as const, name }));
  return [...worlds, ...points]
    .filter(({ name }) => isSought(name))
    .map(({ list, name }) => ({ list, row: { name } }));
};

/** Rows, worlds and snapshots that a few characters may mean (spec/console.md#find). */
const find = async (world: World, query: string): Promise<FoundRows["data"]> => {
  if (termsOf(query).length === 0) return [];
  const rows = rowWorld(world);
  const found: FoundRows["data"] = [];
  for (const name of ROW_LISTS) {
    if (name === "postings") continue;
    const keys = await search(rows, { name, query, most: MOST_FOUND });
    const { row } = ROW_SOURCES[name];
    for (const key of keys.slice(0, MOST_FOUND)) {
      const one = row(rows, key);
      if (one) found.push({ list: name, row: one as unknown as JsonValue });
    }
  }
  return [...found, ...(await namesIn(world, query))];
};

/** Rows of every list, searched and read page by page. */
export const rowEndpoints = [
  endpoint({
    operationId: "rows",
    summary: "Rows of a list as in the feed: all, or those that a query finds",
    method: "GET",
    path: "/rows",
    query: RowsQuery,
    replies: [200, RowPage],
    refuses: [],
    handle: async ({ query: given }, call, world): Promise<RowPage> => {
      const query = defined(given) as PageWish;
      const { list, query: text = "" } = query;
      const rows = rowWorld(world);
      const isSearch = termsOf(text).length > 0;
      const found = isSearch ? await search(rows, { name: list, query: text }) : undefined;
      call.requireSameWorld();
      return call.read(() => pageOf(rows, found, query), undefined);
    },
  }),
  endpoint({
    operationId: "find",
    summary: "Rows of all lists, worlds and snapshots that a name or the end of an id may mean",
    method: "GET",
    path: "/find",
    query: FindQuery,
    replies: [200, FoundRows],
    refuses: [],
    handle: async ({ query: { query } }, call, world): Promise<FoundRows> => {
      const data = await find(world, query);
      call.requireSameWorld();
      call.sawEverything();
      return { data };
    },
  }),
];
