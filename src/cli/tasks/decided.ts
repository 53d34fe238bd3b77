import type { ControlReply } from "../../client/control-client.ts";
import type { Decided } from "../../contract/control/approvals.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import { counted, money } from "../../text/layout.ts";
import { type ClientCommand, clientCommand } from "../frame/client-command.ts";
import type { Invocation } from "../frame/command.ts";
import { pathOf } from "../frame/query.ts";
import { tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const isWanted = ({ action }: Decided, wanted: string) => action.status === wanted;

const webhooksRow = (webhooks: Decided["webhooks"], { mark }: Style) => {
  const accepted = webhooks.filter(({ type, status }) => isAccepted(type, status)).length;
  const unsent = webhooks.filter(({ state }) => state === "UNDELIVERABLE").length;
  const rest = webhooks.length - accepted - unsent;
  const counts = [
    ...(accepted > 0 ? [`${mark("done")} ${accepted} accepted`] : []),
    ...(rest > 0 ? [`${mark("waits")} ${rest} not accepted yet`] : []),
    ...(unsent > 0 ? [`${mark("over")} ${unsent} not sent, no endpoint`] : []),
  ];
  return [counted(webhooks.length, "webhook"), counts.join(", ")];
};

/** Effects of a decision: the action, its payment, balances and webhooks. */
export const formatDecided = (decided: Decided, wanted: string, style: Style): string[] => {
  const { action, because, transaction, balances, webhooks } = decided;
  const { mark, id } = style;
  const head = `${mark(isWanted(decided, wanted) ? "done" : "failed")} ${id(action.id)} is ${action.status}`;
  const changed = balances.filter(({ before, after }) => before !== after);
  const rows = [
    ...(transaction ? [[id(transaction.id), transaction.path.join(" → ")]] : []),
    ...changed.map(({ accountId, currency, before, after }) => [
      id(accountId),
      `${money(before, currency)} → ${money(after, currency)}`,
    ]),
    ...(webhooks.length > 0 ? [webhooksRow(webhooks, style)] : []),
  ];
  return [
    because ? `${head}: ${because.says} (${because.reason})` : head,
    ...tableLines(
      [{}, { as: "words" }],
      rows.map(([name = "", change = ""]) => [`  ${name}`, change]),
      style,
    ),
  ];
};

interface RefusalBody {
  error?: { message: string };
}

/** Formats a decision's reply, including refused ones. */
export const decisionLines = (
  { status, body }: ControlReply<Decided & RefusalBody>,
  verb: string,
  style: Style,
): string[] =>
  status < 400
    ? formatDecided(body, verb === "approve" ? "APPROVED" : "REJECTED", style)
    : [`${style.mark("failed")} ${body.error?.message ?? status}`];

interface DecideCommand
  extends Pick<ClientCommand<Decided>, "name" | "summary" | "examples" | "options"> {
  /** Status of an action that the decision is done with. */
  wanted: string;
  body?(invocation: Invocation): object;
}

/** A command that decides about an action and prints the effects. */
export const decideCommand = ({ wanted, body, ...command }: DecideCommand) =>
  clientCommand<Decided>({
    ...command,
    operands: "<id>",
    call: (invocation) => {
      const [id = ""] = invocation.args;
      return ["POST", `${pathOf("/approvals", id)}/${command.name}`, body?.(invocation) ?? {}];
    },
    lines: (decided, style) => formatDecided(decided, wanted, style),
    isDone: (decided) => isWanted(decided, wanted),
  });
