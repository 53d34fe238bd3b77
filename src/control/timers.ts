import { type NextTimer, type PendingTimer, PendingTimers } from "../contract/control/timers.ts";
import { all, instant } from "../domain/core/draft.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import type { Engine } from "../runtime/engine.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { timerFacts } from "./feed/timer-facts.ts";

const showTimer = (engine: Engine, timer: TimerRecord): PendingTimer => {
  const { dueAt, ...facts } = timerFacts(engine.state, timer);
  return { dueAt, inMs: timer.dueAtMs - engine.clock.now(), ...facts };
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
        const timers = all(view, "Timer").sort(inFiringOrder);
        return {
          data: timers.slice(0, MAX_SHOWN).map((timer) => showTimer(engine, timer)),
          hasMore: timers.length > MAX_SHOWN,
          totalCount: timers.length,
        };
      }, undefined),
  }),
];
