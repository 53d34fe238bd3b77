import { RENAMED_CARD_STATES } from "../contract/cards/card-states.ts";
import type { CardRow } from "../contract/control/feed-rows.ts";
import { money } from "../text/layout.ts";
import { timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markOfStatus, markSpan, tailOf } from "./list.ts";

const holderOf = ({ holder }: CardRow, context: Pick<RowContext, "ellipsis">) =>
  holder.name ?? tailOf(holder.id, context);

const holdsText = ({ account }: CardRow) =>
  account === undefined ? "" : money(account.amount, account.currency);

const payerText = ({ account, accountCount, reason }: CardRow, context: RowContext) => {
  if (account === undefined) return reason ?? "no account";
  const more = accountCount > 1 ? ` +${accountCount - 1}` : "";
  return `from ${tailOf(account.id, context)}${more}`;
};

/** The state of a card that waits for its issuer, in every revision. */
const WAITING: ReadonlySet<string> = new Set(["PENDING_ISSUE", RENAMED_CARD_STATES.PENDING_ISSUE]);

/** Cards, and the accounts that pay for them. */
export const cards = list({
  name: "cards",
  order: "newest first",
  empty: "No card yet. POST /cards issues one",
  columns: [
    { head: "", cell: ({ state }) => markSpan(markOfStatus(state)) },
    { head: "state", gap: 1, min: 6, cell: ({ state }) => state },
    { head: "card", cell: ({ id }, context) => tailOf(id, context) },
    { head: "number", cell: ({ lastFour }) => (lastFour ? `ends ${lastFour}` : "no number") },
    { head: "holder", cut: "end", cell: holderOf },
    { head: "created", from: 96, cell: ({ createdAt }, context) => timeOf(createdAt, context) },
    { head: "funded", from: 70, cell: payerText },
    { head: "holds", from: 76, align: "right", cell: holdsText },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.state,
    type: row.account?.currency ?? "",
    code: row.reason ?? "",
    isOpen: WAITING.has(row.state),
    words: () => [row.lastFour, row.holder.name, row.holder.id, row.account?.id],
    amounts: () => [row.account],
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim why ${id}`,
  explain: (row, context) =>
    [holderOf(row, context), payerText(row, context), holdsText(row)].filter(Boolean).join(", "),
});
