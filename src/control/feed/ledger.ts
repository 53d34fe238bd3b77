import { Ledger, LedgerQuery, type Posting } from "../../contract/control/ledger.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { type BookedPosting, postingId } from "../../runtime/posting-columns.ts";
import type { WorldState } from "../../runtime/world-state.ts";
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
  id: postingId(posting),
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

/** Account and span of the postings that a page has. */
interface PostingQuery {
  account?: string | undefined;
  fromMs: number;
  toMs: number;
}

const wantedOf = ({
  account,
  from,
  to,
}: {
  account?: string;
  from?: string;
  to?: string;
}): PostingQuery => ({
  account,
  fromMs: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
  toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
});

/**
 * The wanted postings before a position, the newest first, each with its own position. In a
 * statement each has the balance after it, which takes a walk from the newest posting on.
 */
function* wantedPostings(state: WorldState, { account, fromMs, toMs }: PostingQuery, end: number) {
  const balances = new Map<string, bigint>();
  const first = account === undefined ? end : state.postings.length;
  let at = first;
  for (const posting of state.postings.reversed(first)) {
    at -= 1;
    const { currency, atMs, amountMinor } = posting;
    if (atMs < fromMs) return;
    if (account === undefined) {
      if (atMs <= toMs) yield { at, shown: showPosting(posting) };
      continue;
    }
    if (posting.account !== account) continue;
    const after = balances.get(currency) ?? state.balanceMinor(account, currency);
    balances.set(currency, after - amountMinor);
    if (at < end && atMs <= toMs)
      yield { at, shown: { ...showPosting(posting), balance: Number(after) } };
  }
}

/** Postings newest first; the cursor is the position of the oldest one given. */
const postingsPage = (
  state: WorldState,
  wanted: PostingQuery,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) => {
  const end = cursor === undefined ? state.postings.length : Number(cursor);
  if (!Number.isInteger(end) || end < 0 || end > state.postings.length)
    refuse("INVALID_INPUT", { field: "cursor", value: cursor });
  const postings: Posting[] = [];
  let start = end;
  for (const { at, shown } of wantedPostings(state, wanted, end)) {
    if (postings.length === limit) return { postings, hasMore: true, nextCursor: String(start) };
    postings.push(shown);
    start = at;
  }
  return { postings, hasMore: false };
};

/** The one account of a statement, or all. */
const balancesOf = (state: WorldState, { account }: PostingQuery) =>
  state
    .allBalances()
    .filter((one) => account === undefined || one.account === account)
    .map(({ account, currency, minor }) => ({ account, currency, amount: Number(minor) }))
    .sort(byAccountAndCurrency);

/** Refuses an account that neither the ledger nor the platform has. */
export const requireAccount = (state: WorldState, account: string) => {
  const isKnown =
    account.startsWith("Ledger:") || state.get("InternalAccount", account) !== undefined;
  if (!isKnown) refuse("ID_NOT_FOUND", { id: account });
};

/** Balances and postings of every account, the ledger's own included. */
export const ledgerEndpoints = [
  endpoint({
    operationId: "ledger",
    summary: "Balances and postings; the totals are zero",
    method: "GET",
    path: "/ledger",
    query: LedgerQuery,
    replies: [200, Ledger],
    refuses: ["ID_NOT_FOUND"],
    handle: ({ query }, call, { engine }) =>
      call.read((): Ledger => {
        const { state } = engine;
        const { limit = DEFAULT_POSTINGS, cursor, account } = query;
        if (account !== undefined) requireAccount(state, account);
        const wanted = wantedOf(defined(query));
        return {
          totals: ledgerTotals(state),
          balances: balancesOf(state, wanted),
          ...postingsPage(state, wanted, { limit, cursor }),
        };
      }, undefined),
  }),
];
