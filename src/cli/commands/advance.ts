import { showDuration } from "../../domain/durations.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../command.ts";
import { columns, counted, fullInstant, shortInstant } from "../layout.ts";
import { findInstance, reach } from "../reach.ts";
import type { Style } from "../terminal.ts";
import { driftOf } from "./status.ts";

/** Reply of POST /_sim/clock/advance. */
export interface AdvanceReply {
  from: string;
  to: string;
  complete: boolean;
  mode: string;
  aheadMs: number;
  fired: {
    at: string;
    timer: string;
    subject: string;
    from?: string;
    to?: string;
    rule?: string;
  }[];
  firedCount: number;
  webhooks: AttemptReply[];
  webhookCount: number;
  open: number;
  waitingFor?: number;
  endpoint?: string;
  next?: { dueAt: string; timer: string; subject: string };
}

export interface AttemptReply {
  at: string;
  id: string;
  type: string;
  about?: string;
  status: number | null;
  state: string;
  attempt: number;
  tookMs: number;
}

const MAX_ROWS = 40;
const SHOWN_FIRST = 20;
const SHOWN_LAST = 5;

/** More rows than fit a screen: the first, how many are left out, the last. */
export const cutRows = (rows: readonly string[]): string[] =>
  rows.length <= MAX_ROWS
    ? [...rows]
    : [
        ...rows.slice(0, SHOWN_FIRST),
        `… ${(rows.length - SHOWN_FIRST - SHOWN_LAST).toLocaleString("en-US")} more: --json`,
        ...rows.slice(-SHOWN_LAST),
      ];

const ruleText = (rule: string | undefined) => (rule === undefined ? "" : `rule ${rule}`);

const firedRow = (fired: AdvanceReply["fired"][number], { day, style }: RowContext) => [
  shortInstant(fired.at, day),
  style.color.cyan(fired.timer),
  style.id(fired.subject),
  fired.from !== undefined ? `${fired.from} → ${fired.to}` : "nothing to do",
  ruleText(fired.rule),
];

interface RowContext {
  day: string;
  style: Style;
}

const attemptRow = (attempt: AttemptReply, { day, style }: RowContext) => {
  const mark = attempt.state === "ACCEPTED" ? "done" : "failed";
  return [
    shortInstant(attempt.at, day),
    `→ ${attempt.type}`,
    style.id(attempt.id),
    `${style.mark(mark)} ${attempt.status ?? "no answer"}`,
    `${attempt.tookMs} ms${attempt.attempt > 1 ? `, attempt ${attempt.attempt}` : ""}`,
  ];
};

const summaryLine = (reply: AdvanceReply, { mark, id }: Style) => {
  if (reply.firedCount === 0 && reply.webhookCount === 0) {
    const { next, to } = reply;
    if (!next) return `${mark("over")} nothing was due, and nothing is waiting`;
    const inMs = Date.parse(next.dueAt) - Date.parse(to);
    const when = shortInstant(next.dueAt, to);
    return `${mark("over")} nothing was due; next is ${next.timer} ${id(next.subject)} in ${showDuration(inMs)}, at ${when}`;
  }
  const fired = counted(reply.firedCount, "timer");
  const sent = counted(reply.webhookCount, "webhook attempt");
  return `${mark(reply.open === 0 ? "done" : "waits")} ${fired} fired, ${sent}, ${reply.open} open`;
};

export const formatAdvance = (reply: AdvanceReply, style: Style): string[] => {
  const spanMs = Date.parse(reply.to) - Date.parse(reply.from);
  const context = { day: reply.to, style };
  const rows = [
    ...reply.fired.map((fired) => ({ at: fired.at, cells: firedRow(fired, context) })),
    ...reply.webhooks.map((attempt) => ({ at: attempt.at, cells: attemptRow(attempt, context) })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const arrival =
    reply.to.slice(0, 10) === reply.from.slice(0, 10)
      ? fullInstant(reply.to).slice(11)
      : fullInstant(reply.to);
  const drift = driftOf({ mode: reply.mode, aheadMs: reply.aheadMs }).replace(/^real, /, "now ");
  return [
    `clock  ${fullInstant(reply.from)} → ${arrival}    +${showDuration(spanMs)}, ${drift}`,
    ...(rows.length > 0 ? ["", ...cutRows(columns(rows.map(({ cells }) => cells))), ""] : []),
    summaryLine(reply, style),
  ];
};

const requestOf = ({ args, options }: Invocation) => {
  const [by] = args;
  const to = typeof options.to === "string" ? options.to : undefined;
  if ((by === undefined) === (to === undefined))
    throw usageError(
      by === undefined
        ? "Expected how far to move the clock but found nothing"
        : "Expected a span or --to but found both",
      "service-sim advance 6m",
    );
  const budgetMs = options.budget === undefined ? undefined : Number(options.budget);
  if (budgetMs !== undefined && !Number.isInteger(budgetMs))
    throw usageError(
      `Expected --budget in milliseconds but found "${options.budget}"`,
      "service-sim advance 6m --budget 60000",
    );
  return { ...(by === undefined ? { to } : { by }), ...(budgetMs !== undefined && { budgetMs }) };
};

export const command: Command = {
  name: "advance",
  summary: "move the clock; returns when everything due on the way has happened",
  operands: "[span]",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--to <instant>", summary: "move it to an instant", noEnvironment: true },
    {
      flags: "--budget <ms>",
      summary: "how long to wait for receivers, wall milliseconds (default: 60000)",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim advance 6m", "service-sim advance --to 2026-02-01T00:00:00Z"],
  run: async (invocation, terminal) => {
    const request = requestOf(invocation);
    const { client } = findInstance(invocation);
    const reply = await reach(client.post<AdvanceReply>("/clock/advance", request));
    terminal.document(reply);
    terminal.print(...formatAdvance(reply, terminal.style));
    if (reply.complete) return EXIT.done;
    const unfinished = new CommandError(
      { code: "BUDGET_SPENT", exitCode: EXIT.notDone },
      `Expected every answer in time but found ${reply.waitingFor} attempts open at ` +
        `${reply.endpoint ?? "no endpoint"}; the clock stops at ${reply.to}`,
      ["service-sim start --webhook-timeout 500    lowers what a hanging receiver costs"],
    );
    if (!terminal.json) terminal.fail(unfinished);
    return EXIT.notDone;
  },
};
