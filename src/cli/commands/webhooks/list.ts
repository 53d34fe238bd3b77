import type { Webhook, Webhooks } from "../../../contract/control/webhooks.ts";
import { DELIVERY_STATES } from "../../../contract/webhooks/delivery-states.ts";
import { EVENT_TYPES, isAccepted } from "../../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../../contract/webhooks/lab-vectors.ts";
import { instantsAmong } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { nextPageLine, type PageRequest, pageRequest } from "../../frame/page.ts";
import { queryOf } from "../../frame/query.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

/** A deliberately bad delivery passes when the receiver rejects it. */
const labText = ({ type, lab, status, error }: Webhook, { mark }: Style) => {
  const isTaken = isAccepted(type, status);
  const name = status === null || isTaken ? "failed" : "done";
  return `${mark(name)} ${status ?? error ?? "not sent"}, ${lab} on purpose`;
};

/** The result of the newest attempt, and the next step. */
export const resultText = (
  webhook: Webhook,
  { at, style }: { at: (iso: string) => string; style: Style },
) => {
  if (isWrongOnPurpose(webhook.lab)) return labText(webhook, style);
  const { mark } = style;
  const { type, state, reason, status, error, attempt, nextAttemptAt, createdAt, sentAt } = webhook;
  if (state === "HELD") return `${mark("waits")} held: webhooks release sends it`;
  if (state === "DROPPED") return `${mark("over")} dropped, never sent`;
  if (state === "UNDELIVERABLE") return `${mark("over")} not sent, no endpoint`;
  const givenUp = reason === undefined ? "given up" : `given up: ${reason}`;
  if (attempt === 0 && state === "GIVEN_UP") return `${mark("failed")} ${givenUp}`;
  if (attempt === 0 && nextAttemptAt !== undefined)
    return `${mark("waits")} ${webhook.trouble ?? "delayed"} until ${at(nextAttemptAt)}`;
  if (attempt === 0) return `${mark("waits")} ${state.toLowerCase()}`;
  const name = state === "ACCEPTED" ? "done" : state === "GIVEN_UP" ? "failed" : "waits";
  const answer = status ?? error ?? "no answer";
  // A redelivery after acceptance may get a different answer.
  const isOtherwise = state === "ACCEPTED" && !isAccepted(type, status);
  return [
    `${mark(name)} ${isOtherwise ? `accepted, then ${answer}` : answer}`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(sentAt === undefined || at(sentAt) === at(createdAt) ? [] : [`at ${at(sentAt)}`]),
    ...(state === "ACCEPTED" && status === 409 ? ["duplicate"] : []),
    ...(state === "GIVEN_UP" ? [givenUp] : []),
    ...(webhook.lab === undefined ? [] : [webhook.lab]),
    ...(webhook.trouble === undefined ? [] : [`${webhook.trouble} on purpose`]),
    ...(nextAttemptAt === undefined ? [] : [`next at ${at(nextAttemptAt)}`]),
  ].join(", ");
};

/** The list is in the order of creation; an attempt at another time says its own. */
const COLUMNS: readonly Column[] = [
  { head: "CREATED" },
  { head: "WEBHOOK" },
  { head: "TYPE" },
  { head: "RESULT", as: "words", least: 12 },
];

export const formatWebhooks = (
  reply: Omit<Webhooks, "totalCount">,
  page: PageRequest,
  style: Style,
): string[] => {
  const { data, hasMore, nextCursor } = reply;
  if (data.length === 0) return [page.isFiltered ? "no matching webhook" : "no webhook yet"];
  const at = instantsAmong(
    data.flatMap((webhook) => [webhook.createdAt, webhook.sentAt, webhook.nextAttemptAt]),
  );
  const rows = data.map((webhook) => [
    at(webhook.createdAt),
    // The head of the column names the kind, so that the result fits beside long types.
    style.id(webhook.id).replace(/^Webhook:(?=…)/, ""),
    webhook.type,
    resultText(webhook, { at, style }),
  ]);
  const more = nextPageLine(page, nextCursor);
  return [...tableLines(COLUMNS, rows, style), ...(hasMore ? [style.color.dim(more)] : [])];
};

const ASKED_WITH = ["type", "state", "about", "limit", "cursor"] as const;

export const command = clientCommand<Webhooks>({
  name: "list",
  summary: "show sent and waiting webhooks, newest first",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--type <type>",
      summary: "show only this type",
      choices: EVENT_TYPES,
      noEnvironment: true,
    },
    {
      flags: "--state <state>",
      summary: "show only this state",
      choices: DELIVERY_STATES,
      noEnvironment: true,
    },
    { flags: "--about <id>", summary: "only webhooks about this record", noEnvironment: true },
    {
      flags: "--limit <n>",
      summary: "show this many, up to 100 (default: 20)",
      noEnvironment: true,
    },
    {
      flags: "--cursor <text>",
      summary: "continue after the page that printed this cursor",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks list",
    "service-sim webhooks list --type OUTGOING_PAYMENT.COMPLETED --state ACCEPTED --limit 5",
  ],
  call: (invocation) => ["GET", `/webhooks${queryOf(invocation, ASKED_WITH)}`],
  lines: (webhooks, style, { invocation }) =>
    formatWebhooks(webhooks, pageRequest("webhooks list", ASKED_WITH, invocation), style),
});
