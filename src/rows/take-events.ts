import type { ReadEvent } from "../client/event-reader.ts";
import {
  type ChangedRows,
  FIRST_ROWS,
  MAX_REQUESTS,
  MAX_ROWS,
  type PaymentRow,
  type RequestRow,
  type TimerRow,
} from "../contract/control/feed-rows.ts";
import type { Posting } from "../contract/control/ledger.ts";
import { defined } from "../contract/core/defined.ts";
import { countStruck } from "./armed-faults.ts";
import { countIn, type GreetedRows, listsOf, type WatchedWorld } from "./world.ts";

/** Negative when the first row stands before the second. */
type Order<One> = (one: One, other: One) => number;

/** Rows of a list are made of ids that sort by creation: the higher one is the newer one. */
const newerFirst = (one: string, other: string) => (one > other ? -1 : one < other ? 1 : 0);

const byId: Order<{ id: string }> = (one, other) => newerFirst(one.id, other.id);

/** A quote stands where its payment does. */
const byPayment: Order<PaymentRow> = (one, other) =>
  newerFirst(one.transactionId ?? one.id, other.transactionId ?? other.id);

const byFiring: Order<TimerRow> = (one, other) =>
  newerFirst(other.dueAt, one.dueAt) || (one.order ?? 0) - (other.order ?? 0);

/** Postings and requests never change: those that come are the newest. */
const ahead = <One extends { id: string }>(rows: readonly One[], come: readonly One[]) => {
  if (come.length === 0) return rows;
  const known = new Set(come.map(({ id }) => id));
  return [...come.toReversed(), ...rows.filter(({ id }) => !known.has(id))].slice(0, MAX_ROWS);
};

/** The place of a row in a list that is in order. */
const placeIn = <One>(rows: readonly One[], row: One, order: Order<One>) => {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (order(row, rows[middle] as One) < 0) to = middle;
    else from = middle + 1;
  }
  return from;
};

/** Replaces changed rows, takes rows that are gone away, and puts new ones at their place. */
const merge = <One extends { id: string }>(
  rows: readonly One[],
  { changed = [], gone, order }: Changes<One>,
): readonly One[] => {
  const newer = new Map(changed.map((row) => [row.id, row]));
  for (const id of gone) newer.delete(id);
  if (newer.size === 0 && !rows.some(({ id }) => gone.has(id))) return rows;
  const merged: One[] = [];
  for (const row of rows) {
    const next = newer.get(row.id);
    if (gone.has(row.id) || (next && order(row, next) !== 0)) continue;
    newer.delete(row.id);
    merged.push(next ?? row);
  }
  for (const row of newer.values()) merged.splice(placeIn(merged, row, order), 0, row);
  return merged.slice(0, MAX_ROWS);
};

interface Changes<One> {
  changed: readonly One[] | undefined;
  gone: ReadonlySet<string>;
  order: Order<One>;
}

const added = (
  sums: WatchedWorld["totals"],
  postings: readonly Posting[],
  counts: (posting: Posting) => boolean,
) => {
  if (postings.length === 0) return sums;
  const moved: Record<string, number> = { ...sums };
  for (const posting of postings)
    if (counts(posting)) moved[posting.currency] = (moved[posting.currency] ?? 0) + posting.amount;
  return Object.fromEntries(Object.entries(moved).sort(([a], [b]) => (a < b ? -1 : 1)));
};

const endpointOf = (watched: WatchedWorld, { webhookEndpoint, isWithoutEndpoint }: ChangedRows) =>
  isWithoutEndpoint ? undefined : (webhookEndpoint ?? watched.webhookEndpoint);

const takeRows = (watched: WatchedWorld, changed: ChangedRows): WatchedWorld => {
  const { lists } = watched;
  const { postings = [], counts } = changed;
  const gone = new Set(changed.gone ?? []);
  const newest = <One extends { id: string }>(rows: readonly One[], more: One[] | undefined) =>
    merge(rows, { changed: more, gone, order: byId });
  return {
    ...watched,
    lists: {
      ...lists,
      payments: merge(lists.payments, { changed: changed.payments, gone, order: byPayment }),
      approvals: newest(lists.approvals, changed.approvals),
      deliveries: newest(lists.deliveries, changed.deliveries),
      timers: merge(lists.timers, { changed: changed.timers, gone, order: byFiring }),
      mails: newest(lists.mails, changed.mails),
      postings: ahead(lists.postings, postings),
      customers: newest(lists.customers, changed.customers),
      cards: newest(lists.cards, changed.cards),
    },
    // Requests are told one by one, and not with the changes of the world.
    counts: { ...counts, ...defined({ requests: watched.counts.requests }) },
    totals: added(watched.totals, postings, () => true),
    held: added(watched.held, postings, ({ account }) => account.startsWith("InternalAccount:")),
    webhookEndpoint: endpointOf(watched, changed),
    faults: merge(watched.faults, {
      changed: changed.faults,
      gone,
      order: (one, other) => byId(other, one),
    }),
  };
};

interface Greeting {
  world: string;
  now: string;
  clock: { mode: string; speed?: number; aheadMs: number };
  stopped?: { why: string };
  rows?: GreetedRows;
}

const takeSnapshot = (watched: WatchedWorld, hello: Greeting, wallMs: number): WatchedWorld => {
  const { world, now, clock, stopped, rows } = hello;
  return {
    ...watched,
    world,
    clock: { ...clock, atMs: Date.parse(now), wallMs },
    link: { state: "live", sinceMs: wallMs, missed: watched.link.missed },
    stopped: stopped?.why,
    ...(rows && {
      lists: listsOf(rows),
      counts: rows.counts ?? {},
      totals: rows.totals,
      held: rows.held,
      webhookEndpoint: rows.webhookEndpoint,
      faults: rows.faults ?? [],
    }),
  };
};

const takeEvent = (
  watched: WatchedWorld,
  { event, data }: ReadEvent,
  wallMs: number,
): WatchedWorld => {
  if (event === "hello") return takeSnapshot(watched, data, wallMs);
  if (event === "rows") return takeRows(watched, data);
  if (event === "clock") {
    const { now, mode, speed, aheadMs } = data;
    return { ...watched, clock: { mode, speed, aheadMs, atMs: Date.parse(now), wallMs } };
  }
  if (event === "stopped") return { ...watched, stopped: data.why };
  if (event === "start-over")
    return { ...watched, link: { ...watched.link, missed: watched.link.missed + 1 } };
  return watched;
};

/** Adds the requests of a batch together: they are most of the events. */
const takeRequests = (watched: WatchedWorld, events: readonly ReadEvent[]): WatchedWorld => {
  const requests = events.flatMap(({ event, data }) =>
    event === "request" ? [data as RequestRow] : [],
  );
  if (requests.length === 0) return watched;
  const merged = ahead(watched.lists.requests, requests.slice(-MAX_ROWS));
  // A snapshot event may have one whose own event comes behind it.
  const known = new Set(watched.lists.requests.map(({ id }) => id));
  const newCount = requests.filter(({ id }) => !known.has(id)).length;
  const faults = countStruck(watched.faults, requests);
  const count = Math.min(countIn(watched, "requests") + newCount, MAX_REQUESTS);
  const counts = count > FIRST_ROWS ? { ...watched.counts, requests: count } : watched.counts;
  return { ...watched, faults, counts, lists: { ...watched.lists, requests: merged } };
};

/** Rows of a change that touched none: their event only has the id that comes last. */
const isWithoutRows = ({ event, data }: ReadEvent) =>
  event === "rows" && Object.keys(data).length === 0;

/** Merges rows of several changes, so that each list is updated once. */
const joined = (events: readonly ReadEvent[]): ReadEvent[] => {
  const out: ReadEvent[] = [];
  for (const event of events) {
    if (isWithoutRows(event)) continue;
    const before = out.at(-1);
    if (event.event !== "rows" || before?.event !== "rows" || event.data.gone || before.data.gone) {
      out.push(event);
      continue;
    }
    const data = { ...before.data, counts: undefined };
    for (const [name, value] of Object.entries(event.data))
      data[name] = Array.isArray(value) ? [...(data[name] ?? []), ...value] : value;
    out[out.length - 1] = { ...before, data };
  }
  return out;
};

const QUIET = new Set(["change", "delivery", "request", "timer"]);

/**
 * Adds the events of the feed, in the order received.
 * @param wallMs time of receipt
 */
export const takeEvents = (
  watched: WatchedWorld,
  events: readonly ReadEvent[],
  wallMs: number,
): WatchedWorld => {
  const lastSnapshot = events.findLastIndex(({ event, data }) => event === "hello" && data.rows);
  const joinedEvents = joined(events.filter(({ event }) => !QUIET.has(event)));
  const updated = joinedEvents.reduce((world, event) => takeEvent(world, event, wallMs), watched);
  return takeRequests(updated, events.slice(lastSnapshot + 1));
};
