import { isPending } from "./timer-queue.ts";
import type { WorldState } from "./world-state.ts";

/** The instant of the earliest timer that is not a webhook's retry, if there is one. */
export const nextActingInstant = (state: WorldState): number | undefined => {
  const first = state.nextTimer();
  if (first === undefined || first.name !== "webhook.retry") return first?.dueAtMs;
  let acting: number | undefined;
  for (const id of state.ids("Timer", "all", "")) {
    const timer = state.get("Timer", id);
    if (!timer || !isPending(timer) || timer.name === "webhook.retry") continue;
    acting = Math.min(acting ?? timer.dueAtMs, timer.dueAtMs);
  }
  return acting;
};

/** The instant of the earliest timer; webhook retries count only when nothing else is pending. */
export const nextInstant = (state: WorldState): number | undefined =>
  nextActingInstant(state) ?? state.nextTimer()?.dueAtMs;
