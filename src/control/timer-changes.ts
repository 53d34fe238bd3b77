import * as z from "zod";
import { CanceledTimer, PostponedTimer, TimerFiredNow } from "../contract/control/timers.ts";
import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import { parseDuration } from "../domain/core/durations.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { cancelTimer, fireTimerNow, postponeTimer } from "../domain/timer-changes.ts";
import { instantOf, LATEST_MS } from "./clock.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findTimer, shownTimerId } from "./core/find-timer.ts";
import type { World } from "./core/world.ts";
import { showCanceled, showTimer } from "./timers.ts";

/** Body of POST /_sim/timers/{timerId}/postpone. */
const PostponeInput = z.lazy(() =>
  z
    .strictObject({ by: z.string().optional(), to: z.string().optional() })
    .refine(({ by, to }) => (by === undefined) !== (to === undefined), "Expected one of by and to"),
);

type PostponeInput = z.infer<typeof PostponeInput>;

/** The new instant of a timer: some time after it was due, or the one that was named. */
const dueOf = ({ dueAtMs }: TimerRecord, { by, to }: PostponeInput, { engine }: World): number => {
  const nowMs = engine.clock.now();
  if (by === undefined) return instantOf(to ?? "", nowMs);
  const details = { field: "by", value: by };
  const spanMs = parseDuration(by) ?? refuse("INVALID_DURATION", details);
  // One that was canceled may have been due long ago.
  const laterMs = Math.max(dueAtMs, nowMs) + spanMs;
  if (laterMs <= LATEST_MS) return laterMs;
  return refuse(
    "INVALID_DURATION",
    details,
    `Expected a duration that ends before the year 9999 but found "${by}"`,
  );
};

/** Refuses a timer that fell due between the look-up and the change. */
const refuseFired = (timer: TimerRecord): never => {
  const id = shownTimerId(timer);
  return refuse("ID_NOT_FOUND", { id }, `Expected a pending timer but ${id} has fired`);
};

const ID_REFUSALS = ["ID_NOT_FOUND", "ID_AMBIGUOUS"] as const;

/** Firing, postponing and canceling one timer; the clock stays where it is. */
export const timerChangeEndpoints = [
  endpoint({
    operationId: "fireTimer",
    summary: "Fire one timer now; the clock does not move",
    method: "POST",
    path: "/timers/{timerId}/fire",
    replies: [200, TimerFiredNow],
    refuses: ID_REFUSALS,
    handle: ({ params: { timerId } }, { commit }, world) => {
      const { engine } = world;
      const timer = findTimer(world, timerId);
      const { id, name, subject, dueAtMs } = timer;
      const fired = defined(commit(fireTimerNow, { id }) ?? refuseFired(timer));
      for (const listener of engine.listeners)
        listener.fired?.({ atMs: engine.state.atMs, timer: name, subject, ...fired });
      return {
        id: shownTimerId(timer),
        timer: name,
        subject,
        wasDueAt: instant(dueAtMs),
        ...fired,
      };
    },
  }),
  endpoint({
    operationId: "postponeTimer",
    summary: "Postpone one timer, or move it to an instant; a canceled one is set again",
    method: "POST",
    path: "/timers/{timerId}/postpone",
    body: PostponeInput,
    replies: [200, PostponedTimer],
    refuses: [...ID_REFUSALS, "INVALID_DURATION", "INVALID_INSTANT", "TIME_IN_PAST"],
    handle: ({ params: { timerId }, body }, { commit }, world) => {
      const { engine } = world;
      const timer = findTimer(world, timerId);
      const dueAtMs = dueOf(timer, body, world);
      const postponed = commit(postponeTimer, { id: timer.id, dueAtMs }) ?? refuseFired(timer);
      return { ...showTimer(engine, postponed), wasDueAt: instant(timer.dueAtMs) };
    },
  }),
  endpoint({
    operationId: "cancelTimer",
    summary: "Cancel one timer, and report what will no longer happen",
    method: "DELETE",
    path: "/timers/{timerId}",
    replies: [200, CanceledTimer],
    refuses: ID_REFUSALS,
    handle: ({ params: { timerId } }, { commit }, world) => {
      const { engine } = world;
      const timer = findTimer(world, timerId);
      const canceled = commit(cancelTimer, { id: timer.id }) ?? refuseFired(timer);
      return showCanceled(engine.state, canceled);
    },
  }),
];
