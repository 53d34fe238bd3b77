import { BalanceSeries, SERIES_POINTS, SeriesQuery } from "../../contract/control/ledger.ts";
import { instant } from "../../domain/core/draft.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { requireAccount } from "./ledger.ts";

/** A balance from an instant on. */
interface Point {
  atMs: number;
  minor: bigint;
}

/** The balances of an account, each with the instant at which it began, the oldest first. */
const changesOf = (state: WorldState, account: string, currency: string): Point[] => {
  const points: Point[] = [];
  let after = state.balanceMinor(account, currency);
  for (const posting of state.postings.reversed()) {
    if (posting.account !== account || posting.currency !== currency) continue;
    const newest = points.at(-1);
    // Postings of one instant make one step.
    if (newest?.atMs !== posting.atMs) points.push({ atMs: posting.atMs, minor: after });
    after -= posting.amountMinor;
  }
  return points.reverse();
};

/** The points of a span: the balance at its beginning, then each change within it. */
const within = (changes: readonly Point[], fromMs: number, toMs: number): Point[] => {
  const before = changes.findLast(({ atMs }) => atMs <= fromMs);
  return [
    { atMs: fromMs, minor: before?.minor ?? 0n },
    ...changes.filter(({ atMs }) => atMs > fromMs && atMs <= toMs),
  ];
};

/** The first point, then the last of each of `count - 1` equal parts, where there are more. */
const thinned = (points: readonly Point[], count: number): readonly Point[] => {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length <= count) return points;
  const partMs = Math.max(1, (last.atMs - first.atMs) / (count - 1));
  const byPart = new Map<number, Point>();
  for (const point of points)
    byPart.set(Math.min(count - 2, Math.floor((point.atMs - first.atMs) / partMs)), point);
  return [first, ...[...byPart.values()].filter((point) => point !== first)];
};

/** A balance over simulated time (spec/ledger.md#series). */
export const balanceSeriesEndpoints = [
  endpoint({
    operationId: "balanceSeries",
    summary: "The balance of an account as steps over simulated time",
    method: "GET",
    path: "/ledger/series",
    query: SeriesQuery,
    replies: [200, BalanceSeries],
    refuses: ["ID_NOT_FOUND"],
    handle: ({ query: { account, currency, from, to, points } }, call, { engine }) =>
      call.read((): BalanceSeries => {
        const { state, clock } = engine;
        requireAccount(state, account);
        const changes = changesOf(state, account, currency);
        const toMs = to === undefined ? clock.now() : Date.parse(to);
        const fromMs = from === undefined ? (changes[0]?.atMs ?? toMs) : Date.parse(from);
        const shown = thinned(within(changes, fromMs, toMs), points ?? SERIES_POINTS.usual);
        return {
          account,
          currency,
          from: instant(fromMs),
          to: instant(toMs),
          points: shown.map(({ atMs, minor }) => ({ at: instant(atMs), amount: Number(minor) })),
        };
      }, undefined),
  }),
];
