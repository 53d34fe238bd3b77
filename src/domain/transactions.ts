import { currencyObject } from "../contract/currencies.ts";
import type { OutgoingTransaction, Refund } from "../contract/transactions.ts";
import { instant, type Reading, type View } from "./draft.ts";
import { type ListInput, page, toMs } from "./lists.ts";
import type { RefundRecord, TransactionRecord } from "./records.ts";
import { refuse } from "./refusal.ts";

const showRefund = ({
  initiatedAtMs,
  settledAtMs,
  reference,
  status,
  reason,
}: RefundRecord): Refund => ({
  reference,
  initiatedAt: instant(initiatedAtMs),
  ...(settledAtMs !== undefined && { settledAt: instant(settledAtMs) }),
  status,
  reason,
});

export const showTransaction = (
  _view: View,
  transaction: TransactionRecord,
): OutgoingTransaction => {
  const sending = currencyObject(transaction.sendingCurrency);
  const receiving = currencyObject(transaction.receivingCurrency);
  const { description, refund, failureReason, settledAtMs } = transaction;
  return {
    id: transaction.id,
    status: transaction.status,
    type: transaction.type,
    source: {
      sourceType: "ACCOUNT",
      accountId: transaction.sourceAccountId,
      currency: sending.code,
    },
    destination: {
      destinationType: "ACCOUNT",
      accountId: transaction.destinationAccountId,
      currency: receiving.code,
    },
    customerId: transaction.customerId,
    platformCustomerId: transaction.platformCustomerId,
    sentAmount: { amount: transaction.sentMinor, currency: sending },
    receivedAmount: { amount: transaction.receivedMinor, currency: receiving },
    exchangeRate: transaction.exchangeRate,
    fees: transaction.feesMinor,
    quoteId: transaction.quoteId,
    ...(description !== undefined && { description }),
    rateDetails: transaction.rateDetails,
    reconciliationInstructions: { reference: transaction.reference },
    ...(refund && { refund: showRefund(refund) }),
    ...(failureReason !== undefined && { failureReason }),
    ...(settledAtMs !== undefined && { settledAt: instant(settledAtMs) }),
    createdAt: instant(transaction.createdAtMs),
    updatedAt: instant(transaction.updatedAtMs),
  };
};

/** GET /transactions/{transactionId} (payments digest 11.8). */
export const getTransaction: Reading<{ params: { transactionId: string } }, OutgoingTransaction> = (
  view,
  { params: { transactionId: id } },
) =>
  showTransaction(
    view,
    view.get("Transaction", id) ?? refuse("TRANSACTION_NOT_FOUND", { id, resource: "Transaction" }),
  );

interface TransactionFilters {
  customerId?: string | undefined;
  platformCustomerId?: string | undefined;
  accountIdentifier?: string | undefined;
  senderAccountIdentifier?: string | undefined;
  receiverAccountIdentifier?: string | undefined;
  reference?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/**
 * GET /transactions (payments digest 11.7). Filters combine with AND; references match those of
 * the payment and of its refund (O-48).
 */
export const listTransactions: Reading<ListInput<TransactionFilters>, unknown> = (view, input) => {
  const { query } = input;
  return page(view, {
    kind: "Transaction",
    input,
    indexed: [
      ["byCustomer", query.customerId],
      ["byPlatformCustomer", query.platformCustomerId],
      ["byAccount", query.accountIdentifier],
      ["bySender", query.senderAccountIdentifier],
      ["byReceiver", query.receiverAccountIdentifier],
      ["byReference", query.reference],
      ["byStatus", query.status],
      ["byType", query.type],
    ],
    createdMs: { from: toMs(query.startDate), to: toMs(query.endDate) },
    show: showTransaction,
  });
};
