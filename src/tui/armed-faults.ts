import type { RequestRow } from "../contract/control/feed-rows.ts";
import type { Fault } from "../contract/platform/faults.ts";
import type { ReadEvent } from "../control/feed/event-reader.ts";
import { callWords, effectWords } from "./fault-form.ts";
import { fitLine, type Line, span } from "./line.ts";
import type { RowContext } from "./table.ts";
import type { Watched } from "./world.ts";

/** Number of calls that a fault strikes at most; undefined for one that goes on. */
const limitOf = ({ match: { nth, times } }: Fault) => times ?? (nth === undefined ? undefined : 1);

const isArmed = (fault: Fault, nowMs: number | undefined) => {
  const { match, seen, struck } = fault;
  const limit = limitOf(fault);
  if (match.until !== undefined && nowMs !== undefined && nowMs >= Date.parse(match.until))
    return false;
  return limit === undefined || (struck < limit && seen < (match.nth ?? 1) + limit - 1);
};

/** The faults that can still strike a call, oldest first. */
export const armedIn = ({ faults }: Watched, nowMs: number | undefined): readonly Fault[] =>
  faults.filter((fault) => isArmed(fault, nowMs));

/** A fault in words: `the next createQuote answers 503 UNAVAILABLE`. */
export const faultWords = ({ match, fault }: Fault) => `${callWords(match)} ${effectWords(fault)}`;

/** The line below the header while a fault is armed. */
export const armedLines = (watched: Watched, context: RowContext): Line[] => {
  const [first, ...others] = armedIn(watched, context.nowMs);
  if (!first) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const undo = "  U takes it back";
  const { width, ellipsis } = context;
  const text = fitLine([span(`! ${faultWords(first)}${more}`)], width - undo.length, ellipsis);
  return [[...text.map((one) => span(one.text, "magenta")), span(undo, "dim")]];
};

/** Counts struck calls, which the feed tells with the requests. */
export const countStruck = (faults: Watched["faults"], requests: readonly RequestRow[]) => {
  const struckBy = requests.flatMap(({ fault }) => fault ?? []);
  if (struckBy.length === 0) return faults;
  return faults.map((one) => {
    const count = struckBy.filter((id) => id === one.id).length;
    return count === 0 ? one : { ...one, seen: one.seen + count, struck: one.struck + count };
  });
};

/** The toast for the newest call that a limited fault struck; faults that go on stay silent. */
export const strikeText = (
  { faults }: Watched,
  events: readonly ReadEvent[],
): string | undefined => {
  const struck = events.findLast(
    ({ event, data }) =>
      event === "request" &&
      faults.some((one) => one.id === data.fault && limitOf(one) !== undefined),
  )?.data as RequestRow | undefined;
  if (!struck) return undefined;
  const { id, method, path, status } = struck;
  const fault = faults.find((one) => one.id === struck.fault);
  const answered = fault && (fault.fault.dropResponse || fault.fault.closeSocket);
  const end = answered ? "no answer was sent" : `it answered ${status}`;
  return `the fault struck ${id}, ${method} ${path}: ${end}`;
};
