import * as z from "zod";
import { PageQuery } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { JsonValue } from "./values.ts";

/** Lists of the feed whose rows can be read page by page. */
export const OLDER_LISTS = ["payments", "customers", "cards"] as const;

export type OlderList = (typeof OLDER_LISTS)[number];

/** Query of GET /_sim/rows (spec/console.md#older-rows). */
export const OlderRowsQuery = {
  ...PageQuery,
  list: z.lazy(() => enumOf("OlderList", OLDER_LISTS)),
};

/** Reply of GET /_sim/rows: rows as the feed tells them, the newest first. */
export const OlderRows = named("OlderRowPage", () =>
  z.object({
    data: z.array(JsonValue),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    totalCount: z.int(),
  }),
);

export type OlderRows = z.infer<typeof OlderRows>;
