import { ClockPreview, PREVIEW_ROWS } from "../contract/control/clock-preview.ts";
import { instant } from "../domain/core/draft.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import type { Engine } from "../runtime/engine.ts";
import { statusOf } from "../runtime/history.ts";
import type { WorldState } from "../runtime/world-state.ts";
import { AdvanceInput, goalOf } from "./clock.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { showTimer } from "./timers.ts";

/** The record whose status an `until` waits for, and the payment that was made from a quote. */
const subjectsOf = (state: WorldState, id: string): ReadonlySet<string> =>
  new Set([id, ...(state.get("Quote", id) ? [state.get("Quote", id)?.transactionId ?? id] : [])]);

const pendingIn = (state: WorldState, toMs: number | undefined): TimerRecord[] => {
  const queue = state.pendingTimers;
  return queue.slice(queue.span({ toMs })).flatMap(({ id }) => state.get("Timer", id) ?? []);
};

/** The instant at which a status is reached, as far as the timers of now tell. */
const reachedAtMs = (engine: Engine, until: { id: string; status: string }, limitMs: number) => {
  const { state, clock } = engine;
  const record = state.get("Transaction", until.id) ?? state.get("Quote", until.id);
  if (record && statusOf(record) === until.status) return clock.now();
  const subjects = subjectsOf(state, until.id);
  const own = pendingIn(state, limitMs).filter(({ subject }) => subjects.has(subject));
  const leading = own.find((timer) => showTimer(engine, timer).then === until.status);
  return (leading ?? own.at(-1))?.dueAtMs ?? clock.now();
};

const previewOf = (engine: Engine, toMs: number): ClockPreview => {
  const { state, clock } = engine;
  const fromMs = clock.now();
  const queue = state.pendingTimers;
  const marks = queue.slice(queue.span({ toMs }));
  const byTimer: Record<string, number> = {};
  for (const { id } of marks) {
    const name = id.slice(0, id.indexOf(" "));
    byTimer[name] = (byTimer[name] ?? 0) + 1;
  }
  return {
    from: instant(fromMs),
    to: instant(toMs),
    inMs: toMs - fromMs,
    count: marks.length,
    byTimer,
    fires: marks
      .slice(0, PREVIEW_ROWS)
      .flatMap(({ id }) => state.get("Timer", id) ?? [])
      .map((timer) => showTimer(engine, timer)),
  };
};

/** Timers of now that an advance would fire (spec/clock.md#preview). */
export const clockPreviewEndpoints = [
  endpoint({
    operationId: "previewClock",
    summary: "Preview the known timers that an advance would fire; the clock does not move",
    method: "POST",
    path: "/clock/preview",
    body: AdvanceInput,
    replies: [200, ClockPreview],
    refuses: [
      "INVALID_INPUT",
      "INVALID_DURATION",
      "INVALID_INSTANT",
      "TIME_IN_PAST",
      "ID_NOT_FOUND",
      "ID_AMBIGUOUS",
    ],
    handle: ({ body }, call, world) =>
      call.read((): ClockPreview => {
        const { engine } = world;
        const { fromMs, target, until } = goalOf(body, world);
        const limitMs = "byMs" in target ? fromMs + (target.byMs ?? 0) : (target.toMs ?? fromMs);
        return previewOf(engine, until ? reachedAtMs(engine, until, limitMs) : limitMs);
      }, undefined),
  }),
];
