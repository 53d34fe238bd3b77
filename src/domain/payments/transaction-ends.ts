import type { CardTransaction } from "../../contract/cards/card-transactions.ts";
import type { Transaction } from "../../contract/payments/transactions.ts";
import { showCardTransaction } from "../cards/card-transaction-view.ts";
import type { Draft, Moment, Reading, Rule, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer } from "../core/schedule.ts";
import { incomingPaymentLifecycle } from "../lifecycles/incoming-payment.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import { outgoingPaymentLifecycle } from "../lifecycles/outgoing-payment.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";
import type { IncomingRecord, OutgoingRecord, TransactionRecord } from "../records/records.ts";
import { moveIncoming } from "./incoming-payments.ts";
import { nextStep, runSteps } from "./outcome-steps.ts";
import { movePayment, OUTGOING_EFFECTS } from "./outgoing-payments.ts";
import { chosenRail, isInstantRail, railOf } from "./settlement-forecasts.ts";
import { showTransaction, transactionByPath } from "./transactions.ts";

interface ByPath {
  params: { transactionId: string };
}

/** The rail of a transfer from or to a bank; nothing for any other payment. */
const bankRail = (view: View, transaction: TransactionRecord) => {
  if (transaction.type === "OUTGOING") return railOf(view, transaction);
  const { source } = transaction;
  const account =
    source.sourceType === "ACCOUNT" ? view.get("ExternalAccount", source.accountId) : undefined;
  return chosenRail(view, account, undefined);
};

/** The kind of a payment in the words of a refusal; nothing for a slow bank transfer. */
const uncancellable = (view: View, id: string): string | undefined => {
  if (view.get("CardTransaction", id)) return `${id} is a card transaction`;
  const transaction = view.get("Transaction", id);
  if (!transaction) return undefined;
  const rail = bankRail(view, transaction);
  if (!rail) return `${id} is not a transfer from or to a bank account`;
  return isInstantRail(rail.name) ? `${id} goes over ${rail.name}, which is instant` : undefined;
};

/** The payment or card transaction that a path names; 404 when there is none. */
export const eitherByPath: Reading<ByPath, TransactionRecord | CardTransactionRecord> = (
  view,
  input,
  moment,
) =>
  view.get("CardTransaction", input.params.transactionId) ?? transactionByPath(view, input, moment);

/** The move that ends a payment which has not settled; nothing where it is too late. */
const endingMove = (transaction: TransactionRecord) => {
  const { status, refund } = transaction;
  const table: { moves: readonly { from: string; on: string; to: string }[] } =
    transaction.type === "OUTGOING" ? outgoingPaymentLifecycle : incomingPaymentLifecycle;
  const isOver = refund !== undefined || transaction.settledAtMs !== undefined;
  if (isOver) return undefined;
  return (["refuse", "fail"] as const).find((on) =>
    findMove(table as never, status as never, on as never),
  );
};

const withoutTimers = <T extends TransactionRecord>(draft: Draft, transaction: T): T => {
  const { course, pendingReason: _reason, heldTimer: _held, ...rest } = transaction;
  const next = nextStep(course);
  if (next) clearTimer(draft, next.step.timer, transaction.id);
  return rest as T;
};

const FAILED = { failureReason: "QUOTE_EXECUTION_FAILED" } as const;

const cancelOutgoing = (
  draft: Draft,
  transaction: OutgoingRecord,
  { on, moment }: { on: "refuse" | "fail"; moment: Moment },
): OutgoingRecord => {
  const { collectedMinor, quoteId } = transaction;
  if (quoteId !== undefined) clearTimer(draft, "quote.expire", quoteId);
  const row = collectedMinor === undefined ? "cancellation.unpaid" : "cancellation.outgoing";
  const set = { ...FAILED, course: { rows: [row], step: 0 } };
  const failed = movePayment(draft, withoutTimers(draft, transaction), { on, moment, set });
  return runSteps(draft, failed, { effects: OUTGOING_EFFECTS, moment });
};

const cancelIncoming = (
  draft: Draft,
  transaction: IncomingRecord,
  { on, moment }: { on: "refuse" | "fail"; moment: Moment },
): IncomingRecord =>
  moveIncoming(draft, withoutTimers(draft, transaction), { on, moment, set: FAILED });

/**
 * POST /transactions/{transactionId}/cancel: fails a bank transfer that has not settled, in this
 * call (spec/later-payments.md#transaction-ends).
 */
export const cancelTransaction: Rule<ByPath, Transaction> = (draft, input, moment) => {
  const { transactionId: id } = input.params;
  const why = uncancellable(draft, id);
  if (why !== undefined)
    return refuse("NOT_A_BANK_TRANSFER", { field: "transactionId", value: id, why });
  const transaction = transactionByPath(draft, input, moment);
  const on = endingMove(transaction);
  if (!on)
    return refuse("TRANSACTION_NOT_CANCELLABLE", { id, transactionStatus: transaction.status });
  const ended =
    transaction.type === "OUTGOING"
      ? cancelOutgoing(draft, transaction, { on, moment })
      : cancelIncoming(draft, transaction, { on, moment });
  return showTransaction(draft, ended);
};

interface Confirmation extends ByPath {
  body: { receiptDeliveryConfirmedAt?: string | undefined } | undefined;
}

/**
 * POST /transactions/{transactionId}/confirm: notes when the payee was given the receipt; a later
 * call overwrites it (spec/later-payments.md#transaction-ends).
 */
export const confirmReceiptDelivery: Rule<Confirmation, Transaction | CardTransaction> = (
  draft,
  input,
  moment,
) => {
  const transaction = eitherByPath(draft, input, moment);
  const field = "receiptDeliveryConfirmedAt";
  const value = input.body?.receiptDeliveryConfirmedAt;
  const receiptConfirmedAtMs = value === undefined ? moment.atMs : Date.parse(value);
  if (receiptConfirmedAtMs > moment.atMs)
    refuse("INVALID_INPUT", { field, value }, `${field} is later than now`);
  const confirmation = { receiptConfirmedAtMs, updatedAtMs: moment.atMs };
  if ("cardId" in transaction) {
    const confirmed = { ...transaction, ...confirmation };
    draft.put("CardTransaction", confirmed);
    return showCardTransaction(draft, confirmed);
  }
  const confirmed = { ...transaction, ...confirmation };
  draft.put("Transaction", confirmed);
  return showTransaction(draft, confirmed);
};
