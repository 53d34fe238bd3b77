import type { TimerName } from "../records/timer-names.ts";
import type { Draft, Moment } from "./draft.ts";

/** What a timer did, for the report of an advance; nothing when it no longer fitted. */
export interface Fired {
  from?: string;
  to?: string;
}

export const timerId = (name: TimerName, subject: string) => `${name} ${subject}`;

/** Sets what will happen to a subject; setting it again moves it. */
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
