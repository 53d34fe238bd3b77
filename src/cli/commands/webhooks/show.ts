import type { WholeWebhook } from "../../../contract/control/webhooks.ts";
import { cutReplyNote } from "../../../contract/core/cut-body.ts";
import { inGroups } from "../../../contract/core/digit-groups.ts";
import { isAccepted } from "../../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../../contract/webhooks/lab-vectors.ts";
import { cellsOf, cutEnd, padCells } from "../../../text/cells.ts";
import { columns, instantsAmong } from "../../../text/layout.ts";
import { safeJson } from "../../../text/safe-text.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { signatureIn } from "../../tasks/signature-header.ts";
import { becauseId, becauseText } from "../../text/because.ts";
import { consoleLine } from "../../text/console-line.ts";
import { headLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const LONGEST_REPLY = 60;
const LABEL_WIDTH = 11;
/** Shorter beginnings of a reply say nothing, so it is left out. */
const LEAST_REPLY = 8;
/** The quotes around a reply. */
const QUOTES = 2;

const attemptRows = ({ type, attempts }: WholeWebhook, { mark, screen }: Style) => {
  const shown = instantsAmong(attempts.map(({ at }) => at));
  const rows = columns(
    attempts.map(({ attempt, at, status, tookMs, error }) => [
      String(attempt),
      shown(at),
      `${mark(isAccepted(type, status) ? "done" : "failed")} ${status ?? error ?? "no answer"}`,
      `${tookMs} ms`,
    ]),
  );
  const widest = Math.max(0, ...rows.map((row) => cellsOf(row)));
  const left = screen.width - LABEL_WIDTH - widest - 2 - QUOTES;
  return rows.map((row, at) => {
    const { reply } = attempts[at] ?? {};
    if (!reply) return row;
    const short = reply.length > LONGEST_REPLY ? `${reply.slice(0, LONGEST_REPLY)}…` : reply;
    const quoted = safeJson(short);
    if (cellsOf(quoted) <= left + QUOTES) return `${padCells(row, widest)}  ${quoted}`;
    return left < LEAST_REPLY ? row : `${padCells(row, widest)}  ${cutEnd(quoted, left, screen)}`;
  });
};

const cutLines = ({ attempts }: WholeWebhook) =>
  attempts.flatMap(({ attempt, cut }) =>
    cut === undefined ? [] : [`answer to ${attempt} ${cutReplyNote(cut)}`],
  );

const noAttempt = ({ collected }: WholeWebhook) =>
  collected ? "none: not sent, no endpoint" : "none yet";

const labelled = (label: string, lines: readonly string[]) =>
  lines.map((line, at) => `${(at === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`);

const keyText = ({ key, isRetired }: WholeWebhook["signature"]) =>
  isRetired ? `${key}, a retired key` : `${key}; the PEM is at /_sim/webhooks/key`;

const signatureLines = ({ headers, signature, lab, collected }: WholeWebhook) => {
  const sent = signatureIn(headers);
  if (sent === undefined && collected) return ["none: not sent, no endpoint"];
  if (sent === undefined) return [`with key ${signature.key}, once it is sent`];
  const isMeant = isWrongOnPurpose(lab) ? ", on purpose," : "";
  const verdict = signature.valid ? "verifies" : `DOES NOT VERIFY${isMeant}`;
  return [
    `${sent.name}: ${sent.value.slice(0, 12)}…${sent.value.slice(-8)}    --raw prints it all`,
    `${verdict} with key ${keyText(signature)}`,
  ];
};

const causeText = ({ cause }: WholeWebhook, style: Style) =>
  [
    [becauseText(cause, style), becauseId(cause, style)].filter(Boolean).join("  "),
    ...(cause.rule === undefined ? [] : [`test rule ${cause.rule}`]),
  ].join(", ");

export const formatWebhook = (webhook: WholeWebhook, style: Style): string[] => {
  const { id, type, about, attempts, lab, state, collected } = webhook;
  const size = inGroups(bytesOf(webhook).length);
  return [
    ...headLines([style.color.bold(id), type, collected ? "collected" : state], style),
    ...labelled("about", about === undefined ? [] : [about]),
    ...labelled("because", [causeText(webhook, style)]),
    ...labelled("made as", lab === undefined ? [] : [lab]),
    ...labelled(
      "attempts",
      attempts.length > 0
        ? [...attemptRows(webhook, style), ...cutLines(webhook)]
        : [noAttempt(webhook)],
    ),
    ...labelled("signature", signatureLines(webhook)),
    ...labelled("body", [`${size} bytes, shown indented    --body prints the exact bytes`]),
    ...indented(webhook.body).split("\n"),
  ];
};

const bytesOf = ({ body, bodyBase64 }: WholeWebhook) =>
  bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, "base64");

/** Formats a payload. Escapes control characters: payloads made by hand may not be JSON. */
const indented = (body: string) => {
  try {
    return safeJson(JSON.parse(body), 2);
  } catch {
    return safeJson(body);
  }
};

const UNSIGNED = "not signed: it was never sent; each attempt is signed when it is made";

const rawBytes = (webhook: WholeWebhook) => {
  const headers = Object.entries(webhook.headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${headers.join("\n")}\n\n`), bytesOf(webhook)]);
};

export const command: Command = {
  name: "show",
  summary: "show one webhook: its cause, attempts, signature and bytes",
  operands: "<id>",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--body", summary: "print only the exact bytes", noEnvironment: true },
    { flags: "--raw", summary: "print the headers and the exact bytes", noEnvironment: true },
  ],
  examples: ["service-sim webhooks show 0c41d8", "service-sim webhooks show 0c41d8 --body"],
  run: async (invocation, terminal) => {
    const [id = ""] = invocation.args;
    const { body, raw } = invocation.options;
    if ([body, raw, terminal.json].filter((one) => one === true).length > 1)
      throw usageError("use only one of --body, --raw and --json", "service-sim webhooks show");
    const { client } = findInstance(invocation);
    const webhook = await reach(client.get<WholeWebhook>(`/webhooks/${encodeURIComponent(id)}`));
    terminal.document(webhook);
    if (body === true) terminal.exact(bytesOf(webhook));
    else if (raw === true) {
      terminal.exact(rawBytes(webhook));
      if (signatureIn(webhook.headers) === undefined) terminal.note(UNSIGNED);
    } else
      terminal.print(
        ...formatWebhook(webhook, terminal.style),
        consoleLine(client, webhook.id, terminal),
      );
    return EXIT.done;
  },
};
