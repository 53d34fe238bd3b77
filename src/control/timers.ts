import {
  type CanceledTimer,
  type NextTimer,
  type PendingTimer,
  PendingTimers,
} from "../contract/control/timers.ts";
import { all, find, instant } from "../domain/core/draft.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { subjectOf } from "../domain/timer-changes.ts";
import { TIMERS } from "../domain/timers.ts";
import type { Engine } from "../runtime/engine.ts";
import { statusOf } from "../runtime/history.ts";
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

const MAX_SHOWN = 1000;

const inFiringOrder = (a: TimerRecord, b: TimerRecord) =>
  a.dueAtMs - b.dueAtMs || a.order - b.order;

/** Pending timers. */
export const timerEndpoints = [
  endpoint({
    operationId: "timers",
    summary: "Pending timers in the order they will fire",
    method: "GET",
    path: "/timers",
    permission: "none",
    replies: [200, PendingTimers],
    refuses: [],
    handle: (_input, call, { engine }) =>
      call.read((view): PendingTimers => {
        const timers = all(view, "Timer")
          .filter(({ canceledAtMs }) => canceledAtMs === undefined)
          .sort(inFiringOrder);
        const canceled = find(view, "Timer", ["canceled", ""]);
        return {
          data: timers.slice(0, MAX_SHOWN).map((timer) => showTimer(engine, timer)),
          hasMore: timers.length > MAX_SHOWN,
          totalCount: timers.length,
          ...(canceled.length > 0 && {
            canceled: canceled.map((timer) => showCanceled(engine.state, timer)),
          }),
        };
      }, undefined),
  }),
];
