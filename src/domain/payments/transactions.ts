import { currencyObject } from "../../contract/money/currencies.ts";
import type {
  IncomingTransaction,
  OutgoingTransaction,
  Transaction,
} from "../../contract/payments/transactions.ts";
import { instant, type Reading, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { shownIn } from "../core/revision.ts";
import type { IncomingRecord, OutgoingRecord, TransactionRecord } from "../records/records.ts";
import { LATER_INCOMING, LATER_OUTGOING } from "./later-transactions.ts";
import { fundingInstructionsOf } from "./quote-instructions.ts";
import { destinationOf, showRefund, sourceOf } from "./transaction-parts.ts";

/**
 * The members that both types have in common, after those that a type begins with. They are added
 * one by one, in the order of earlier versions: a spread of each optional one costs several times
 * as much, and recorded replies are compared as text.
 */
const addCommon = (
  shown: IncomingTransaction | OutgoingTransaction,
  transaction: TransactionRecord,
) => {
  const { agentId, description, counterpartyInformation, settledAtMs } = transaction;
  const { receivingCurrency: currency, receivedMinor: amount } = transaction;
  shown.destination = destinationOf(transaction);
  shown.customerId = transaction.customerId;
  shown.platformCustomerId = transaction.platformCustomerId;
  if (agentId !== undefined) shown.agentId = agentId;
  shown.receivedAmount = { amount, currency: currencyObject(currency) };
  shown.fees = transaction.feesMinor;
  if (description !== undefined) shown.description = description;
  if (counterpartyInformation) shown.counterpartyInformation = counterpartyInformation;
  shown.reconciliationInstructions = { reference: transaction.reference };
  if (settledAtMs !== undefined) shown.settledAt = instant(settledAtMs);
  shown.createdAt = instant(transaction.createdAtMs);
  shown.updatedAt = instant(transaction.updatedAtMs);
};

/** An OUTGOING transaction as it is published (spec/transactions.md#outgoing-fields). */
export const showOutgoing = (view: View, transaction: OutgoingRecord): OutgoingTransaction => {
  const { quoteId, exchangeRate, rateDetails, refund, failureReason } = transaction;
  const { sendingCurrency } = transaction;
  const shown = {
    id: transaction.id,
    status: transaction.status,
    type: transaction.type,
    source: sourceOf(transaction),
  } as OutgoingTransaction;
  addCommon(shown, transaction);
  shown.sentAmount = { amount: transaction.sentMinor, currency: currencyObject(sendingCurrency) };
  if (exchangeRate !== undefined) shown.exchangeRate = exchangeRate;
  if (quoteId !== undefined) shown.quoteId = quoteId;
  const quote = quoteId === undefined ? undefined : view.get("Quote", quoteId);
  const instructions = quote && fundingInstructionsOf(view, quote);
  if (instructions) shown.paymentInstructions = instructions;
  if (rateDetails) shown.rateDetails = rateDetails;
  if (refund) shown.refund = showRefund(refund);
  if (failureReason !== undefined) shown.failureReason = failureReason;
  return shownIn(view, shown, [transaction, LATER_OUTGOING]);
};

/** An INCOMING transaction as it is published (spec/transactions.md#incoming-fields). */
export const showIncoming = (view: View, transaction: IncomingRecord): IncomingTransaction => {
  const { rateDetails, failureReason } = transaction;
  const shown = {
    id: transaction.id,
    status: transaction.status,
    type: transaction.type,
    source: sourceOf(transaction),
  } as IncomingTransaction;
  addCommon(shown, transaction);
  if (rateDetails) shown.rateDetails = rateDetails;
  if (failureReason !== undefined) shown.failureReason = failureReason;
  return shownIn(view, shown, [transaction, LATER_INCOMING]);
};

export const showTransaction = (view: View, transaction: TransactionRecord): Transaction =>
  transaction.type === "OUTGOING"
    ? showOutgoing(view, transaction)
    : showIncoming(view, transaction);

interface ByPath {
  params: { transactionId: string };
}

/** The transaction a path names; 404 when there is none. */
export const transactionByPath: Reading<ByPath, TransactionRecord> = (
  view,
  { params: { transactionId: id } },
) =>
  view.get("Transaction", id) ?? refuse("TRANSACTION_NOT_FOUND", { id, resource: "Transaction" });
