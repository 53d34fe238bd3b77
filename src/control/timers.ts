import * as z from "zod";
import { all, instant } from "../domain/core/draft.ts";
import { nextStep } from "../domain/payments/outcome-steps.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { TIMERS } from "../domain/timers.ts";
import { endpoint } from "../http/endpoint.ts";
import type { Engine } from "../runtime/engine.ts";
import type { WorldControl } from "./core/world-control.ts";

/** The row that a timer of a course stands in. */
const ruleOf = ({ state }: Engine, { name, subject }: TimerRecord) => {
  const next = nextStep(state.get("Transaction", subject)?.course);
  return next?.step.timer === name ? next.row : undefined;
};

const showTimer = (engine: Engine, timer: TimerRecord) => {
  const row = ruleOf(engine, timer);
  return {
    dueAt: instant(timer.dueAtMs),
    inMs: timer.dueAtMs - engine.clock.now(),
    timer: timer.name,
    subject: timer.subject,
    then: TIMERS[timer.name].leadsTo,
    ...(row !== undefined && { rule: row }),
    ...(timer.poisoned !== undefined && { poisoned: timer.poisoned }),
  };
};

/** The next thing to happen, in short. */
export const nextTimerShown = (engine: Engine) => {
  const next = engine.nextTimer();
  return next && { dueAt: instant(next.dueAtMs), timer: next.name, subject: next.subject };
};

const MAX_SHOWN = 1000;

const inFiringOrder = (a: TimerRecord, b: TimerRecord) =>
  a.dueAtMs - b.dueAtMs || a.order - b.order;

/** What will happen next. */
export const timerEndpoints = ({ engine }: WorldControl) => [
  endpoint({
    operationId: "timers",
    summary: "Pending timers in the order they will fire",
    method: "GET",
    path: "/timers",
    permission: "none",
    replies: [200, z.looseObject({ data: z.array(z.looseObject({})), hasMore: z.boolean() })],
    refuses: [],
    handle: (_input, call) =>
      call.read((view) => {
        const timers = all(view, "Timer").sort(inFiringOrder);
        return {
          data: timers.slice(0, MAX_SHOWN).map((timer) => showTimer(engine, timer)),
          hasMore: timers.length > MAX_SHOWN,
          totalCount: timers.length,
        };
      }, undefined),
  }),
];
