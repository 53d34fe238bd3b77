import type { ApprovalRow } from "../contract/control/feed-rows.ts";
import { money } from "../text/layout.ts";
import { elapsed } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markOfStatus, markSpan, tailOf } from "./list.ts";

/** Reason of a wait: `above threshold 200.00 USD`. */
export const waitsBecause = ({ because: { rule, limit, currency } }: ApprovalRow) => {
  if (rule === "approvalThreshold" && typeof limit === "number" && currency !== undefined)
    return `above threshold ${money(limit, currency)}`;
  return rule === "executionMode" ? "approval is always required" : `policy rule ${rule}`;
};

export const payeeName = ({ to }: ApprovalRow, context: Pick<RowContext, "ellipsis">) =>
  to.name ?? tailOf(to.id, context);

const waits = (row: ApprovalRow, context: RowContext) => {
  if (row.status === "PENDING_APPROVAL") return `waits ${elapsed(row.createdAt, context)}`;
  return row.reason === undefined ? row.status : `${row.status}, ${row.reason}`;
};

/** True for an action that waits for a person. */
export const isWaiting = ({ status }: ApprovalRow) => status === "PENDING_APPROVAL";

/** Actions that wait for a person, the oldest first: they are decided in this order. */
export const waitingIn = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] =>
  rows
    .filter(isWaiting)
    // Lists are newest first: of one instant the last one is the oldest.
    .toReversed()
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));

/** Actions that wait, then decided ones. */
export const queueOf = (rows: readonly ApprovalRow[]): readonly ApprovalRow[] => [
  ...waitingIn(rows),
  ...rows.filter((row) => !isWaiting(row)),
];

/** Agents' actions: those that wait for a person, and decided ones. */
export const approvals = list({
  name: "approvals",
  order: "newest first",
  empty: "No approval yet. Actions that need you wait here",
  columns: [
    { head: "", cell: ({ status }) => markSpan(markOfStatus(status)) },
    { head: "action", gap: 1, min: 13, cell: ({ type }) => type },
    { head: "id", cell: ({ id }, context) => tailOf(id, context) },
    {
      head: "amount",
      align: "right",
      min: 12,
      cell: ({ amount, currency }) => money(amount, currency),
    },
    { head: "agent", cut: "end", cell: ({ agentName }) => agentName },
    { head: "", gap: 1, from: 96, cell: () => "→" },
    { head: "payee", gap: 1, from: 96, cut: "end", cell: payeeName },
    { head: "waits", min: 10, cell: waits },
    { head: "reason", from: 110, cut: "end", cell: waitsBecause },
  ],
  fields: (row) => ({
    id: row.id,
    status: row.status,
    type: row.type,
    code: row.because.rule,
    isOpen: row.status === "PENDING_APPROVAL",
    words: () => [row.agentName, row.to.name, waitsBecause(row)],
    amounts: () => [row],
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim approvals approve ${id}`,
  explain: (row, context) => `${row.agentName} → ${payeeName(row, context)}, ${waitsBecause(row)}`,
});
