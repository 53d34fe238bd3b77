import type { Diff, RecordChange } from "../../contract/control/diff.ts";
import { defined } from "../../contract/core/defined.ts";
import { counted, fullInstant, instantsAmong, money } from "../../text/layout.ts";
import { clientCommand } from "../frame/client-command.ts";
import { usageError } from "../frame/command.ts";
import type { Style } from "../text/terminal.ts";
import { cutRows } from "./advance.ts";

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

const isMoment = (field: string) => field.endsWith("AtMs");

const shown = (field: string, value: unknown) => {
  if (value === undefined) return "none";
  if (isMoment(field) && typeof value === "number") return new Date(value).toISOString();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const recordLines = ({ id, change, fields }: RecordChange, { id: short }: Style): string[] => [
  `${SIGNS[change]} ${short(id)}`,
  ...(change === "changed"
    ? fields.map(
        ({ field, from, to }) => `    ${field}: ${shown(field, from)} → ${shown(field, to)}`,
      )
    : []),
];

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ["", title, ...cutRows(lines.map((line) => `  ${line}`))];

const timerLine = (
  { timer, subject, change, from, to }: Diff["timers"][number],
  { at, style }: { at(iso: string): string; style: Style },
) => {
  const dues = [from, to].flatMap((due) => (due === undefined ? [] : [at(due)]));
  return `${SIGNS[change]} ${timer} ${style.id(subject)} at ${dues.join(" → ")}`;
};

export const formatDiff = (diff: Diff, style: Style): string[] => {
  const { from, to, records, balances, timers, webhooks, counts } = diff;
  const dues = timers.flatMap((one) => [one.from, one.to]);
  const at = instantsAmong([from.at, to.at, ...dues]);
  const isSame = Object.values(counts).every((count) => count === 0);
  return [
    `${from.ref}  ${fullInstant(from.at)} → ${to.ref}  ${fullInstant(to.at)}`,
    ...section(
      counted(counts.records, "record"),
      records.flatMap((one) => recordLines(one, style)),
    ),
    ...section(
      counted(counts.balances, "balance"),
      balances.map(
        ({ account, currency, from: was, to: is }) =>
          `~ ${style.id(account)}  ${money(was, currency)} → ${money(is, currency)}`,
      ),
    ),
    ...section(
      counted(counts.timers, "timer"),
      timers.map((one) => timerLine(one, { at, style })),
    ),
    ...section(
      counted(counts.webhooks, "webhook"),
      webhooks.map(
        ({ id, type, change, from: was, to: is }) =>
          `${SIGNS[change]} ${type} ${style.id(id)}  ${[was, is].filter(Boolean).join(" → ")}`,
      ),
    ),
    ...(isSame ? ["", `${style.mark("done")} no difference`] : []),
  ];
};

export const command = clientCommand<Diff>({
  name: "diff",
  summary: "compare two states: snapshot:<name>, world:<name>, an instant, or now",
  operands: "[from] [to]",
  examples: [
    "service-sim diff snapshot:before-reset",
    "service-sim diff 2026-01-05T09:00:00Z now --json",
  ],
  call: ({ args: [from, to] }) => {
    if (from === undefined)
      throw usageError(
        "say what to compare with, for example: diff snapshot:paid",
        "service-sim snapshot list",
      );
    return ["GET", `/diff?${new URLSearchParams({ from, ...defined({ to }) })}`];
  },
  lines: formatDiff,
});
