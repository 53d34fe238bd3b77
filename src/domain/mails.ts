import type { Mail } from "../contract/mails.ts";
import { all, type Draft, find, instant, type Moment, type View } from "./draft.ts";
import type { MailRecord } from "./wallet-records.ts";

/** Mails kept at most; the oldest go. */
const MAX_KEPT = 1000;

/** A mail as the inbox shows it (decisions, Inbox). */
export const showMail = ({ id, to, code, subject, text, ...rest }: MailRecord): Mail => ({
  id,
  to,
  code,
  subject,
  text,
  sentAt: instant(rest.createdAtMs),
  credentialId: rest.credentialId,
  expiresAt: instant(rest.expiresAtMs),
});

/** Puts a mail into the inbox, where a real service would send it. */
export const sendMail = (
  draft: Draft,
  mail: Omit<MailRecord, "id" | "createdAtMs" | "updatedAtMs">,
  moment: Moment,
) => {
  const kept = draft.ids("Mail", "all", "");
  const oldest = kept.at(0);
  if (oldest !== undefined && kept.length > MAX_KEPT) draft.del("Mail", oldest);
  draft.put("Mail", {
    id: moment.newId("Mail"),
    ...mail,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  });
};

/** The inbox, newest first: all of it, or what went to one address. */
export const listMails = (view: View, to?: string): Mail[] =>
  (to === undefined ? all(view, "Mail") : find(view, "Mail", ["byTo", to.toLowerCase()]))
    .map(showMail)
    .reverse();
