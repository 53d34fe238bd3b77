import { countdown } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import type { ListName, WatchedWorld } from "../rows/world.ts";
import { fullInstant, money } from "../text/layout.ts";
import { safeLine } from "../text/safe-text.ts";
import { labelled, textLines } from "./labelled.ts";
import { type Line, textLine } from "./line.ts";
import type { Detail } from "./view.ts";

const mailLines = ({ lists: { mails } }: WatchedWorld, id: string): Line[] => {
  const mail = mails.find((one) => one.id === id);
  if (!mail) return [textLine("this mail is no longer there")];
  return [
    textLine(safeLine(mail.subject), "bold"),
    ...labelled("to", mail.to),
    ...labelled("code", mail.code),
    ...labelled("sent", mail.sentAt),
    ...labelled("expires", mail.expiresAt),
    ...labelled("for", mail.credentialId),
    ...textLines(mail.text),
  ];
};

const timerLines = (
  { lists: { timers } }: WatchedWorld,
  id: string,
  context: RowContext,
): Line[] => {
  const timer = timers.find((one) => one.id === id);
  if (!timer) return [textLine("this timer has fired or was canceled")];
  return [
    textLine(timer.timer, "bold"),
    ...labelled("due", `${fullInstant(timer.dueAt)}, in ${countdown(timer.dueAt, context)}`),
    ...labelled("leads to", timer.then),
    ...labelled("subject", timer.subject),
    ...(timer.rule === undefined ? [] : labelled("test rule", timer.rule)),
  ];
};

const postingLines = ({ lists: { postings } }: WatchedWorld, id: string): Line[] => {
  const posting = postings.find((one) => one.id === id);
  if (!posting) return [textLine("this posting is no longer listed")];
  const { account, amount, currency, at, cause } = posting;
  return [
    textLine(`${amount > 0 ? "+" : ""}${money(amount, currency)}`, "bold"),
    ...labelled("account", account),
    ...labelled("at", fullInstant(at)),
    ...labelled("because", cause),
  ];
};

/** Lists whose rows are complete: nothing more is read for their facts. */
export const WHOLE_LISTS: ReadonlySet<ListName> = new Set(["mails", "timers", "postings"]);

/** The facts of a row that the feed tells completely. */
export const ownLines = (
  watched: WatchedWorld,
  { list, id }: Detail,
  context: RowContext,
): Line[] => {
  if (list === "timers") return timerLines(watched, id, context);
  return list === "postings" ? postingLines(watched, id) : mailLines(watched, id);
};
