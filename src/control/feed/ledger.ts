import { Ledger, type Posting } from "../../contract/control/ledger.ts";
import { PageQuery } from "../../contract/core/lists.ts";
import { instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { BookedPosting, WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";

/** Sum of all balances by currency: zero, or the world is broken. */
export const ledgerTotals = (state: WorldState): Record<string, number> => {
  const totals: Record<string, bigint> = {};
  for (const { currency, minor } of state.allBalances())
    totals[currency] = (totals[currency] ?? 0n) + minor;
  return Object.fromEntries(
    Object.entries(totals)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, total]) => [currency, Number(total)]),
  );
};

/** A posting as lists and the feed show it. */
export const showPosting = (posting: BookedPosting): Posting => ({
  id: posting.id,
  at: instant(posting.atMs),
  cause: posting.cause,
  account: posting.account,
  currency: posting.currency,
  amount: Number(posting.amountMinor),
});

/** An account may have several currencies: how a world keeps its balances orders nothing. */
const byAccountAndCurrency = (a: BalanceShown, b: BalanceShown) =>
  a.account === b.account ? ordered(a.currency, b.currency) : ordered(a.account, b.account);

type BalanceShown = Ledger["balances"][number];

const ordered = (a: string, b: string) => (a < b ? -1 : 1);

const DEFAULT_POSTINGS = 100;

/** Postings newest first; the cursor is the position of the oldest one given. */
const postingsPage = (postings: WorldState["postings"], limit: number, cursor?: string) => {
  const end = cursor === undefined ? postings.length : Number(cursor);
  if (!Number.isInteger(end) || end < 0 || end > postings.length)
    refuse("INVALID_INPUT", { field: "cursor", value: cursor });
  const start = Math.max(0, end - limit);
  return {
    postings: postings.slice(start, end).reverse().map(showPosting),
    hasMore: start > 0,
    ...(start > 0 && { nextCursor: String(start) }),
  };
};

/** Balances and postings of every account, the ledger's own included. */
export const ledgerEndpoints = [
  endpoint({
    operationId: "ledger",
    summary: "Balances and postings; the totals are zero",
    method: "GET",
    path: "/ledger",
    permission: "none",
    query: PageQuery,
    replies: [200, Ledger],
    refuses: [],
    handle: ({ query }, call, { engine }) =>
      call.read((): Ledger => {
        const { state } = engine;
        return {
          totals: ledgerTotals(state),
          balances: state
            .allBalances()
            .map(({ account, currency, minor }) => ({ account, currency, amount: Number(minor) }))
            .sort(byAccountAndCurrency),
          ...postingsPage(state.postings, query.limit ?? DEFAULT_POSTINGS, query.cursor),
        };
      }, undefined),
  }),
];
