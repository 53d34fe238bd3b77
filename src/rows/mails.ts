import type { Mail } from "../contract/wallets/mails.ts";
import { countdown, timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list } from "./list.ts";

const validity = ({ expiresAt, neverValid }: Mail, context: RowContext) => {
  if (neverValid !== undefined) return "never";
  const { nowMs } = context;
  if (nowMs !== undefined && Date.parse(expiresAt) <= nowMs) return "expired";
  return `${countdown(expiresAt, context)} more`;
};

/** Mails with their codes. */
export const mails = list({
  name: "mails",
  order: "newest first",
  empty: "No email yet. Wallet codes arrive here",
  columns: [
    { head: "sent", min: 8, cell: ({ sentAt }, context) => timeOf(sentAt, context) },
    { head: "to", cut: "end", cell: ({ to }) => to },
    { head: "code", cell: ({ code }) => code },
    { head: "subject", from: 70, cut: "end", cell: ({ subject }) => subject },
    { head: "valid", cell: validity },
  ],
  fields: ({ id, to, code, subject }) => ({
    id,
    status: "",
    type: "",
    code,
    isOpen: false,
    words: () => [to, subject],
  }),
  subject: ({ id }) => id,
  command: ({ to }) => `service-sim inbox --to ${to}`,
  explain: ({ subject, neverValid }) => neverValid ?? subject,
});
