import type { RefundReason } from "../../contract/payments/transactions.ts";
import { announceBalance } from "../accounts/internal-accounts.ts";
import { BASE32, type Draft, type Moment } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { moveOf } from "../lifecycles/lifecycle.ts";
import { refundLifecycle } from "../lifecycles/refund.ts";
import { hasRoom, postMovement } from "../money/ledger.ts";
import type { OutgoingRecord, RefundRecord } from "../records/records.ts";
import { feePayer, refunding } from "./payment-postings.ts";
import { showOutgoing } from "./transactions.ts";

const REFERENCE_LENGTH = 6;

/** A refund that starts now. */
export const newRefund = (reason: RefundReason, moment: Moment): RefundRecord => ({
  reference: `RFD-${moment.draw("refund-reference", REFERENCE_LENGTH, BASE32)}`,
  initiatedAtMs: moment.atMs,
  status: refundLifecycle.starts,
  reason,
});

/** Starts the refund of a payment (spec/transactions.md#refund-lifecycle). */
export const startRefund = (
  draft: Draft,
  transaction: OutgoingRecord,
  { reason, moment }: { reason: RefundReason; moment: Moment },
): OutgoingRecord => {
  const started: OutgoingRecord = {
    ...transaction,
    refund: newRefund(reason, moment),
    updatedAtMs: moment.atMs,
  };
  draft.put("Transaction", started);
  const { startEmits } = refundLifecycle;
  if (startEmits) emit(draft, moment, { type: startEmits, data: showOutgoing(draft, started) });
  return started;
};

/** Ends a refund: the money is back at its source, or stays owed. */
export const endRefund = (
  draft: Draft,
  transaction: OutgoingRecord,
  { wanted, moment }: { wanted: "settle" | "fail"; moment: Moment },
): OutgoingRecord => {
  const { refund, debitsAccountId } = transaction;
  if (!refund) return transaction;
  // A timer has no caller to refuse: a payer whose account is full by now gets no refund.
  const feeFrom = feePayer(draft, transaction);
  const wished = refunding(transaction, { on: wanted, feeFrom });
  const on = wished.every((posting) => hasRoom(draft, posting)) ? wanted : "fail";
  const move = moveOf(refundLifecycle, refund.status, on);
  const ended: OutgoingRecord = {
    ...transaction,
    refund: { ...refund, status: move.to, ...(on === "settle" && { settledAtMs: moment.atMs }) },
    updatedAtMs: moment.atMs,
  };
  draft.put("Transaction", ended);
  postMovement(draft, refunding(transaction, { on, feeFrom }));
  if (move.emits) emit(draft, moment, { type: move.emits, data: showOutgoing(draft, ended) });
  if (on === "settle" && debitsAccountId !== undefined)
    announceBalance(draft, debitsAccountId, moment);
  const isFeeBack = on === "settle" && feeFrom !== undefined;
  if (isFeeBack && feeFrom === transaction.feeAccountId) announceBalance(draft, feeFrom, moment);
  return ended;
};
