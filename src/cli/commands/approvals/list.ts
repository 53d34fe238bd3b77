import type { WaitingAction, WaitingActions } from "../../../contract/control/approvals.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import { money } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { nextPageLine, type PageRequest, pageRequest } from "../../frame/page.ts";
import { queryOf } from "../../frame/query.ts";
import { waitsBecause } from "../../text/because.ts";
import { type Column, tableOf } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "WAITS" },
  { head: "ACTION" },
  { head: "AGENT", as: "text", leaves: 1 },
  { head: "WHAT", leaves: 2 },
  { head: "AMOUNT", align: "right" },
  { head: "TO", as: "text" },
];

export const formatApprovals = (
  reply: WaitingActions,
  page: PageRequest,
  style: Style,
): string[] => {
  const { data, hasMore, nextCursor } = reply;
  const { id, color, mark } = style;
  if (data.length === 0) return ["no actions wait for approval"];
  const cells = data.map((action) => [
    showDuration(action.waitsMs),
    id(action.id),
    action.agentName,
    action.type,
    money(action.amount, action.currency),
    action.to.name ?? id(action.to.id),
  ]);
  const { head, rows, indent } = tableOf(COLUMNS, cells, style.screen);
  return [
    color.dim(head),
    ...rows.flatMap((row, at) => {
      const action = data[at] as WaitingAction;
      return [...row, `${" ".repeat(indent)}${mark("asks")} ${waitsBecause(action.because)}`];
    }),
    ...(hasMore ? [color.dim(nextPageLine(page, nextCursor))] : []),
  ];
};

const ASKED_WITH = ["limit", "cursor"] as const;

export const command = clientCommand<WaitingActions>({
  name: "list",
  summary: "show actions that wait for approval, newest first",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--limit <count>", summary: "show this many, up to 100", noEnvironment: true },
    {
      flags: "--cursor <cursor>",
      summary: "continue after the page that printed this cursor",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim approvals list", "service-sim approvals list --json"],
  call: (invocation) => ["GET", `/approvals${queryOf(invocation, ASKED_WITH)}`],
  lines: (reply, style, { invocation }) =>
    formatApprovals(reply, pageRequest("approvals list", ASKED_WITH, invocation), style),
  next: ({ data: [newest] }, { id }) =>
    newest ? `service-sim approvals approve ${id(newest.id)}` : [],
});
