import * as z from "zod";
import { enumOf, nameOf, sharedShape } from "./named-shape.ts";

/** Page size of every paged list (spec/lists.md#page). */
export const PAGE_LIMIT = { default: 20, min: 1, max: 100 } as const;

const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,4}$/, `Expected a whole number from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}`)
  .transform(Number);

/** `limit` and `cursor` of a paged list, as they come in the query (spec/lists.md#page). */
export const PageQuery = {
  limit: wholeNumber
    .pipe(z.number().min(PAGE_LIMIT.min).max(PAGE_LIMIT.max))
    .optional()
    .meta({ id: "PageLimit", type: "integer", minimum: PAGE_LIMIT.min, maximum: PAGE_LIMIT.max }),
  cursor: z.string().optional(),
};

/** A boolean in a query: `true` or `false` (spec/lists.md#filter-values). */
export const BooleanQuery = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ id: "BooleanFilter", type: "boolean", enum: [true, false] });

export const SortOrder = enumOf("SortOrder", ["asc", "desc"]).optional();

/** Envelope of a paged list (spec/lists.md#envelope); `nextCursor` exactly when `hasMore`. */
export const pageOf = <Item extends z.ZodType>(item: z.ZodLazy<Item>) =>
  z.lazy(() =>
    sharedShape(`${nameOf(item)}Page`, () =>
      z.object({
        data: z.array(item),
        hasMore: z.boolean(),
        nextCursor: z.string().optional(),
        totalCount: z.number().int(),
      }),
    ),
  );

/** A whole list, which has no pages (spec/lists.md#envelope). */
export const listOf = <Item extends z.ZodType>(item: z.ZodLazy<Item>) =>
  z.lazy(() => sharedShape(`${nameOf(item)}List`, () => z.object({ data: z.array(item) })));

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor?: string;
  totalCount: number;
}
