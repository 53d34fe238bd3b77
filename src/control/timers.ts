import {
  type CanceledTimer,
  type NextTimer,
  type PendingTimer,
  PendingTimers,
  TIMER_LIMITS,
  type TimerBucket,
  TimersQuery,
} from "../contract/control/timers.ts";
import { defined } from "../contract/core/defined.ts";
import { all, find, instant } from "../domain/core/draft.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { subjectOf } from "../domain/timer-changes.ts";
import { TIMERS } from "../domain/timers.ts";
import type { Engine } from "../runtime/engine.ts";
import { statusOf } from "../runtime/history.ts";
import { isTimerMark } from "../runtime/timer-queue.ts";
import type { WorldState } from "../runtime/world-state.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { shownTimerId } from "./core/find-timer.ts";
import { timerFacts } from "./feed/timer-facts.ts";

/** A pending timer as lists show it. */
export const showTimer = (engine: Engine, timer: TimerRecord): PendingTimer => {
  const { dueAt, ...facts } = timerFacts(engine.state, timer);
  return { id: shownTimerId(timer), dueAt, inMs: timer.dueAtMs - engine.clock.now(), ...facts };
};

/** A canceled timer, with what it leaves undone. */
export const showCanceled = (state: WorldState, timer: TimerRecord): CanceledTimer => {
  const { name, subject, dueAtMs, canceledAtMs = dueAtMs } = timer;
  const record = subjectOf(state, timer);
  const status = record && statusOf(record);
  const stays = status === undefined ? "stays as it is" : `stays ${status}`;
  return {
    id: shownTimerId(timer),
    timer: name,
    subject,
    dueAt: instant(dueAtMs),
    canceledAt: instant(canceledAtMs),
    leaves: `${subject} ${stays}: ${TIMERS[name].undone}`,
  };
};

/** The timer that fires next, in short. */
export const nextTimerShown = (engine: Engine): NextTimer | undefined => {
  const next = engine.nextTimer();
  return next && { dueAt: instant(next.dueAtMs), timer: next.name, subject: next.subject };
};

interface TimerQuery {
  from?: string | undefined;
  to?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  buckets?: number | undefined;
}

const instantIn = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** The mark that a cursor holds. */
const markIn = (cursor: string): string => {
  const mark = Buffer.from(cursor, "base64url").toString("utf8");
  return isTimerMark(mark)
    ? mark
    : refuse(
        "INVALID_INPUT",
        { field: "cursor", value: cursor },
        "Expected cursor to be a nextCursor of this list",
      );
};

const cursorOf = (mark: string) => Buffer.from(mark, "utf8").toString("base64url");

/** Timers that threw: their world stopped, and they fire no more. */
const poisonedIn = ({ state }: Engine, pendingCount: number, canceledCount: number) => {
  // Looked for only where there are some, since each timer would have to be read.
  if (state.ids("Timer", "all", "").length === pendingCount + canceledCount) return [];
  return all(state, "Timer").filter(({ poisoned }) => poisoned !== undefined);
};

/** Counts the timers of a span in parts of the same length (spec/clock.md#timers). */
const bucketsOf = (
  { state, clock }: Engine,
  { from, to, buckets: count = 0 }: TimerQuery,
): TimerBucket[] => {
  const [fromMs, toMs] = [instantIn(from) ?? clock.now(), instantIn(to)];
  if (toMs === undefined || toMs <= fromMs)
    return refuse(
      "INVALID_INPUT",
      { field: "to", ...(to !== undefined && { value: to }) },
      "Expected to after from beside buckets",
    );
  const queue = state.pendingTimers;
  const edge = (part: number) => fromMs + Math.round((part * (toMs - fromMs)) / count);
  const filledBuckets: TimerBucket[] = [];
  for (let part = 0; part < count; part += 1) {
    const isLast = part === count - 1;
    const span = queue.span({ fromMs: edge(part), toMs: isLast ? toMs : edge(part + 1) - 1 });
    const ids = queue.slice(span);
    const first = ids[0] && state.get("Timer", ids[0].id);
    if (!first) continue;
    const names: Record<string, number> = {};
    // An id begins with the name: reading 100,000 records would hold up other calls.
    for (const { id } of ids) {
      const name = id.slice(0, id.indexOf(" "));
      names[name] = (names[name] ?? 0) + 1;
    }
    const at = instant(edge(part));
    filledBuckets.push({ at, count: ids.length, first: shownTimerId(first), timers: names });
  }
  return filledBuckets;
};

const lastDueAt = ({ state }: Engine): string | undefined => {
  const { length } = state.pendingTimers;
  const [last] = state.pendingTimers.slice({ from: Math.max(0, length - 1), to: length });
  const timer = last && state.get("Timer", last.id);
  return timer && instant(timer.dueAtMs);
};

const pendingTimers = (engine: Engine, query: TimerQuery): PendingTimers => {
  const { state } = engine;
  const { limit = TIMER_LIMITS.rows, cursor, buckets } = query;
  const queue = state.pendingTimers;
  const span = queue.span({ fromMs: instantIn(query.from), toMs: instantIn(query.to) });
  const from = cursor === undefined ? span.from : Math.max(span.from, queue.after(markIn(cursor)));
  const page = queue.slice({ from, to: Math.min(span.to, from + limit) });
  const last = page.at(-1);
  const hasMore = from + page.length < span.to;
  const canceled = find(state, "Timer", ["canceled", ""]);
  const poisoned = poisonedIn(engine, queue.length, canceled.length);
  const shown = page.flatMap(({ id }) => state.get("Timer", id) ?? []);
  return {
    data: [...(cursor === undefined ? poisoned : []), ...shown].map((timer) =>
      showTimer(engine, timer),
    ),
    hasMore,
    ...(hasMore && last && { nextCursor: cursorOf(last.mark) }),
    totalCount: span.to - span.from + poisoned.length,
    ...defined({ lastDueAt: lastDueAt(engine) }),
    ...(buckets !== undefined && { buckets: bucketsOf(engine, query) }),
    ...(canceled.length > 0 && { canceled: canceled.map((timer) => showCanceled(state, timer)) }),
  };
};

/** Pending timers. */
export const timerEndpoints = [
  endpoint({
    operationId: "timers",
    summary: "Pending timers in the order they will fire, and their counts within a span",
    method: "GET",
    path: "/timers",
    query: TimersQuery,
    replies: [200, PendingTimers],
    refuses: [],
    handle: ({ query }, call, { engine }) =>
      call.read(() => pendingTimers(engine, query), undefined),
  }),
];
