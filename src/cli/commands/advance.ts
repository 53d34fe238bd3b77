import type { Advanced, ShownAttempt } from "../../contract/control/clock.ts";
import { defined } from "../../contract/core/defined.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { counted, fullInstant, instantsAmong } from "../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { driftOf } from "../text/drift.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const MAX_ROWS = 40;
const SHOWN_FIRST = 20;
const SHOWN_LAST = 5;

/**
 * Shortens a list that is longer than a screen: its first rows, a count of the rest, its last rows.
 */
export const cutRows = (rows: readonly (string | readonly string[])[]): string[] =>
  rows.length <= MAX_ROWS
    ? rows.flat()
    : [
        ...rows.slice(0, SHOWN_FIRST).flat(),
        `… ${inGroups(rows.length - SHOWN_FIRST - SHOWN_LAST)} more: --json`,
        ...rows.slice(-SHOWN_LAST).flat(),
      ];

const ruleText = (rule: string | undefined) => (rule === undefined ? "" : `, rule ${rule}`);

const firedRow = (fired: Advanced["fired"][number], { at, style }: RowContext) => [
  at(fired.at),
  style.color.cyan(fired.timer),
  style.id(fired.subject),
  fired.from === undefined ? "nothing to do" : `${fired.to}${ruleText(fired.rule)}`,
];

const COLUMNS: readonly Column[] = [{}, {}, {}, { as: "words", least: 17 }];

interface RowContext {
  at(iso: string): string;
  style: Style;
}

const attemptRow = (attempt: ShownAttempt, { at, style }: RowContext) => {
  const mark = attempt.state === "ACCEPTED" ? "done" : "failed";
  return [
    at(attempt.at),
    `→ ${attempt.type}`,
    style.id(attempt.id),
    `${style.mark(mark)} ${attempt.status ?? "no answer"}, ${attempt.tookMs} ms` +
      `${attempt.attempt > 1 ? `, attempt ${attempt.attempt}` : ""}`,
  ];
};

const openText = ({ open, why }: Advanced) =>
  why === undefined ? `${open} open` : `${open} open: ${why}`;

const summaryLine = (reply: Advanced, { mark, id }: Style) => {
  if (reply.firedCount === 0 && reply.webhookCount === 0) {
    const { next, to } = reply;
    if (reply.open > 0 && !next) return `${mark("waits")} nothing was due; ${openText(reply)}`;
    if (!next) return `${mark("over")} nothing was due, no pending timers`;
    const inMs = Date.parse(next.dueAt) - Date.parse(to);
    const when = instantsAmong([to, next.dueAt])(next.dueAt);
    return `${mark("over")} nothing was due; next is ${next.timer} ${id(next.subject)} in ${showDuration(inMs)}, at ${when}`;
  }
  const fired = counted(reply.firedCount, "timer");
  const sent = counted(reply.webhookCount, "webhook attempt");
  return `${mark(reply.open === 0 ? "done" : "waits")} ${fired} fired, ${sent}, ${openText(reply)}`;
};

/** A real clock may tick between the reading and the move, so `6m` is shown as given. */
const shownSpan = (spanMs: number) =>
  showDuration(spanMs < 1000 ? spanMs : Math.round(spanMs / 1000) * 1000);

export const formatAdvance = (reply: Advanced, style: Style): string[] => {
  const spanMs = Date.parse(reply.to) - Date.parse(reply.from);
  const instants = [...reply.fired, ...reply.webhooks].map(({ at }) => at);
  const context = { at: instantsAmong([reply.from, reply.to, ...instants]), style };
  const rows = [
    ...reply.fired.map((fired) => ({ at: fired.at, cells: firedRow(fired, context) })),
    ...reply.webhooks.map((attempt) => ({ at: attempt.at, cells: attemptRow(attempt, context) })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const { rows: lines } = tableOf(
    COLUMNS,
    rows.map(({ cells }) => cells),
    style.screen,
  );
  const arrival =
    reply.to.slice(0, 10) === reply.from.slice(0, 10)
      ? fullInstant(reply.to).slice(11)
      : fullInstant(reply.to);
  const drift = driftOf(reply).replace(/^running, /, "");
  return [
    `clock  ${fullInstant(reply.from)} → ${arrival}    +${shownSpan(spanMs)}, ${drift}`,
    ...(rows.length > 0 ? ["", ...cutRows(lines), ""] : []),
    summaryLine(reply, style),
  ];
};

const untilOf = (text: string) => {
  const [, id, status] = /^(.+)=([\w-]+)$/.exec(text) ?? [];
  if (id === undefined || status === undefined)
    throw usageError(
      `--until needs an id and a status, for example: --until Transaction:…9f3c2e=COMPLETED`,
      "service-sim advance --until Transaction:…9f3c2e=COMPLETED",
    );
  return { id, status };
};

const requestOf = ({ args, options }: Invocation) => {
  const [by] = args;
  const goals = {
    ...defined({ by }),
    ...(typeof options.to === "string" && { to: options.to }),
    ...(options.next === true && { next: true }),
    ...(typeof options.until === "string" && { until: untilOf(options.until) }),
  };
  const count = Object.keys(goals).length;
  if (count !== 1)
    throw usageError(
      count === 0
        ? "say how far, for example: advance 6m"
        : "use only one: a span, --to, --next or --until",
      "service-sim advance 6m",
    );
  const budgetMs = options.budget === undefined ? undefined : Number(options.budget);
  if (budgetMs !== undefined && !Number.isInteger(budgetMs))
    throw usageError(
      `Expected --budget in milliseconds but found "${options.budget}"`,
      "service-sim advance 6m --budget 5000",
    );
  return { ...goals, ...defined({ budgetMs }) };
};

const untilLine = ({ until, from, to }: Advanced, { mark, id }: Style) => {
  if (!until?.reached) return [];
  const spanMs = Date.parse(to) - Date.parse(from);
  const after =
    spanMs > 0
      ? ` after ${showDuration(spanMs)}; the clock stops at ${instantsAmong([from, to])(to)}`
      : " already";
  return [`${mark("done")} ${id(until.id)} is ${until.wanted}${after}`];
};

/** The goal that was not reached, if there is one. */
const shortfall = (reply: Advanced) => {
  const { until, complete, stranded } = reply;
  if (stranded)
    return new CommandError(
      { code: "WEBHOOKS_STRANDED", exitCode: EXIT.notDone },
      `${counted(stranded.length, "webhook")} would never be sent: this is a bug in the simulator`,
      [`service-sim webhooks resend ${stranded[0]}`],
    );
  if (!complete)
    return new CommandError(
      { code: "BUDGET_SPENT", exitCode: EXIT.notDone },
      `no answer in time to ${counted(reply.waitingFor ?? 0, "attempt")} at ` +
        `${reply.endpoint ?? "no endpoint"}; the clock stops at ${reply.to}`,
      ["service-sim start --webhook-timeout 500    waits less for a slow receiver"],
    );
  if (until && !until.reached)
    return new CommandError(
      { code: "UNTIL_NOT_REACHED", exitCode: EXIT.notDone },
      `Expected ${until.id} to be ${until.wanted} but found ${until.found ?? "no such record"}`,
      ["service-sim timers"],
    );
  return undefined;
};

export const command: Command = {
  name: "advance",
  summary: "move the clock and do everything that is due on the way",
  operands: "[span]",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--to <instant>", summary: "move to an instant", noEnvironment: true },
    { flags: "--next", summary: "move to the next timer", noEnvironment: true },
    {
      flags: "--until <id=STATUS>",
      summary: "move until a record has a status, at most 30 days",
      noEnvironment: true,
    },
    {
      flags: "--budget <ms>",
      summary: "wait this long for receivers, in real milliseconds (default: 60000)",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim advance 6m",
    "service-sim advance --to 2026-02-01T00:00:00Z",
    "service-sim advance --next",
    "service-sim advance --until Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e=COMPLETED",
  ],
  run: async (invocation, terminal) => {
    const request = requestOf(invocation);
    const { client } = findInstance(invocation);
    const reply = await reach(client.post<Advanced>("/clock/advance", request));
    const missing = shortfall(reply);
    const error = missing && {
      code: missing.code,
      message: missing.message,
      next: missing.next,
      exitCode: EXIT.notDone,
    };
    terminal.document({ ...reply, ...(error && { error }) });
    terminal.print(...formatAdvance(reply, terminal.style), ...untilLine(reply, terminal.style));
    if (missing && !terminal.json) terminal.fail(missing);
    return missing ? EXIT.notDone : EXIT.done;
  },
};
