import type { Because, Effect, Facts, Step, Story } from "../../contract/control/why.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import { cellsOf } from "../../text/cells.ts";
import { instantsAmong, money } from "../../text/layout.ts";
import type { Screen } from "../../text/screen.ts";
import { becauseId, becauseText, replayText, revisionTexts } from "./because.ts";
import { type Column, headLines, tableOf } from "./table.ts";
import type { Style } from "./terminal.ts";
import { wrapped } from "./wrap.ts";

const LABEL_WIDTH = 11;

const amountText = ({ amount, currency }: NonNullable<Facts["sends"]>) => money(amount, currency);

/** Describes the record in one line; undefined when its id says everything. */
const factsLine = ({ sends, receives, fees, payee, balance, name, about }: Story): string[] => {
  const from = sends ? `${amountText(sends)} →` : "receives";
  const amounts = receives && `${from} ${amountText(receives)}`;
  const parts = [
    name,
    amounts,
    fees && `fee ${amountText(fees)}`,
    payee?.name === undefined ? undefined : `to ${payee.name}`,
    payee && (payee.identifier ?? payee.id),
    balance && `holds ${amountText(balance)}`,
    about && `about ${about}`,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? [parts.join(", ")] : [];
};

interface StoryContext {
  style: Style;
  /** Subject of the story. */
  id: string;
  /** Shows an instant as the other ones of the story. */
  at(iso: string): string;
  /** Changes that have a row of their own. */
  shownSeqs: ReadonlySet<number>;
}

type Webhook = Extract<Effect, { kind: "webhook" }>;

const attemptText = (
  type: string,
  { status, error }: Webhook["attempts"][number],
  { mark }: Style,
) => `${mark(isAccepted(type, status) ? "done" : "failed")} ${status ?? error ?? "no answer"}`;

const unsentText = (state: Webhook["state"]) =>
  state === "UNDELIVERABLE" ? "not sent, no endpoint" : state.toLowerCase();

const webhookText = ({ type, id, state, attempts }: Webhook, { style }: StoryContext) => {
  const went = attempts.map((attempt) => attemptText(type, attempt, style)).join(", ");
  return `${type}  ${went || unsentText(state)}  ${style.id(id)}`;
};

type Posting = Extract<Effect, { kind: "posting" }>;

/** The ledger's own accounts appear only in their own story. */
const postingText = (
  { account, amount, currency, leaves }: Posting,
  { style, id }: StoryContext,
) => {
  if (leaves === undefined && account !== id) return undefined;
  const moved = `${amount > 0 ? "+" : ""}${money(amount, currency)}`;
  return leaves === undefined
    ? `${moved}  ${account}`
    : `${moved}, leaves ${money(leaves, currency)}  ${style.id(account)}`;
};

const effectText = (effect: Effect, telling: StoryContext): string | undefined => {
  const { style, at } = telling;
  if (effect.kind === "posting") return postingText(effect, telling);
  if (effect.kind === "webhook") return webhookText(effect, telling);
  if (effect.kind === "rule") return effect.says ?? effect.rule;
  if (effect.kind === "record") return style.id(effect.id);
  const { timer, dueAt, subject, canceled } = effect;
  const set = dueAt === undefined ? "" : `, set for ${at(dueAt)}`;
  const when = canceled ? ", canceled" : set;
  return `${timer}${when}${subject === undefined ? "" : `  ${style.id(subject)}`}`;
};

const EFFECT_LABELS: Record<Effect["kind"], string> = {
  posting: "ledger",
  record: "record",
  rule: "rule",
  timer: "timer",
  webhook: "webhook",
};

/** Follows the timers behind a change back to the first row outside this story. */
const originLines = (because: Because, { style, at: shown, shownSeqs }: StoryContext): string[] => {
  const lines: string[] = [];
  let at: Because | undefined = because;
  while (at) {
    if (at.ends !== undefined) lines.push(`${"ends".padEnd(LABEL_WIDTH)}${at.ends}`);
    const { setBy }: Because = at;
    if (!setBy || shownSeqs.has(setBy.seq)) break;
    const from = [becauseText(setBy.because, style), becauseId(setBy.because, style)];
    const when = shown(setBy.at);
    lines.push(`${"set by".padEnd(LABEL_WIDTH)}${from.join("  ").trimEnd()}, at ${when}`);
    at = setBy.because;
  }
  return lines;
};

const effectLines = (effects: readonly Effect[], telling: StoryContext) =>
  effects.flatMap((effect) => {
    const text = effectText(effect, telling);
    const label = EFFECT_LABELS[effect.kind].padEnd(LABEL_WIDTH);
    return text === undefined ? [] : [`${label}${text}`];
  });

/** Leaves out a rule that already decided an earlier change. */
const withoutRepeatedRule = ({ effects }: Step, before: Step | undefined) =>
  effects.filter(
    (effect) =>
      effect.kind !== "rule" ||
      !before?.effects.some((one) => one.kind === "rule" && one.rule === effect.rule),
  );

/** A label and its text, wrapped below itself. */
const labelled = (line: string, width: number) =>
  wrapped(line.slice(LABEL_WIDTH), width - LABEL_WIDTH).map(
    (part, at) => (at === 0 ? line.slice(0, LABEL_WIDTH) : " ".repeat(LABEL_WIDTH)) + part,
  );

const branches = (lines: readonly string[], indent: string, { screen }: Style) =>
  lines.flatMap((line, at) => {
    const branch = at === lines.length - 1 ? "└ " : "├ ";
    return labelled(line, screen.width - indent.length - branch.length).map(
      (part, row) => indent + (row === 0 ? branch : "  ") + part,
    );
  });

/** Every instant that a story tells. */
const instantsIn = (chain: Story["chain"]) => {
  const before = ({ setBy }: Because): string[] =>
    setBy === undefined ? [] : [setBy.at, ...before(setBy.because)];
  return chain.flatMap(({ at, because, effects }) => [
    at,
    ...before(because),
    ...effects.flatMap((effect) => (effect.kind === "timer" ? [effect.dueAt] : [])),
  ]);
};

const WIDE: readonly Column[] = [{}, {}, {}, {}];
const NARROW: readonly Column[] = [{}, {}, { as: "words", least: 30 }];

/** The rows of the changes; where ids do not fit in a column, each is put behind its cause. */
const changeRows = (cells: readonly (readonly string[])[], screen: Screen) => {
  const wide = tableOf(WIDE, cells, screen);
  if (wide.rows.flat().every((line) => cellsOf(line) <= screen.width)) return wide;
  const joined = cells.map(([at = "", status = "", ...rest]) => [at, status, rest.join("  ")]);
  return tableOf(NARROW, joined, screen);
};

/** Formats a story as a tree: a row for each change, its effects below it. */
export const formatWhy = (story: Story, style: Style): string[] => {
  const { id, type, kind, status = "", replay, chain, ends } = story;
  const shown = instantsAmong(instantsIn(chain));
  const shownSeqs = new Set(chain.flatMap(({ seq }) => (seq === undefined ? [] : [seq])));
  const telling: StoryContext = { style, id, at: shown, shownSeqs };
  const cells = chain.map(({ at, because, ...step }) => [
    shown(at),
    step.status ?? "",
    `because ${becauseText(because, style)}`,
    becauseId(because, style),
  ]);
  const { rows, indent } = changeRows(cells, style.screen);
  return [
    ...headLines([style.color.bold(id), type ?? kind, status], style),
    ...factsLine(story),
    ...(replay === undefined ? [] : [`repeats ${replayText(replay)}`]),
    ...revisionTexts(story.revisions).map((text) => `only ${text}`),
    ...(ends === undefined ? [] : [style.color.dim(`- ${ends}`)]),
    ...chain.flatMap((step, at) => {
      const effects = withoutRepeatedRule(step, chain[at - 1]);
      const lines = [...originLines(step.because, telling), ...effectLines(effects, telling)];
      return [...(rows[at] ?? []), ...branches(lines, " ".repeat(indent), style)];
    }),
  ];
};
