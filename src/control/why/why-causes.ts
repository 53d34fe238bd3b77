import type { Because } from "../../contract/control/why.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import type { HistoryEntry } from "../../runtime/history.ts";
import type { World } from "../core/world.ts";

/** Most steps that causes are walked back. */
const MAX_STEPS = 32;

/** A cause as the journal has it. */
export interface JournalCause {
  cause: string;
  /** The operation or timer, where it was noted. */
  by?: string | undefined;
  /** The command that moved the clock that far, where it was noted. */
  movedBy?: string | undefined;
  /** Causes lie before this change. */
  seq: number;
}

const TIMER = /^([a-z]+\.[a-z]+) (\S+)$/;

const requestCause = (world: World, { cause: id, by }: JournalCause): Because => {
  const request = world.log.find(id);
  const operation = request?.operation ?? by;
  const [method, path] = (world.operations.get(operation ?? "") ?? "").split(" ");
  return {
    kind: "request",
    id,
    ...defined({ operation }),
    ...(request
      ? { method: request.method, path: request.path }
      : method && path && { method, path }),
    ...(world.log.absenceOf(id) === "gone" &&
      !request && { ends: "the request is no longer in the log" }),
  };
};

const setterOf = (
  { engine }: World,
  { timer, subject, seq }: { timer: string; subject: string; seq: number },
): HistoryEntry | undefined =>
  engine.state.history
    .of(subject)
    .findLast((entry) => entry.seq < seq && entry.timers?.some(([name]) => name === timer));

const timerCause = (
  world: World,
  { timer, subject, seq, movedBy }: JournalCause & { timer: string; subject: string },
  steps: number,
): Because => {
  const id = `${timer} ${subject}`;
  const moved = movedBy !== undefined && { movedBy };
  const known: Because = { kind: "timer", id, timer, subject, ...moved };
  if (steps >= MAX_STEPS) return { ...known, ends: `causes are walked back ${MAX_STEPS} steps` };
  const setter = setterOf(world, { timer, subject, seq });
  if (!setter) return { ...known, ends: "the change that set it is no longer kept" };
  const because = becauseOf(world, setter, steps + 1);
  return { ...known, setBy: { seq: setter.seq, at: instant(setter.atMs), because } };
};

/** Walks a cause back to a request, or to where knowledge ends. */
export const becauseOf = (world: World, journalCause: JournalCause, steps = 1): Because => {
  const { cause, by } = journalCause;
  if (cause.startsWith("req-")) return requestCause(world, journalCause);
  const [, timer, subject] = TIMER.exec(cause) ?? [];
  if (timer !== undefined && subject !== undefined)
    return timerCause(world, { ...journalCause, timer, subject }, steps);
  const kind = cause.startsWith("Webhook:") ? "webhook" : "world";
  return { kind, id: cause, ...(by !== undefined && by !== cause && { operation: by }) };
};

/** Finds the cause of an event: the change of its record at the instant the event was born. */
export const becauseOfDelivery = (
  world: World,
  { cause, bornAtMs, about }: DeliveryRecord,
): Because => {
  const { state } = world.engine;
  const birth = state.history
    .of(about ?? "")
    .findLast((entry) => entry.cause === cause && entry.atMs === bornAtMs);
  return becauseOf(world, birth ?? { cause, seq: state.seq + 1 });
};
