import type { Activity } from "../../simulator.ts";
import { cellsOf, cutPath, padCells } from "../../text/cells.ts";
import { instantsAmong } from "../../text/layout.ts";
import { cutEnd } from "../../text/text-width.ts";
import { shownPath } from "./because.ts";
import type { Style } from "./terminal.ts";

/** The cells of one line, in the order of its columns. */
export interface EventCells {
  at: string;
  sign: string;
  /** A path may lose its middle; the name of an event or a timer stays whole. */
  what: string;
  isPath?: boolean;
  result: string;
  took?: string;
  id: string;
  /** Width of the widest id beside it, when it is narrower than most. */
  idWidth?: number;
}

/** Room for `Transaction:…9f3c2e`, and for `1,234 ms`. */
const ID_WIDTH = 19;
const TOOK_WIDTH = 7;
const RESULT_WIDTH = 5;
/** A path is cut to this width before a column is left out, then to the narrower one. */
const PATH_WIDTH = 20;
const NARROW_PATH_WIDTH = 12;
/** Room for a name in a file or a pipe, where nothing is cut or left out. */
const UNBOUND_NAME = 33;

const tailOf = (id: string) => /^[A-Za-z]+:(?=…)/.exec(id)?.[0].length ?? 0;

/** Forms of the end of a line, behind the name of the event; the widest comes first. */
const endings = ({ result, took, id, idWidth = ID_WIDTH }: EventCells): string[] => {
  const isAligned = took !== undefined;
  const first = isAligned
    ? padCells(result, RESULT_WIDTH)
    : padCells(result, RESULT_WIDTH + 2 + TOOK_WIDTH);
  const short = id.slice(tailOf(id));
  return [
    [
      first,
      ...(isAligned ? [padCells(took, TOOK_WIDTH, "right")] : []),
      padCells(id, idWidth, "right"),
    ],
    [result, ...(isAligned ? [took] : []), id],
    [result, id],
    [result, short],
  ].map((parts) => parts.join("  "));
};

/** One line for a terminal: cuts a path first, then leaves out columns, and never an error. */
export const eventLine = (cells: EventCells, { screen }: Pick<Style, "screen">): string => {
  const { at, sign, what, isPath } = cells;
  const front = `${at} ${sign} `;
  const all = endings(cells);
  if (!Number.isFinite(screen.width)) return `${front}${padCells(what, UNBOUND_NAME)}  ${all[0]}`;
  const roomBeside = (ending: string) => screen.width - cellsOf(front) - 2 - cellsOf(ending);
  const leasts = isPath ? [PATH_WIDTH, NARROW_PATH_WIDTH] : [cellsOf(what)];
  for (const least of leasts.map((one) => Math.min(one, cellsOf(what))))
    for (const ending of all)
      if (roomBeside(ending) >= least) {
        const room = roomBeside(ending);
        const shown = isPath ? cutPath(what, room, screen) : what;
        return `${front}${padCells(shown, room)}  ${ending}`;
      }
  return `${front}${what}  ${all.at(-1)}`;
};

const requestCells = (request: Extract<Activity, { kind: "request" }>, style: Style) => {
  const { error, status, method, path, tookMs, id } = request;
  const why = error === undefined ? "" : ` ${error.reason ?? error.code}`;
  return {
    sign: "<",
    what: `${method} ${shownPath(path, style)}`,
    isPath: true,
    result: `${style.mark(status < 400 ? "done" : "failed")} ${status}${why}`,
    took: `${tookMs} ms`,
    id,
  };
};

const webhookCells = (webhook: Extract<Activity, { kind: "webhook" }>, { mark, id }: Style) => ({
  sign: ">",
  what: webhook.type,
  result: `${mark(webhook.status === "ACCEPTED" ? "done" : "failed")} ${webhook.httpStatus ?? "no answer"}`,
  took: `${webhook.tookMs} ms`,
  id: id(webhook.id),
});

const timerCells = (timer: Extract<Activity, { kind: "timer" }>, { color, id }: Style) => ({
  sign: "@",
  what: color.cyan(timer.timer),
  result: timer.to ?? "nothing to do",
  id: id(timer.subject),
});

const cellsFor = (activity: Activity, style: Style) => {
  if (activity.kind === "request") return requestCells(activity, style);
  // Collected webhooks would fill the log of everyone without an endpoint.
  if (activity.kind === "webhook" && activity.attempt === 0) return undefined;
  if (activity.kind === "webhook") return webhookCells(activity, style);
  return activity.timer === "webhook.retry" ? undefined : timerCells(activity, style);
};

/**
 * Shows the instants of lines that come one by one: with the day as soon as one is on another day
 * than the first.
 * @param since instant that was printed above the lines, ISO 8601
 */
export const instantsInTurn = (since?: () => string | undefined) => {
  let first: string | undefined;
  let other: string | undefined;
  return (iso: string): string => {
    first ??= since?.() ?? iso;
    if (iso.slice(0, 10) !== first.slice(0, 10)) other ??= iso;
    return instantsAmong([first, other, iso])(iso);
  };
};

/** Room for the name of a world. */
const WORLD_WIDTH = 16;

/** The world of a line, unless it is the default one. */
const worldLabel = ({ world }: Activity, { color }: Style) =>
  world === undefined ? "" : ` ${color.magenta(cutEnd(world, WORLD_WIDTH))}`;

/** Formats one activity; undefined for one without a line. */
export type ActivityLines = (activity: Activity) => string | undefined;

/**
 * Formats activity: `<` a call, `>` a webhook, `@` a timer. Webhook retries show as attempts. Tells
 * the day of each line as soon as one is on another day than the first.
 * @param options.hasControl shows calls of the control surface too
 * @param options.since instant that was printed above the lines, ISO 8601
 */
export const activityLines = (
  style: Style,
  { hasControl = false, since }: { hasControl?: boolean; since?: () => string | undefined } = {},
): ActivityLines => {
  const shown = instantsInTurn(since);
  return (activity) => {
    if (activity.kind === "request" && activity.isControl && !hasControl) return undefined;
    const cells = cellsFor(activity, style);
    if (cells === undefined) return undefined;
    const iso = new Date(activity.atMs).toISOString();
    return eventLine({ at: `${shown(iso)}${worldLabel(activity, style)}`, ...cells }, style);
  };
};
