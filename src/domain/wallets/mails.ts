import { defined } from "../../contract/core/defined.ts";
import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { Mail } from "../../contract/wallets/mails.ts";
import { all, type Draft, find, instant, type Moment, type View } from "../core/draft.ts";
import type { MailRecord } from "../records/wallet-records.ts";
import { cryptoMode } from "./crypto-mode.ts";

/** Most mails that are kept; the oldest are dropped (spec/inbox.md#inbox-retention). */
export const MAX_KEPT_MAILS = 1000;

/** Hint beside a mailed code in the mode that always refuses it. */
export const MAGIC_CODE_ALONE = `--crypto magic-only accepts only ${MAGIC_VALUES.otp}`;

/** A mail as the inbox shows it (spec/inbox.md#mail-fields). */
const mailWith = (
  isRefused: boolean,
  { id, to, code, subject, text, ...rest }: MailRecord,
): Mail => ({
  id,
  to,
  code,
  subject,
  text,
  sentAt: instant(rest.createdAtMs),
  credentialId: rest.credentialId,
  expiresAt: instant(rest.expiresAtMs),
  ...defined({ channel: rest.channel }),
  ...(isRefused && { neverValid: MAGIC_CODE_ALONE }),
});

/** Shows the mails of a world. The crypto mode decides whether their codes count. */
export const mailShower = (view: View) => {
  const isRefused = cryptoMode(view) === "magic-only";
  return (mail: MailRecord): Mail => mailWith(isRefused, mail);
};

/** Puts a mail into the inbox, in place of sending it. */
export const sendMail = (
  draft: Draft,
  mail: Omit<MailRecord, "id" | "createdAtMs" | "updatedAtMs">,
  moment: Moment,
) => {
  const kept = draft.ids("Mail", "all", "");
  const oldest = kept.at(0);
  if (oldest !== undefined && kept.length >= MAX_KEPT_MAILS) draft.del("Mail", oldest);
  draft.put("Mail", {
    id: moment.newId("Mail"),
    ...mail,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  });
};

/** Mails that a list has: to one address, and of one wallet's credentials. */
export interface MailFilter {
  to?: string | undefined;
  account?: string | undefined;
}

/** Lists the inbox, newest first: all mails, or those of a filter (spec/inbox.md#mail-order). */
export const listMails = (view: View, { to, account }: MailFilter = {}): Mail[] =>
  (to === undefined ? all(view, "Mail") : find(view, "Mail", ["byTo", to.toLowerCase()]))
    .filter(
      ({ credentialId }) =>
        account === undefined || view.get("AuthMethod", credentialId)?.accountId === account,
    )
    .map(mailShower(view))
    .reverse();
