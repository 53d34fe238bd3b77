import type { RefundReason } from "../../contract/payments/transactions.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { moveOf } from "../lifecycles/lifecycle.ts";
import { type RefundTrigger, refundLifecycle } from "../lifecycles/refund.ts";
import { postMovement } from "../money/ledger.ts";
import type { IncomingRecord, RefundRecord } from "../records/records.ts";
import { repayment } from "./payment-postings.ts";
import { newRefund } from "./refunds.ts";
import { showIncoming } from "./transactions.ts";

const EVENT_OF: Readonly<Record<RefundRecord["status"], EventType>> = {
  PENDING: "INCOMING_PAYMENT.REFUND_PENDING",
  COMPLETED: "INCOMING_PAYMENT.REFUND_COMPLETED",
  FAILED: "INCOMING_PAYMENT.REFUND_FAILED",
};

const withRefund = (
  draft: Draft,
  transaction: IncomingRecord,
  { refund, moment }: { refund: RefundRecord; moment: Moment },
): IncomingRecord => {
  const changed = { ...transaction, refund, updatedAtMs: moment.atMs };
  draft.put("Transaction", changed);
  emit(draft, moment, { type: EVENT_OF[refund.status], data: showIncoming(draft, changed) });
  return changed;
};

/** Starts the way back of money that had arrived (spec/later-payments.md#incoming-refunds). */
export const startIncomingRefund = (
  draft: Draft,
  transaction: IncomingRecord,
  { reason = "TRANSACTION_FAILED", moment }: { reason: RefundReason | undefined; moment: Moment },
): IncomingRecord => withRefund(draft, transaction, { refund: newRefund(reason, moment), moment });

/** Ends it: the money is back at its sender, or stays owed. */
export const endIncomingRefund = (
  draft: Draft,
  transaction: IncomingRecord,
  { wanted, moment }: { wanted: RefundTrigger; moment: Moment },
): IncomingRecord => {
  const { refund } = transaction;
  if (!refund) return transaction;
  const { to } = moveOf(refundLifecycle, refund.status, wanted);
  postMovement(draft, repayment(transaction, wanted));
  const ended = { ...refund, status: to, ...(wanted === "settle" && { settledAtMs: moment.atMs }) };
  return withRefund(draft, transaction, { refund: ended, moment });
};
