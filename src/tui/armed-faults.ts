import type { ReadEvent } from "../client/event-reader.ts";
import type { RequestRow } from "../contract/control/feed-rows.ts";
import type { Fault } from "../contract/platform/faults.ts";
import { armedIn, limitOf } from "../rows/armed-faults.ts";
import type { RowContext } from "../rows/column.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { callWords, effectWords } from "./fault-form.ts";
import { fitLine, type Line } from "./line.ts";

/** A fault in words: `the next createQuote answers 503 UNAVAILABLE`. */
export const faultWords = ({ match, fault }: Fault) => `${callWords(match)} ${effectWords(fault)}`;

/** The line below the header while a fault is armed. */
export const armedLines = (watched: WatchedWorld, context: RowContext): Line[] => {
  const [first, ...others] = armedIn(watched, context.nowMs);
  if (!first) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const undo = "  U removes it";
  const { width, ellipsis } = context;
  const text = fitLine([span(`! ${faultWords(first)}${more}`)], width - undo.length, ellipsis);
  return [[...text.map((one) => span(one.text, "magenta")), span(undo, "dim")]];
};

/** The toast for the newest call that a limited fault struck; faults that continue stay silent. */
export const strikeText = (
  { faults }: WatchedWorld,
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
  return `the fault changed ${id}, ${method} ${path}: ${end}`;
};
