import type { CallDetails } from "../contract/control/requests.ts";
import type { WholeWebhook } from "../contract/control/webhooks.ts";
import { cutNote, cutReplyNote } from "../contract/core/cut-body.ts";
import { inGroups } from "../contract/core/digit-groups.ts";
import { isAccepted } from "../contract/webhooks/events.ts";
import { timeOf } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import { shortOf } from "../rows/list.ts";
import { type Look, span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { safeText } from "../text/safe-text.ts";
import { fitLine, type Line, textLine } from "./line.ts";
import type { Detail } from "./view.ts";

/** Formats the reply of GET /_sim/why/{id} as the command `why` does. */
export type StoryLines = (story: unknown) => string[];

const LABEL_WIDTH = 10;

const labelled = (label: string, text: string, look?: Look): Line => [
  span(label.padEnd(LABEL_WIDTH), "dim"),
  span(safeText(text), look),
];

const indented = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split("\n");
  } catch {
    return text.split("\n");
  }
};

const bodyLines = (label: string, text: string | undefined, cut?: number): Line[] =>
  text === undefined || text === ""
    ? []
    : [
        labelled(label, cutNote(text, cut) ?? `${inGroups(Buffer.byteLength(text))} bytes`),
        ...indented(text).map((line) => textLine(`  ${safeText(line)}`)),
      ];

const causeText = ({ method, path, operation, timer, id }: WholeWebhook["cause"]) => {
  const what = timer === undefined ? path && `${method} ${path}` : `timer ${timer}`;
  return [what ?? operation, id].filter(Boolean).join("  ");
};

const attemptLine = (
  one: WholeWebhook["attempts"][number],
  type: string,
  context: RowContext,
): Line => {
  const isTaken = isAccepted(type as never, one.status);
  const said = [cutReplyNote(one.cut), one.error ?? one.reply ?? ""].filter(Boolean).join("  ");
  return [
    span(`${String(one.attempt).padStart(3)}  ${timeOf(one.at, context)}  `),
    span(`${isTaken ? "✓" : "✗"} ${one.status ?? "no answer"}`, isTaken ? "green" : "red"),
    span(`  ${one.tookMs} ms  ${safeText(said)}`),
  ];
};

const webhookLines = (webhook: WholeWebhook, context: RowContext): Line[] => {
  const { id, type, about, state, nextAttemptAt, attempts, signature, body, cause } = webhook;
  const next = nextAttemptAt === undefined ? "" : `, again at ${timeOf(nextAttemptAt, context)}`;
  const verified =
    signature.valid === undefined
      ? "not sent yet"
      : signature.valid
        ? `verifies with key ${signature.key}`
        : "does NOT verify";
  return [
    textLine(id, "bold"),
    textLine(type),
    ...(about === undefined ? [] : [labelled("about", about)]),
    labelled("because", causeText(cause)),
    labelled("state", `${state}${next}`),
    labelled("attempts", String(attempts.at(-1)?.attempt ?? 0)),
    ...attempts.toReversed().map((one) => attemptLine(one, type, context)),
    labelled("signature", verified),
    ...bodyLines("body", body),
  ];
};

const requestLines = (request: CallDetails, context: RowContext): Line[] => {
  const { id, at, method, path, status, tookMs, operation, error, fault, caused } = request;
  const isFine = status < 400;
  return [
    textLine(`${id}    ${safeText(`${method} ${path}`)}`, "bold"),
    labelled(
      "status",
      `${isFine ? "✓" : "✗"} ${status}  ${tookMs} ms  at ${timeOf(at, context)}`,
      isFine ? "green" : "red",
    ),
    ...(operation === undefined ? [] : [labelled("operation", operation)]),
    ...(error ? [labelled("error", [error.code, error.reason].filter(Boolean).join(", "))] : []),
    ...(fault === undefined ? [] : [labelled("fault", fault)]),
    ...caused.map((one, at) => labelled(at === 0 ? "caused" : "", shortOf(one, context))),
    ...bodyLines("request", request.requestBody, request.cut?.requestBody),
    ...bodyLines("answer", request.responseBody, request.cut?.responseBody),
  ];
};

const jsonLines = (body: unknown) =>
  JSON.stringify(body, null, 2)
    .split("\n")
    .map((line) => textLine(safeText(line)));

const mailLines = ({ lists: { mails } }: WatchedWorld, id: string): Line[] => {
  const mail = mails.find((one) => one.id === id);
  if (!mail) return [textLine("this mail is no longer there")];
  return [
    textLine(safeText(mail.subject), "bold"),
    labelled("to", mail.to),
    labelled("code", mail.code),
    labelled("sent", mail.sentAt),
    labelled("expires", mail.expiresAt),
    labelled("for", mail.credentialId),
    ...mail.text.split("\n").map((line) => textLine(safeText(line))),
  ];
};

/** A row in full, folded when it is longer than a line. */
export const detailLines = (
  watched: WatchedWorld,
  detail: Detail,
  { context, story }: { context: RowContext; story: StoryLines },
): Line[] => {
  const { list, id, body, failure, isWhy, isJson } = detail;
  if (list === "mails" && !isWhy) return mailLines(watched, id);
  if (failure !== undefined) return [textLine(safeText(failure), "red")];
  if (body === undefined) return [textLine("reading …", "dim")];
  if (isJson) return jsonLines(body);
  if (isWhy) return story(body).map((line) => textLine(safeText(line)));
  if (list === "deliveries") return webhookLines(body as WholeWebhook, context);
  if (list === "requests") return requestLines(body as CallDetails, context);
  return story(body).map((line) => textLine(safeText(line)));
};

/** Folds lines that are too wide. */
export const folded = (lines: readonly Line[], width: number): Line[] =>
  lines.flatMap((line) => {
    const text = line.map((one) => one.text).join("");
    if (text.length <= width) return [line];
    const [first] = line;
    const parts = [...text.matchAll(new RegExp(`.{1,${Math.max(8, width)}}`, "gu"))].map(
      ([part]) => part,
    );
    return parts.map((part) =>
      fitLine(textLine(part, line.length === 1 ? first?.look : undefined), width),
    );
  });
