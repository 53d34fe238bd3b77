import { wordOf } from "../contract/control/clock-modes.ts";
import { countdown, driftOf } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import { type Span, span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { fullInstant } from "../text/layout.ts";
import { safeText } from "../text/safe-text.ts";
import { cutEnd } from "../text/text-width.ts";
import { type Line, lineWidth, withRight } from "./line.ts";
import { ruleLine } from "./rule.ts";

/** Whether every sum of the ledger is zero. */
export const isBalanced = ({ totals }: WatchedWorld) =>
  Object.values(totals).every((sum) => sum === 0);

const linkSpan = ({ link, stopped }: WatchedWorld): Span => {
  if (link.state === "lost") return span("✗ no answer", "red");
  if (link.state === "connecting") return span("~ connecting", "yellow");
  return stopped === undefined ? span("✓ live", "green") : span("✗ stopped", "red");
};

const nextText = ({ lists: { timers } }: WatchedWorld, context: RowContext, joint: string) => {
  const [next] = timers;
  return next ? `next ${next.timer}${joint}${countdown(next.dueAt, context)}` : "nothing is due";
};

const join = (spans: readonly Span[]): Line =>
  spans.flatMap((one, at) => (at === 0 ? [one] : [span("    "), one]));

/** Space between the two sides of the header, in cells. */
const LEAST_GAP = 2;

/** Longest part of a world's name, in cells. */
const NAME_WIDTH = 24;

/** World, clock, mode and next timer, as far as they fit. */
export const headerLine = (watched: WatchedWorld, context: RowContext): Line => {
  const { width, now, nowMs, ellipsis } = context;
  const { clock, link } = watched;
  const { asked } = watched;
  const name = cutEnd(safeText(watched.world || asked || "service-sim"), NAME_WIDTH, ellipsis);
  const world = span(name, asked === undefined ? "bold" : "magenta");
  if (!clock) return withRight([world], [linkSpan(watched)], width);
  const isWide = width >= 70;
  const time = span(isWide ? fullInstant(now) : `${now.slice(11, 19)}Z`);
  const drift = driftOf(clock);
  const runs = link.state === "lost" ? "stopped here" : isWide ? drift : wordOf(clock);
  const left: Line = [
    world,
    span("  "),
    time,
    span("  "),
    span(runs, clock.mode === "real" ? undefined : "yellow"),
  ];
  if (nowMs === undefined) return withRight(left, [linkSpan(watched)], width);
  const next = span(nextText(watched, context, isWide ? " in " : " "), "cyan");
  const balance = isBalanced(watched) ? span("ledger ✓", "green") : span("ledger ✗", "red");
  const isFine = isBalanced(watched) && watched.stopped === undefined;
  const all = join([next, balance, linkSpan(watched)]);
  const candidates: readonly (readonly [Line, Line])[] = [
    [[span("service-sim  ", "dim"), ...left], all],
    [left, all],
    ...(isFine ? [[left, join([next, linkSpan(watched)])] as const, [left, [next]] as const] : []),
    [left, join([balance, linkSpan(watched)])],
  ];
  const fits = ([one, other]: readonly [Line, Line]) =>
    lineWidth(one) + lineWidth(other) + LEAST_GAP <= width;
  const [first, second] = candidates.find(fits) ?? [left, [next]];
  return withRight(first, second, width);
};

/** Message over the panes while the simulator does not answer. */
export const lostLines = (
  { link, clock }: WatchedWorld,
  { url, wallMs, width }: { url: string; wallMs: number; width: number },
): Line[] => {
  if (link.state !== "lost") return [];
  const { host } = new URL(url);
  const forS = Math.floor((wallMs - link.sinceMs) / 1000);
  const inS = Math.max(0, Math.ceil(((link.nextTryMs ?? wallMs) - wallMs) / 1000));
  const from = clock
    ? ` The rows below are from ${new Date(clock.atMs).toISOString().slice(11, 19)}; the feed resumes there.`
    : "";
  return [
    ruleLine(`No answer from ${host} for ${forS}s`, width),
    [span(`Trying again in ${inS}s.${from}`)],
    [span("r try now    service-sim start  in another terminal", "dim")],
  ];
};
