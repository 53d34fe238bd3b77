import {
  HISTORY_MARKS,
  HISTORY_PARTS,
  History,
  type HistoryBucket,
  type HistoryLane,
  type HistoryMark,
  HistoryQuery,
} from "../../contract/control/history.ts";
import { all, find, instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import { TIMERS } from "../../domain/timers.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { World } from "../core/world.ts";

/** One thing that happened. */
interface Event {
  atMs: number;
  mark: HistoryMark;
  id: string;
  says: string;
}

/** Simulated time, both ends included. */
interface Span {
  fromMs: number;
  toMs: number;
}

/** Open approvals that a reply names. */
const MAX_OPEN = 100;

/** Marks of statuses that a timer led to; any other status is the clock's ordinary work. */
const TIMER_MARKS: Readonly<Record<string, HistoryMark>> = {
  FAILED: "failed",
  EXPIRED: "over",
  REJECTED: "over",
  REFUNDED: "over",
  CLOSED: "over",
};

/** Marks of agents' actions; those that went through are done. */
const ACTION_MARKS: Readonly<Record<string, HistoryMark>> = {
  PENDING_APPROVAL: "asks",
  REJECTED: "over",
  EXPIRED: "over",
  FAILED: "failed",
};

const isTimer = (by: string) => Object.hasOwn(TIMERS, by);

/** Timers that fired, one event each: that of the record the timer was about. */
const timerEvents = ({ engine: { state } }: World, { fromMs, toMs }: Span): Event[] => {
  const events: Event[] = [];
  for (const { id, entry } of state.history.between(fromMs, toMs)) {
    const { atMs, by, cause, status } = entry;
    if (!isTimer(by) || cause !== `${by} ${id}`) continue;
    const says = status === undefined ? by : `${by} → ${status}`;
    events.push({ atMs, mark: TIMER_MARKS[status ?? ""] ?? "clock", id, says });
  }
  return events;
};

const requestEvents = ({ log }: World): Event[] =>
  log
    .page({ limit: Number.MAX_SAFE_INTEGER }, () => true)
    .requests.reverse()
    .map(({ id, atMs, method, path, status }) => ({
      atMs,
      mark: status < 400 ? "done" : "failed",
      id,
      says: `${method} ${path} ${status}`,
    }));

/** Attempts of a delivery; one that was never sent stands at its event. */
const attemptsOf = ({ id, type, attempts, state, bornAtMs }: DeliveryRecord): Event[] => {
  if (attempts.length === 0 && state === "UNDELIVERABLE")
    return [{ atMs: bornAtMs, mark: "done", id, says: `${type} collected` }];
  return attempts.map(({ atMs, httpStatus }) => ({
    atMs,
    mark: httpStatus !== undefined && (httpStatus < 300 || httpStatus === 409) ? "done" : "failed",
    id,
    says: `${type} ${httpStatus ?? "no answer"}`,
  }));
};

const webhookEvents = ({ engine: { state } }: World): Event[] =>
  all(state, "Delivery").flatMap(attemptsOf);

const approvalEvents = ({ engine: { state } }: World): Event[] =>
  all(state, "AgentAction").map(({ id, createdAtMs, status }) => ({
    atMs: createdAtMs,
    mark: ACTION_MARKS[status] ?? "done",
    id,
    says: status,
  }));

const worse = (a: HistoryMark, b: HistoryMark) =>
  HISTORY_MARKS.indexOf(a) <= HISTORY_MARKS.indexOf(b) ? a : b;

/** A span and the number of its parts. */
export interface Parts extends Span {
  count: number;
}

/** Puts events into parts of a span; those outside are left out. */
export const inParts = (
  events: readonly Event[],
  { fromMs, toMs, count }: Parts,
): HistoryBucket[] => {
  const parts = new Map<number, { bucket: HistoryBucket; atMs: number }>();
  const length = Math.max(1, (toMs - fromMs) / count);
  for (const { atMs, mark, id, says } of events) {
    if (atMs < fromMs || atMs > toMs) continue;
    const place = Math.min(count - 1, Math.floor((atMs - fromMs) / length));
    const known = parts.get(place);
    const failed = mark === "failed" ? 1 : 0;
    if (!known) {
      const bucket = { at: instant(atMs), count: 1, worst: mark, failed, first: { id, says } };
      parts.set(place, { bucket, atMs });
      continue;
    }
    const { bucket } = known;
    bucket.count += 1;
    bucket.failed += failed;
    bucket.worst = worse(bucket.worst, mark);
    if (atMs >= known.atMs) continue;
    known.atMs = atMs;
    bucket.at = instant(atMs);
    bucket.first = { id, says };
  }
  return [...parts].sort(([a], [b]) => a - b).map(([, { bucket }]) => bucket);
};

const SOURCES: Readonly<Record<HistoryLane, (world: World, span: Span) => Event[]>> = {
  requests: requestEvents,
  timers: timerEvents,
  webhooks: webhookEvents,
  approvals: approvalEvents,
};

const openActions = ({ engine: { state } }: World) =>
  find(state, "AgentAction", ["byStatus", "PENDING_APPROVAL"])
    .slice(0, MAX_OPEN)
    .map(({ id, createdAtMs }) => ({ id, from: instant(createdAtMs) }));

/** Past events, counted in parts of a span (spec/clock.md#history). */
export const historyEndpoints = [
  endpoint({
    operationId: "history",
    summary: "Events in parts of a span: requests, fired timers, webhooks and agents' actions",
    method: "GET",
    path: "/history",
    query: HistoryQuery,
    replies: [200, History],
    refuses: [],
    handle: ({ query: { from, to, buckets } }, call, world) =>
      call.read((): History => {
        const earliest = world.timelines.earliest().atMs;
        const toMs = to === undefined ? world.engine.clock.now() : Date.parse(to);
        const fromMs = from === undefined ? Math.min(earliest, toMs - 1) : Date.parse(from);
        if (fromMs >= toMs)
          return refuse(
            "INVALID_INPUT",
            { field: "to", ...(to !== undefined && { value: to }) },
            "Expected to after from",
          );
        const parts = { fromMs, toMs, count: buckets ?? HISTORY_PARTS.usual };
        const laneOf = (name: HistoryLane) => inParts(SOURCES[name](world, parts), parts);
        return {
          from: instant(fromMs),
          to: instant(toMs),
          earliest: instant(earliest),
          lanes: {
            requests: laneOf("requests"),
            timers: laneOf("timers"),
            webhooks: laneOf("webhooks"),
            approvals: laneOf("approvals"),
          },
          open: openActions(world),
        };
      }, undefined),
  }),
];
