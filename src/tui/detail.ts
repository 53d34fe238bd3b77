import type { CallDetails } from "../contract/control/requests.ts";
import type { WholeWebhook } from "../contract/control/webhooks.ts";
import { cutReplyNote } from "../contract/core/cut-body.ts";
import { isAccepted } from "../contract/webhooks/events.ts";
import { timeOf } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import { stateWords } from "../rows/deliveries.ts";
import { shortOf } from "../rows/list.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import { bodyLines, labelled, linesIn, textLines } from "./labelled.ts";
import { type Line, textLine } from "./line.ts";
import { ownLines, WHOLE_LISTS } from "./own-lines.ts";
import { type RecordBody, recordLines } from "./record-lines.ts";
import type { Detail } from "./view.ts";

/** Formats the reply of GET /_sim/why/{id} as the command `why` does, in lines of a width. */
export type StoryLines = (story: unknown, width: number) => string[];

const causeText = ({ method, path, operation, timer, id }: WholeWebhook["cause"]) => {
  if (timer !== undefined) return `timer ${id}`;
  const what = path && `${method} ${path}`;
  return [what ?? operation, id].filter(Boolean).join("  ");
};

const attemptLine = (
  one: WholeWebhook["attempts"][number],
  type: string,
  context: RowContext,
): Line[] => {
  const isTaken = isAccepted(type as never, one.status);
  const said = [cutReplyNote(one.cut), one.error ?? one.reply ?? ""].filter(Boolean).join("  ");
  const [first = "", ...more] = linesIn(said.trimEnd());
  return [
    [
      span(`${String(one.attempt).padStart(3)}  ${timeOf(one.at, context)}  `),
      span(`${isTaken ? "✓" : "✗"} ${one.status ?? "no answer"}`, isTaken ? "green" : "red"),
      span(`  ${one.tookMs} ms  ${safeText(first)}`),
    ],
    ...more.map((line) => textLine(`     ${safeText(line)}`)),
  ];
};

const webhookLines = (webhook: WholeWebhook, context: RowContext): Line[] => {
  const { id, type, about, state, nextAttemptAt, attempts, signature, body, cause } = webhook;
  const next = nextAttemptAt === undefined ? "" : `, again at ${timeOf(nextAttemptAt, context)}`;
  const verified =
    signature.valid === undefined
      ? "none, not sent yet"
      : signature.valid
        ? `verifies with key ${signature.key}`
        : "does NOT verify";
  return [
    textLine(id, "bold"),
    textLine(type),
    ...(about === undefined ? [] : labelled("about", about)),
    ...labelled("because", causeText(cause)),
    ...labelled("state", `${stateWords(state)}${next}`),
    ...labelled("attempts", String(attempts.at(-1)?.attempt ?? 0)),
    ...attempts.toReversed().flatMap((one) => attemptLine(one, type, context)),
    ...labelled("signature", verified),
    ...bodyLines("body", body),
  ];
};

const requestLines = (request: CallDetails, context: RowContext): Line[] => {
  const { id, at, method, path, status, tookMs, operation, error, fault, caused } = request;
  const isFine = status < 400;
  return [
    textLine(`${id}    ${safeText(`${method} ${path}`)}`, "bold"),
    ...labelled(
      "status",
      `${isFine ? "✓" : "✗"} ${status}  ${tookMs} ms  at ${timeOf(at, context)}`,
      isFine ? "green" : "red",
    ),
    ...(operation === undefined ? [] : labelled("operation", operation)),
    ...(error ? labelled("error", [error.code, error.reason].filter(Boolean).join(", ")) : []),
    ...(fault === undefined ? [] : labelled("fault", fault)),
    ...caused.flatMap((one, at) => labelled(at === 0 ? "caused" : "", shortOf(one, context))),
    ...bodyLines("request", request.requestBody, request.cut?.requestBody),
    ...bodyLines("answer", request.responseBody, request.cut?.responseBody),
  ];
};

const jsonLines = (body: unknown) =>
  JSON.stringify(body, null, 2)
    .split("\n")
    .map((line) => textLine(safeText(line)));

const rowIn = ({ lists }: WatchedWorld, { list, id }: Detail) =>
  (lists[list] as readonly { id: string }[]).find((row) => row.id === id);

const jsonOf = (watched: WatchedWorld, detail: Detail) => {
  const { body, path } = detail;
  if (WHOLE_LISTS.has(detail.list) && !detail.isWhy) return rowIn(watched, detail) ?? {};
  return path.startsWith("/records/") ? (body as RecordBody).record.record : body;
};

/** A row in full: its own facts, or why it is so. */
export const detailLines = (
  watched: WatchedWorld,
  detail: Detail,
  { context, story }: { context: RowContext; story: StoryLines },
): Line[] => {
  const { list, body, failure, isWhy, isJson, path } = detail;
  const isWhole = WHOLE_LISTS.has(list) && !isWhy;
  if (failure !== undefined) return textLines(failure, "red");
  if (body === undefined && !isWhole) return [textLine("reading …", "dim")];
  if (isJson) return jsonLines(jsonOf(watched, detail));
  if (isWhole) return ownLines(watched, detail, context);
  if (isWhy) return story(body, context.width).map((line) => textLine(safeLine(line)));
  if (path.startsWith("/webhooks/")) return webhookLines(body as WholeWebhook, context);
  if (path.startsWith("/requests/")) return requestLines(body as CallDetails, context);
  return recordLines(body as RecordBody, watched, context);
};
