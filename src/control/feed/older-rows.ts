import { type OlderList, OlderRows, OlderRowsQuery } from "../../contract/control/older-rows.ts";
import type { JsonValue } from "../../contract/control/values.ts";
import { PAGE_LIMIT } from "../../contract/core/lists.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { Kind } from "../../domain/records/records.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { paymentRow } from "./feed-rows.ts";
import { cardRow, customerRow } from "./holder-rows.ts";

interface Source {
  kind: Kind;
  row(state: WorldState, id: string): object | undefined;
}

/** The records that rows of a list are made of; every quote has its payment. */
const SOURCES: Readonly<Record<OlderList, Source>> = {
  payments: { kind: "Transaction", row: paymentRow },
  customers: { kind: "Customer", row: customerRow },
  cards: { kind: "Card", row: cardRow },
};

interface RowsQuery {
  list: OlderList;
  limit?: number;
  cursor?: string;
}

/** A page before the record that the cursor names. */
const pageOf = (state: WorldState, { list, limit = PAGE_LIMIT.default, cursor }: RowsQuery) => {
  const { kind, row } = SOURCES[list];
  const ids = state.ids(kind, "all", "").slice();
  const end = cursor === undefined ? ids.length : ids.lastIndexOf(cursor);
  if (end < 0) refuse("INVALID_INPUT", { field: "cursor", value: cursor });
  const start = Math.max(0, end - limit);
  const page = ids.slice(start, end).reverse();
  const hasMore = start > 0;
  return {
    data: page.flatMap((id) => row(state, id) ?? []) as unknown as JsonValue[],
    hasMore,
    ...(hasMore && { nextCursor: page.at(-1) ?? "" }),
    totalCount: ids.length,
  };
};

/** Rows older than those that the feed's snapshot event has. */
export const olderRowEndpoints = [
  endpoint({
    operationId: "olderRows",
    summary: "Rows of a list as in the feed, newest first, page by page",
    method: "GET",
    path: "/rows",
    query: OlderRowsQuery,
    replies: [200, OlderRows],
    refuses: [],
    handle: ({ query }, call, { engine }) =>
      call.read((): OlderRows => pageOf(engine.state, query as RowsQuery), undefined),
  }),
];
