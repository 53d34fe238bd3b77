import type { Draft, Rule, View } from "./core/draft.ts";
import type { TimerEffect } from "./core/schedule.ts";
import type { Kind, TimerRecord } from "./records/records.ts";
import { TIMERS } from "./timers.ts";

/**
 * Kinds of records that have timers. A timer that fired meanwhile is none: the rules below answer
 * nothing then.
 */
const SUBJECT_KINDS = [
  "Quote",
  "Transaction",
  "AgentAction",
  "Job",
  "Card",
  "CardTransaction",
  "Delivery",
] as const satisfies readonly Kind[];

/** The record that a timer is about; none when it is gone. */
export const subjectOf = (view: View, { subject }: Pick<TimerRecord, "subject">) => {
  for (const kind of SUBJECT_KINDS) {
    const record = view.get(kind, subject);
    if (record) return record;
  }
  return undefined;
};

/** Makes the change part of the story of the timer's subject, which stays as it is. */
const tellSubject = (draft: Draft, { subject }: TimerRecord) => {
  for (const kind of SUBJECT_KINDS) {
    const record = kind === "Delivery" ? undefined : draft.get(kind, subject);
    if (record) draft.put(kind, record);
  }
};

/**
 * POST /_sim/timers/{timerId}/fire: the step of a timer happens now, whatever was due before it
 * (spec/clock.md#changing-a-timer).
 */
export const fireTimerNow: Rule<
  { id: string },
  (TimerEffect & { rule: string | undefined }) | undefined
> = (draft, { id }, moment) => {
  const timer = draft.get("Timer", id);
  if (!timer) return undefined;
  const { name, subject } = timer;
  draft.del("Timer", id);
  const fired = TIMERS[name].fire(draft, subject, moment);
  return { ...fired, rule: draft.decisions.at(-1) };
};

/** POST /_sim/timers/{timerId}/postpone: a timer, or one that was canceled, is due then. */
export const postponeTimer: Rule<{ id: string; dueAtMs: number }, TimerRecord | undefined> = (
  draft,
  { id, dueAtMs },
  moment,
) => {
  const pendingTimer = draft.get("Timer", id);
  if (!pendingTimer) return undefined;
  const { canceledAtMs: _canceled, ...timer } = pendingTimer;
  const postponed = { ...timer, dueAtMs, order: moment.nextOrder() };
  draft.put("Timer", postponed);
  tellSubject(draft, postponed);
  const delivery = draft.get("Delivery", timer.subject);
  if (delivery?.nextAttemptAtMs !== undefined)
    draft.put("Delivery", { ...delivery, nextAttemptAtMs: dueAtMs });
  return postponed;
};

/**
 * DELETE /_sim/timers/{timerId}: a timer never fires, unless it is postponed later. It is kept, so
 * that the world knows why its subject has no next step (decisions/canceled-timers-are-kept.md).
 */
export const cancelTimer: Rule<{ id: string }, TimerRecord | undefined> = (
  draft,
  { id },
  moment,
) => {
  const timer = draft.get("Timer", id);
  if (!timer) return undefined;
  const canceled = { ...timer, canceledAtMs: moment.atMs };
  draft.put("Timer", canceled);
  tellSubject(draft, canceled);
  return canceled;
};
