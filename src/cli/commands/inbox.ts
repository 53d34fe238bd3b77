import type { ShownClock } from "../../contract/control/clock.ts";
import type { Inbox } from "../../contract/control/inbox.ts";
import type { Mail } from "../../contract/wallets/mails.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { instantsAmong } from "../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../frame/command.ts";
import { queryOf } from "../frame/query.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const validity = ({ expiresAt, neverValid }: Mail, nowMs: number) => {
  if (neverValid !== undefined) return "never";
  const restMs = Date.parse(expiresAt) - nowMs;
  return restMs > 0 ? `${showDuration(restMs)} more` : "expired";
};

/** Simulated time of a reading of the inbox, ISO 8601, and the address it was filtered by. */
interface Look {
  now: string;
  to?: string | undefined;
}

const COLUMNS: readonly Column[] = [
  { head: "SENT" },
  { head: "TO", as: "path" },
  { head: "CODE" },
  { head: "SUBJECT", as: "text" },
  { head: "VALID" },
];

export const formatInbox = ({ data }: Inbox, { now, to }: Look, style: Style): string[] => {
  const [newest] = data;
  if (!newest) return [to === undefined ? "no email yet" : "no matching email"];
  const at = instantsAmong([now, ...data.map(({ sentAt }) => sentAt)]);
  const rows = data.map((mail) => [
    at(mail.sentAt),
    mail.to,
    mail.code,
    mail.subject,
    validity(mail, Date.parse(now)),
  ]);
  const { neverValid } = newest;
  const note = neverValid === undefined ? [] : [`these codes are not accepted: ${neverValid}`];
  return [...tableLines(COLUMNS, rows, style), ...note];
};

export const command: Command = {
  name: "inbox",
  summary: "show sent emails and text messages with their codes",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--to <address>",
      summary: "show only those to this address or phone number",
      noEnvironment: true,
    },
    { flags: "--wait", summary: "wait until one arrives", noEnvironment: true },
    {
      flags: "--timeout-ms <n>",
      summary: "wait at most this long, in real milliseconds (default: 5000)",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim inbox", "service-sim inbox --to ada@example.com"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const isWaiting = invocation.options.wait === true;
    const path = isWaiting ? "/inbox/wait" : "/inbox";
    const query = queryOf(invocation, isWaiting ? ["to", "timeoutMs"] : ["to"]);
    const reply = await reach(client.get<Inbox>(`${path}${query}`));
    terminal.document(reply);
    const { now } = await reach(client.get<ShownClock>("/clock"));
    const { to } = invocation.options;
    const look = { now, ...(typeof to === "string" && { to }) };
    terminal.print(...formatInbox(reply, look, terminal.style));
    return EXIT.done;
  },
};
