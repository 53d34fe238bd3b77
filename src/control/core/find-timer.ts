import { closestTo } from "../../contract/core/closest.ts";
import { all } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { timerId } from "../../domain/core/schedule.ts";
import type { TimerRecord } from "../../domain/records/records.ts";
import { TIMER_NAMES, type TimerName } from "../../domain/records/timer-names.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { findPresentId } from "./present-ids.ts";
import type { World } from "./world.ts";

/** The id of a timer in paths and commands, without blanks: `quote.expire@Quote:…`. */
export const shownTimerId = ({ name, subject }: Pick<TimerRecord, "name" | "subject">) =>
  `${name}@${subject}`;

const LISTED = "service-sim timers      lists them with their ids";

const isName = (text: string): text is TimerName =>
  (TIMER_NAMES as readonly string[]).includes(text);

const requireName = (text: string): TimerName => {
  if (isName(text)) return text;
  const closest = closestTo(text, TIMER_NAMES);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  return refuse("ID_NOT_FOUND", { id: text }, { says: `No timer ${text}${hint}`, next: LISTED });
};

/** A subject, and the payment of a quote: it carries the quote's later timers. */
const subjectsOf = (state: WorldState, id: string): string[] => {
  const payment = state.get("Quote", id)?.transactionId;
  return payment === undefined ? [id] : [id, payment];
};

const timersOf = (state: WorldState, id: string, names: readonly TimerName[]) =>
  subjectsOf(state, id).flatMap((subject) =>
    names.flatMap((name) => state.get("Timer", timerId(name, subject)) ?? []),
  );

/** The timers that a text may mean, and how an error tells of them when there are none. */
const timersLike = (world: World, text: string) => {
  const { state } = world.engine;
  if (isName(text))
    return {
      timers: all(state, "Timer").filter(({ name }) => name === text),
      what: `called ${text}`,
    };
  const [, name, about = ""] = /^([^@ ]+)[@ ](.+)$/.exec(text) ?? [];
  const names = name === undefined ? TIMER_NAMES : [requireName(name)];
  const subject = findPresentId(world, name === undefined ? text : about);
  return { timers: timersOf(state, subject, names), what: `of ${subject}` };
};

const MAX_NAMED = 20;

/**
 * The timer that a person means: by its id, by its name and a short id of its subject, or by one of
 * both alone, if only one timer fits. Refuses with `ID_NOT_FOUND` when there is none, and with
 * `ID_AMBIGUOUS`, naming them, when there are several.
 */
export const findTimer = (world: World, text: string): TimerRecord => {
  const { timers, what } = timersLike(world, text);
  const pending = timers.filter(({ canceledAtMs }) => canceledAtMs === undefined);
  const [only, ...others] = pending.length > 0 ? pending : timers;
  if (!only)
    return refuse(
      "ID_NOT_FOUND",
      { id: text },
      { says: `Expected a timer but found none ${what}`, next: LISTED },
    );
  if (others.length === 0) return only;
  const ids = [only, ...others].slice(0, MAX_NAMED).map(shownTimerId);
  const says = `Expected one timer but found ${others.length + 1}: ${ids.join(", ")}`;
  return refuse("ID_AMBIGUOUS", { id: text, ids }, says);
};
