import type { OpenTimer, PaymentRow } from "../contract/control/feed-rows.ts";
import { money } from "../text/layout.ts";
import { bar, countdown, timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markOfStatus, markSpan, ruleWords, tailOf } from "./list.ts";
import { span } from "./span.ts";

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(", ");

const REFUND_WORDS: Readonly<Record<string, string>> = {
  PENDING: "refund pending",
  COMPLETED: "refunded",
  FAILED: "refund failed",
};

/** Below this width the mark and the words tell the status, so that both amounts fit. */
const NO_STATUS = 56;

/** Below this width the id is left out. */
const NO_ID = 48;

/** Below this width shorter words are used; the countdown tells the time. */
const ROOMY = 110;

const ruleText = (rule: string | undefined, { width }: RowContext) => {
  if (rule === undefined) return undefined;
  const words = ruleWords(rule);
  return width >= ROOMY ? words : words.replace("test ", "");
};

const KIND_WORDS: Readonly<Record<PaymentRow["kind"], string | undefined>> = {
  QUOTE: undefined,
  TRANSFER: "transfer",
  INCOMING: "incoming",
};

const timerText = (timer: OpenTimer, context: RowContext) => {
  const isRoomy = context.width >= ROOMY;
  const when = `${timer.then} at ${timeOf(timer.dueAt, context)}`;
  if (timer.timer === "quote.expire") return isRoomy ? `${when} unless executed` : when;
  return joined(isRoomy ? when : timer.then, ruleText(timer.rule, context));
};

/** The reason a payment waits, or its end. */
const nextText = (row: PaymentRow, context: RowContext): string => {
  const { status, timer, settledAt, reason, refund, rule } = row;
  const kind = KIND_WORDS[row.kind];
  const refunded = refund === undefined ? undefined : (REFUND_WORDS[refund] ?? refund);
  if (timer) return joined(kind, timerText(timer, context));
  if (status === "FAILED") {
    const isRoomy = context.width >= ROOMY || refunded === undefined;
    return joined(kind, isRoomy ? reason : undefined, refunded, ruleText(rule, context));
  }
  if (status === "EXPIRED") return joined(kind, "never executed");
  if (settledAt !== undefined) {
    const isRoomy = context.width >= ROOMY || kind === undefined;
    return joined(kind, `${isRoomy ? "settled " : ""}${timeOf(settledAt, context)}`);
  }
  return joined(kind, reason, refunded);
};

const payeeText = ({ to }: PaymentRow) => to?.name ?? to?.identifier ?? to?.id ?? "";

/** Quotes with their payments, and payments without a quote. */
export const payments = list({
  name: "payments",
  order: "newest first",
  empty: "No payment yet. Press P to make one",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "status", gap: 1, from: NO_STATUS, min: 10, cell: ({ status }) => status },
    { head: "id", from: NO_ID, cell: ({ id }, context) => tailOf(id, context) },
    {
      head: "sends",
      align: "right",
      min: 12,
      cell: ({ sends }) => (sends ? money(sends.amount, sends.currency) : ""),
    },
    { head: "", gap: 1, cell: () => "→" },
    {
      head: "receives",
      gap: 1,
      align: "right",
      min: 12,
      cell: ({ receives }) => (receives ? money(receives.amount, receives.currency) : ""),
    },
    {
      head: "time left",
      from: 110,
      min: 10,
      cell: ({ timer }, { nowMs }) =>
        timer && nowMs !== undefined ? span(bar(timer.setAt, timer.dueAt, nowMs), "cyan") : "",
    },
    {
      head: "",
      align: "right",
      min: 4,
      cell: ({ timer }, context) => (timer ? countdown(timer.dueAt, context) : ""),
    },
    { head: "payee", from: 126, cut: "end", cell: payeeText },
    { head: "memo", from: 160, cut: "end", cell: ({ memo = "" }) => memo },
    { head: "next step", cut: "end", from: 76, cell: nextText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: row.kind,
    code: row.reason ?? "",
    isOpen: ["PENDING", "PROCESSING"].includes(row.status),
    words: () => [row.transactionId, row.to?.name, row.to?.id, row.to?.identifier, row.memo],
    amounts: () => [row.sends, row.receives],
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim why ${id}`,
  explain: (row, context) =>
    joined(
      context.width < NO_STATUS ? row.status : undefined,
      row.to && `to ${payeeText(row)}`,
      nextText(row, context),
    ),
});
