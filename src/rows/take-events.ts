import type { ReadEvent } from "../client/event-reader.ts";
import type { ChangedRows, RequestRow } from "../contract/control/feed-rows.ts";
import type { Posting } from "../contract/control/ledger.ts";
import { SETTLED_STATUSES } from "../domain/lifecycles/payment-ends.ts";
import { countStruck } from "./armed-faults.ts";
import { type GreetedRows, listsOf, MAX_ROWS, type WatchedWorld } from "./world.ts";

/** Time that an ended row stays with its result, real milliseconds. */
export const RESULT_SHOWN_MS = 2000;

/** Replaces rows in place; new rows come first, or last in a queue. */
const merge = <One extends { id: string }>(
  rows: readonly One[],
  changed: readonly One[],
  newAt: "front" | "back",
): readonly One[] => {
  if (changed.length === 0) return rows;
  const byId = new Map(changed.map((row) => [row.id, row]));
  const kept = rows.map((row) => {
    const newer = byId.get(row.id);
    byId.delete(row.id);
    return newer ?? row;
  });
  const added = [...byId.values()];
  if (newAt === "back") return [...kept, ...added].slice(-MAX_ROWS);
  return [...added.reverse(), ...kept].slice(0, MAX_ROWS);
};

/** Timers are ordered by the time they fire. */
const inFiringOrder = (rows: WatchedWorld["lists"]["timers"]) =>
  rows.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0));

const without = <One extends { id: string }>(rows: readonly One[], gone: ReadonlySet<string>) =>
  rows.some(({ id }) => gone.has(id)) ? rows.filter(({ id }) => !gone.has(id)) : rows;

const added = (
  sums: WatchedWorld["totals"],
  postings: readonly Posting[],
  counts: (posting: Posting) => boolean,
) => {
  if (postings.length === 0) return sums;
  const moved: Record<string, number> = { ...sums };
  for (const posting of postings)
    if (counts(posting)) moved[posting.currency] = (moved[posting.currency] ?? 0) + posting.amount;
  return moved;
};

/** Rows that have just ended and leave after a while. */
const leavingOf = (watched: WatchedWorld, changed: ChangedRows, wallMs: number) => {
  const over = [
    ...(changed.approvals ?? []).filter(({ status }) => status !== "PENDING_APPROVAL"),
    ...(changed.payments ?? []).filter(
      ({ kind, status }) => kind !== "QUOTE" && SETTLED_STATUSES.has(status),
    ),
  ].filter(({ id }) => !watched.leaving.has(id));
  if (over.length === 0) return watched.leaving;
  const until = wallMs + RESULT_SHOWN_MS;
  return new Map([...watched.leaving, ...over.map(({ id }) => [id, until] as const)]);
};

const endpointOf = (watched: WatchedWorld, { webhookEndpoint, isWithoutEndpoint }: ChangedRows) =>
  isWithoutEndpoint ? undefined : (webhookEndpoint ?? watched.webhookEndpoint);

const takeRows = (watched: WatchedWorld, changed: ChangedRows, wallMs: number): WatchedWorld => {
  const { lists } = watched;
  const { postings = [] } = changed;
  const gone = new Set(changed.gone ?? []);
  const { timers } = lists;
  const mergedTimers = without(merge(timers, changed.timers ?? [], "back"), gone);
  return {
    ...watched,
    lists: {
      ...lists,
      payments: without(merge(lists.payments, changed.payments ?? [], "front"), gone),
      approvals: merge(lists.approvals, changed.approvals ?? [], "back"),
      deliveries: merge(lists.deliveries, changed.deliveries ?? [], "front"),
      timers: mergedTimers === timers ? timers : inFiringOrder(mergedTimers),
      mails: without(merge(lists.mails, changed.mails ?? [], "front"), gone),
      postings: merge(lists.postings, postings, "front"),
      customers: merge(lists.customers, changed.customers ?? [], "front"),
      cards: merge(lists.cards, changed.cards ?? [], "front"),
    },
    totals: added(watched.totals, postings, () => true),
    held: added(watched.held, postings, ({ account }) => account.startsWith("InternalAccount:")),
    webhookEndpoint: endpointOf(watched, changed),
    faults: without(merge(watched.faults, changed.faults ?? [], "back"), gone),
    leaving: leavingOf(watched, changed, wallMs),
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
      totals: rows.totals,
      held: rows.held,
      webhookEndpoint: rows.webhookEndpoint,
      faults: rows.faults ?? [],
      leaving: new Map(),
    }),
  };
};

const takeEvent = (
  watched: WatchedWorld,
  { event, data }: ReadEvent,
  wallMs: number,
): WatchedWorld => {
  if (event === "hello") return takeSnapshot(watched, data, wallMs);
  if (event === "rows") return takeRows(watched, data, wallMs);
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
  const merged = merge(watched.lists.requests, requests.slice(-MAX_ROWS), "front");
  const faults = countStruck(watched.faults, requests);
  return { ...watched, faults, lists: { ...watched.lists, requests: merged } };
};

/** Merges rows of several changes, so that each list is updated once. */
const joined = (events: readonly ReadEvent[]): ReadEvent[] => {
  const out: ReadEvent[] = [];
  for (const event of events) {
    const before = out.at(-1);
    if (event.event !== "rows" || before?.event !== "rows" || event.data.gone || before.data.gone) {
      out.push(event);
      continue;
    }
    const data = { ...before.data };
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

/** Removes ended rows whose time on the screen is over. */
export const settle = (watched: WatchedWorld, wallMs: number): WatchedWorld => {
  const over = new Set(
    [...watched.leaving].flatMap(([id, until]) => (until <= wallMs ? [id] : [])),
  );
  if (over.size === 0) return watched;
  const { lists } = watched;
  return {
    ...watched,
    lists: {
      ...lists,
      approvals: without(lists.approvals, over),
      payments: without(lists.payments, over),
    },
    leaving: new Map([...watched.leaving].filter(([id]) => !over.has(id))),
  };
};
