import type { WholeWebhook } from "../../../contract/control/webhooks.ts";
import { isAccepted } from "../../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../../contract/webhooks/webhook-lab.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { becauseId, becauseText } from "../../text/because.ts";
import { columns, shortInstant } from "../../text/layout.ts";
import { safeJson } from "../../text/safe-text.ts";
import type { Style } from "../../text/terminal.ts";

const SIGNATURE = "X-Service-Signature";
const LONGEST_REPLY = 60;

const cut = (text: string) =>
  text.length > LONGEST_REPLY ? `${text.slice(0, LONGEST_REPLY)}…` : text;

const attemptRows = ({ type, attempts }: WholeWebhook, { mark }: Style) => {
  const day = attempts[0]?.at ?? "";
  return columns(
    attempts.map(({ attempt, at, status, tookMs, reply, error }) => [
      String(attempt),
      shortInstant(at, day),
      `${mark(isAccepted(type, status) ? "done" : "failed")} ${status ?? error ?? "no answer"}`,
      `${tookMs} ms`,
      reply ? safeJson(cut(reply)) : "",
    ]),
  );
};

const labelled = (label: string, lines: readonly string[]) =>
  lines.map((line, at) => `${(at === 0 ? label : "").padEnd(11)}${line}`);

const keyText = ({ key, isRetired }: WholeWebhook["signature"]) =>
  isRetired ? `${key}, a retired key` : `${key}; the PEM is at /_sim/webhooks/key`;

const signatureLines = ({ headers, signature, lab }: WholeWebhook) => {
  const sent = headers[SIGNATURE];
  if (sent === undefined) return [`with key ${signature.key}, once it is sent`];
  const isMeant = isWrongOnPurpose(lab) ? ", on purpose," : "";
  const verdict = signature.valid ? "verifies" : `DOES NOT VERIFY${isMeant}`;
  return [
    `${SIGNATURE}: ${sent.slice(0, 12)}…${sent.slice(-8)}    --raw prints it all`,
    `${verdict} with key ${keyText(signature)}`,
  ];
};

const causeText = ({ cause }: WholeWebhook, style: Style) =>
  [
    [becauseText(cause, style), becauseId(cause, style)].filter(Boolean).join("  "),
    ...(cause.rule === undefined ? [] : [`rule ${cause.rule}`]),
  ].join(", ");

export const formatWebhook = (webhook: WholeWebhook, style: Style): string[] => {
  const { id, type, about, attempts, state, lab } = webhook;
  const size = bytesOf(webhook).length.toLocaleString("en-US");
  return [
    `${style.color.bold(id)}    ${type}    ${state}`,
    ...labelled("about", about === undefined ? [] : [about]),
    ...labelled("because", [causeText(webhook, style)]),
    ...labelled("made as", lab === undefined ? [] : [lab]),
    ...labelled("attempts", attempts.length > 0 ? attemptRows(webhook, style) : ["none yet"]),
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
    else if (raw === true) terminal.exact(rawBytes(webhook));
    else terminal.print(...formatWebhook(webhook, terminal.style));
    return EXIT.done;
  },
};
