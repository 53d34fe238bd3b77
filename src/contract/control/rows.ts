import * as z from "zod";
import { PageQuery } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { ROW_LISTS } from "./row-lists.ts";
import { JsonValue } from "./values.ts";

/** Characters of a search; longer ones find nothing that a shorter one doesn't. */
export const MOST_CHARACTERS = 200;

const SearchText = z.string().max(MOST_CHARACTERS);

/** Query of GET /_sim/rows (spec/console.md#rows). */
export const RowsQuery = {
  ...PageQuery,
  list: z.lazy(() => enumOf("RowList", ROW_LISTS)),
  query: SearchText.optional(),
  offset: z
    .lazy(() =>
      z
        .string()
        .regex(/^[0-9]{1,9}$/, "Expected a whole number from 0")
        .transform(Number)
        .meta({ type: "integer", minimum: 0 }),
    )
    .optional(),
};

/** Reply of GET /_sim/rows: rows as the feed tells them, in the order of the list. */
export const RowPage = named("RowPage", () =>
  z.object({
    data: z.array(JsonValue),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    /** Number of rows of the list that the query finds. */
    totalCount: z.int(),
    /** Number of rows before the first of this page. */
    offset: z.int(),
  }),
);

export type RowPage = z.infer<typeof RowPage>;

/** Query of GET /_sim/find (spec/console.md#find). */
export const FindQuery = { query: SearchText };

/** Reply of GET /_sim/find: what a person may mean by a few characters. */
export const FoundRows = named("FoundRows", () =>
  z.object({
    data: z.array(
      z.object({
        /** The list of the row; `worlds` and `snapshots` have rows with a `name` alone. */
        list: z.lazy(() => enumOf("FoundList", [...ROW_LISTS, "worlds", "snapshots"])),
        row: JsonValue,
      }),
    ),
  }),
);

export type FoundRows = z.infer<typeof FoundRows>;
