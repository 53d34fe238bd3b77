import { parseDuration } from "../domain/core/durations.ts";
import { type AdvanceBody, goalOf } from "../rows/advance-goal.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { fullInstant } from "../text/layout.ts";

/** Target of a goal, simulated epoch milliseconds; unknown for an `until`. */
const targetOf = (goal: AdvanceBody, watched: WatchedWorld, nowMs: number) => {
  if ("by" in goal) return nowMs + (parseDuration(goal.by) ?? 0);
  if ("to" in goal) return Date.parse(goal.to);
  const acting = watched.lists.timers.find(({ timer }) => timer !== "webhook.retry");
  const [first] = watched.lists.timers;
  const next = acting ?? first;
  return "next" in goal && next ? Date.parse(next.dueAt) : undefined;
};

const MAX_NAMED = 3;

const passed = (watched: WatchedWorld, toMs: number) => {
  const names = watched.lists.timers
    .filter(({ dueAt }) => Date.parse(dueAt) <= toMs)
    .map(({ timer }) => timer);
  if (names.length === 0) return "no timer fires";
  const known = names.length === 1 ? "1 timer fires" : `${names.length} timers fire`;
  const more = names.length > MAX_NAMED ? ", …" : "";
  return `${known}: ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
};

const HINT = "a duration like 90s, 6m, 1h30m or 7d; next; an instant; or <id>=<STATUS>";

/** Preview of an advance, as far as it is known; a hint while the text is no goal. */
export const previewOf = (
  text: string,
  watched: WatchedWorld,
  nowMs: number | undefined,
): string => {
  const goal = goalOf(text);
  if (!goal) return HINT;
  if ("until" in goal) return `until ${goal.until.id} is ${goal.until.status}, 30 days at most`;
  if (nowMs === undefined) return "the simulator does not answer";
  const toMs = targetOf(goal, watched, nowMs);
  if (toMs === undefined) return "no pending timers";
  if (toMs < nowMs && "to" in goal) return "this instant is in the past";
  const to = new Date(toMs).toISOString();
  const isToday = to.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10);
  return `to ${isToday ? fullInstant(to).slice(11) : fullInstant(to)}, ${passed(watched, toMs)}`;
};
