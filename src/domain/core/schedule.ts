import type { TimerName } from "../records/timer-names.ts";
import type { Draft, Moment } from "./draft.ts";

/** The effect of a timer, for the report of an advance; `undefined` if its record had moved on. */
export interface TimerEffect {
  from?: string;
  to?: string;
}

export const timerId = (name: TimerName, subject: string) => `${name} ${subject}`;

/** Sets a timer of a subject; setting it again moves it. */
export const setTimer = (
  draft: Draft,
  timer: { name: TimerName; subject: string; dueAtMs: number },
  moment: Moment,
) => {
  const { name, subject, dueAtMs } = timer;
  draft.put("Timer", {
    id: timerId(name, subject),
    name,
    subject,
    dueAtMs,
    order: moment.nextOrder(),
  });
};

export const clearTimer = (draft: Draft, name: TimerName, subject: string) => {
  const id = timerId(name, subject);
  if (draft.get("Timer", id)) draft.del("Timer", id);
};
