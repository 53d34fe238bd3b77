import { countdown, driftOf, paceOf } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import { shortOf } from "../rows/list.ts";
import { listNamed } from "../rows/lists.ts";
import { type Span, span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { fullInstant, money } from "../text/layout.ts";
import { asAscii } from "../text/marks.ts";
import { safeLine } from "../text/safe-text.ts";
import { cutEnd } from "../text/text-width.ts";
import { armedLines } from "./armed-faults.ts";
import { detailLines } from "./detail.ts";
import { firstStepLines } from "./first-steps.ts";
import { folded, foldedTo } from "./fold.ts";
import { helpLines, keyBar } from "./help.ts";
import { formOf, type Section, sectionsOf } from "./layout.ts";
import {
  fitLine,
  type Line,
  lineWidth,
  type Paint,
  paintLine,
  textLine,
  withRight,
} from "./line.ts";
import { noticeLines } from "./news-notice.ts";
import { extraTitle, listWord, paneTitle, tabsTitle } from "./pane-title.ts";
import { ruleLine } from "./rule.ts";
import { contextOf, type Scene } from "./scene.ts";
import { sheetLines } from "./sheets.ts";
import { PREVIEW_FROM, spareLines } from "./spare.ts";
import { layoutTable } from "./table.ts";
import { type Detail, idsOf, rowsOf } from "./view.ts";
import { windowOf } from "./window.ts";

/** Whether every sum of the ledger is zero. */
const isBalanced = ({ totals }: WatchedWorld) => Object.values(totals).every((sum) => sum === 0);

const linkSpan = ({ link, stopped }: WatchedWorld): Span => {
  if (link.state === "lost") return span("✗ no answer", "red");
  if (link.state === "connecting") return span("~ connecting", "yellow");
  return stopped === undefined ? span("✓ live", "green") : span("✗ stopped", "red");
};

const nextText = ({ lists: { timers } }: WatchedWorld, context: RowContext, joint: string) => {
  const [next] = timers;
  return next ? `next ${next.timer}${joint}${countdown(next.dueAt, context)}` : "no timers";
};

const join = (spans: readonly Span[]): Line =>
  spans.flatMap((one, at) => (at === 0 ? [one] : [span("    "), one]));

/** Space between the two sides of the header, in cells. */
const LEAST_GAP = 2;

/** Longest part of a world's name, in cells. */
const NAME_WIDTH = 24;

/** Headers of a balanced ledger, which goes unsaid, from the widest on. */
const withoutBalance = (left: Line, brief: Line, [next, link]: readonly [Span, Span]) =>
  [
    [left, join([next, link])],
    [left, [next]],
    [brief, join([next, link])],
    [brief, [next]],
  ] as const;

/** World, clock, mode and next timer, as far as they fit. */
const headerLine = (watched: WatchedWorld, context: RowContext): Line => {
  const { width, now, nowMs, ellipsis } = context;
  const { clock, link } = watched;
  const { asked } = watched;
  const name = cutEnd(safeLine(watched.world || asked || "service-sim"), NAME_WIDTH, ellipsis);
  const world = span(name, asked === undefined ? "bold" : "magenta");
  if (!clock) return withRight([world], [linkSpan(watched)], width);
  const isWide = width >= 70;
  const time = span(isWide ? fullInstant(now) : `${now.slice(11, 19)}Z`);
  const leftWith = (words: string): Line => [
    world,
    span("  "),
    time,
    span("  "),
    span(
      link.state === "lost" ? "stopped here" : words,
      clock.mode === "real" ? undefined : "yellow",
    ),
  ];
  const brief = leftWith(paceOf(clock).split(",")[0] ?? "");
  const left = isWide ? leftWith(paceOf(clock)) : brief;
  if (nowMs === undefined) return withRight(left, [linkSpan(watched)], width);
  const next = span(nextText(watched, context, isWide ? " in " : " "), "cyan");
  const balance = isBalanced(watched)
    ? span("ledger balanced", "green")
    : span("✗ ledger not balanced", "red");
  const isFine = isBalanced(watched) && watched.stopped === undefined;
  const all = join([next, balance, linkSpan(watched)]);
  const candidates: readonly (readonly [Line, Line])[] = [
    [[span("service-sim  ", "dim"), ...leftWith(driftOf(clock))], all],
    [leftWith(driftOf(clock)), all],
    [[span("service-sim  ", "dim"), ...left], all],
    [left, all],
    ...(isFine ? withoutBalance(left, brief, [next, linkSpan(watched)]) : []),
    [left, join([balance, linkSpan(watched)])],
  ];
  const fits = ([one, other]: readonly [Line, Line]) =>
    lineWidth(one) + lineWidth(other) + LEAST_GAP <= width;
  const [first, second] = candidates.find(fits) ?? [left, [next]];
  return withRight(first, second, width);
};

/** Message over the panes while the simulator does not answer. */
const lostLines = (
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

const CURSOR = "▸ ";

/** Draws the row under the cursor: the mark in front is the first signal, bold the second. */
const chosenLine = ([first, ...rest]: Line): Line => [
  span(CURSOR + (first?.text.slice(CURSOR.length) ?? ""), "cyan"),
  ...rest.map(({ text, look }): Span => span(text, look ?? "bold")),
];

const ledgerLines = (watched: WatchedWorld, { width, ellipsis }: RowContext): Line[] => {
  const { held, totals } = watched;
  const sums = Object.entries(totals).map(([currency, sum]) => `${currency} ${sum}`);
  const balances = Object.entries(held).map(([currency, amount]) => money(amount, currency));
  const ok = isBalanced(watched);
  return [
    textLine(`  held in accounts   ${balances.join("  ") || "nothing"}`),
    [
      span(ok ? "  ✓ ledger balanced" : "  ✗ ledger not balanced", ok ? "green" : "red"),
      span(`  ${sums.join("  ")}`),
    ],
  ].map((line) => fitLine(line, width, ellipsis));
};

const rowLines = (scene: Scene, section: Section, context: RowContext): Line[] => {
  const { watched, view } = scene;
  const { pane, list, height, hasHead } = section;
  const rows = rowsOf(watched, view, list);
  const { columns, empty } = listNamed(list);
  const ids = idsOf(rows);
  const { top, chosen } = windowOf(ids, view.cursors[list], height);
  const shown = rows.slice(top, top + height);
  const { head, lines } = layoutTable(columns, shown as never, context);
  const isFocused = pane === view.pane && !section.isExtra;
  const drawn = lines.map((line, at) =>
    isFocused && top + at === chosen ? chosenLine(line) : line,
  );
  const none = textLine(
    `  ${rows.length === watched.lists[list].length ? empty : "nothing matches the filter"}`,
    "dim",
  );
  const body = rows.length > 0 ? drawn : [fitLine(none, context.width, context.ellipsis)];
  const blank = Array.from({ length: height - body.length }, (): Line => []);
  return [...(hasHead ? [rows.length > 0 ? head : []] : []), ...body, ...blank];
};

const titleOf = (scene: Scene, section: Section, context: RowContext): Line => {
  if (section.isExtra) return extraTitle(scene, section, context);
  return formOf(scene.size) === "stack"
    ? paneTitle(scene, section, context)
    : tabsTitle(scene, context);
};

const sectionLines = (scene: Scene, section: Section, context: RowContext): Line[] => [
  titleOf(scene, section, context),
  ...(section.leadCount > 0 ? ledgerLines(scene.watched, context) : []),
  ...rowLines(scene, section, context),
];

/** Facts about the chosen row that a narrow screen has no columns for. */
const explainLine = (
  { watched, view }: Scene,
  [section]: readonly Section[],
  context: RowContext,
): Line => {
  if (!section) return [];
  const { list } = section;
  const rows = rowsOf(watched, view, list);
  const { chosen } = windowOf(idsOf(rows), view.cursors[list], 1);
  const row = rows[chosen];
  if (!row) return [];
  const text = listNamed(list).explain(row as never, context);
  return fitLine(
    [span(` ${shortOf(row.id, context)}  `, "dim"), span(safeLine(text))],
    context.width,
    context.ellipsis,
  );
};

/** The open row in full; an ASCII ellipsis needs a cell more than the sign. */
const foldedDetail = (
  { watched, story }: Scene,
  detail: Detail,
  context: RowContext,
): readonly Line[] => {
  const narrow = { ...context, width: context.width + 1 - context.ellipsis.length };
  return folded(detailLines(watched, detail, { context: narrow, story }), narrow.width);
};

const detailBody = (scene: Scene, height: number, context: RowContext): Line[] => {
  const { detail } = scene.view;
  if (!detail) return [];
  const lines = foldedDetail(scene, detail, context);
  const top = Math.max(0, Math.min(detail.top, lines.length - (height - 1)));
  const shown = lines.slice(top, top + height - 1);
  const what = detail.isWhy ? "Why" : detail.isJson ? "JSON" : listWord(detail.list);
  const place = `${lines.length === 0 ? 0 : top + 1}-${top + shown.length} of ${lines.length}`;
  const title = `${what} › ${shortOf(detail.isWhy ? detail.subject : detail.id, context)}`;
  const rule = ruleLine(safeLine(title), context.width - place.length - 4);
  return [[...rule, span(` ${place} ━━`, "bold")], ...shown];
};

/** The header and the newest activity, for a very small screen. */
const tinyLines = (scene: Scene, context: RowContext): Line[] => {
  const { watched, size } = scene;
  const height = Math.max(0, size.rows - 1 - 1);
  const { requests, deliveries } = watched.lists;
  const newest = [
    ...requests.slice(0, height).map((row) => ({ at: row.at, list: "requests" as const, row })),
    ...deliveries
      .slice(0, height)
      .map((row) => ({ at: row.sentAt ?? row.createdAt, list: "deliveries" as const, row })),
  ]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, height);
  return newest.map(({ list, row }) => {
    const { columns } = listNamed(list);
    const [line = []] = layoutTable(
      columns.filter(({ head }) => head !== "id"),
      [row] as never,
      context,
    ).lines;
    return fitLine(
      [span(list === "requests" ? "< " : "> ", "dim"), ...line.slice(1)],
      context.width,
      context.ellipsis,
    );
  });
};

/** Lines from the second on, before a toast covers the last of them. */
const bodyLines = (scene: Scene, height: number, context: RowContext): Line[] => {
  const { watched, view, size } = scene;
  if (formOf(size) === "tiny") return tinyLines(scene, context);
  if (view.isHelp) return helpLines(context).slice(0, height);
  if (view.detail) return detailBody(scene, height, context);
  const steps = firstStepLines(watched, context);
  const room = { size, room: height, reserved: steps.length };
  const sections = sectionsOf(watched, view, room);
  const lines = sections.flatMap((section) => sectionLines(scene, section, context));
  if (formOf(size) === "single") return [...lines, explainLine(scene, sections, context)];
  return [...lines, ...spareLines(scene, height - lines.length, context)];
};

const exactly = (lines: readonly Line[], height: number): Line[] => [
  ...lines.slice(0, height),
  ...Array.from({ length: Math.max(0, height - lines.length) }, (): Line => []),
];

/** Lines that a message may cover. */
const TOAST_LINES = 2;

const withToast = ({ view: { toast }, wallMs }: Scene, lines: Line[], context: RowContext) => {
  if (toast === undefined || toast.untilMs <= wallMs || lines.length === 0) return lines;
  const line = textLine(safeLine(toast.text), "bold");
  const said = foldedTo(line, Math.min(TOAST_LINES, lines.length), context);
  return [...lines.slice(0, -said.length), ...said];
};

/** An ASCII replacement may be wider than its glyph. */
const asciiLine = (line: Line, { width, ellipsis }: RowContext): Line =>
  fitLine(
    line.map(({ text, look }) => span(asAscii(text), look)),
    width,
    ellipsis,
  );

/** The last check before the screen; lines are built from escaped text. */
const checkedLine = (line: Line, { width, ellipsis }: RowContext): Line => {
  const safe = line.map(({ text, look }) => span(safeLine(text), look));
  return safe.every(({ text }, at) => text === line[at]?.text)
    ? line
    : fitLine(safe, width, ellipsis);
};

/** Lines between the header and the panes: a lost connection, news, an armed fault. */
const leadLines = (scene: Scene, context: RowContext): Line[] => {
  const { watched, view, url, wallMs } = scene;
  const { width, ellipsis } = context;
  return [
    ...lostLines(watched, { url, wallMs, width }),
    ...noticeLines(view.notice, watched).flatMap((line) => foldedTo(line, 2, context)),
    ...armedLines(watched, context),
  ].map((line) => fitLine(line, width, ellipsis));
};

/** The lines below the header: those above the panes, the panes' room, the sheet or the keys. */
const partsOf = (scene: Scene, context: RowContext) => {
  const isTiny = formOf(scene.size) === "tiny";
  const sheet = isTiny ? [] : sheetLines(scene, context);
  const keys = isTiny || scene.view.isHelp ? [] : [keyBar(scene, context)];
  const bottom = sheet.length > 0 ? sheet : keys;
  const lead = isTiny ? [] : leadLines(scene, context);
  return { lead, bottom, room: Math.max(0, scene.size.rows - 1 - 1 - bottom.length - lead.length) };
};

/** Makes a frame: one line less than the screen, none wider than it. */
export const frameOf = (scene: Scene): Line[] => {
  const { watched, size } = scene;
  const context = contextOf(scene);
  const header = fitLine(headerLine(watched, context), context.width, context.ellipsis);
  const { lead, bottom, room } = partsOf(scene, context);
  const body = exactly(bodyLines(scene, room, context), room);
  const lines = [header, ...lead, ...withToast(scene, body, context), ...bottom];
  const whole = exactly(lines, Math.max(1, size.rows - 1)).map((line) =>
    checkedLine(line, context),
  );
  return scene.ascii ? whole.map((line) => asciiLine(line, context)) : whole;
};

/** A frame as a terminal takes it. */
export const paintFrame = (scene: Scene, paint: Paint): string[] =>
  frameOf(scene).map((line) => paintLine(line, paint));

/** The panes on the screen, and the lines that they leave. */
const panesOf = (scene: Scene) => {
  const { watched, view, size } = scene;
  const context = contextOf(scene);
  const { room } = partsOf(scene, context);
  const reserved = firstStepLines(watched, context).length;
  const sections = sectionsOf(watched, view, { size, room, reserved });
  const used = sections.reduce(
    (sum, one) => sum + 1 + (one.hasHead ? 1 : 0) + one.leadCount + one.height,
    0,
  );
  return { sections, spare: room - used - reserved };
};

/** Lines that fit in the list or the detail that has the keys, for those that move by a page. */
export const pageOf = (scene: Scene): { height: number; lastTop: number } => {
  const { detail, pane } = scene.view;
  if (!detail) {
    const section = panesOf(scene).sections.find((one) => one.pane === pane);
    return { height: section?.height ?? 1, lastTop: 0 };
  }
  const context = contextOf(scene);
  const height = Math.max(1, partsOf(scene, context).room - 1);
  const lastTop = Math.max(0, foldedDetail(scene, detail, context).length - height);
  return { height, lastTop };
};

/** Whether the chosen row is shown in full below the panes. */
export const hasPreview = (scene: Scene): boolean =>
  formOf(scene.size) === "stack" &&
  scene.view.detail === undefined &&
  !scene.view.isHelp &&
  panesOf(scene).spare >= PREVIEW_FROM;
