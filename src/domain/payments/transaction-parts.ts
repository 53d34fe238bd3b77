import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  Refund,
  TransactionDestination,
  TransactionSource,
} from "../../contract/payments/transactions.ts";
import { instant } from "../core/draft.ts";
import type { RefundRecord, SourceRecord, TransactionRecord } from "../records/records.ts";

/** Shows a refund (spec/transactions.md#refund-fields). */
export const showRefund = ({
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

const showSource = (
  source: SourceRecord,
  currency: CurrencyCode | undefined,
): TransactionSource => {
  if (source.sourceType === "REALTIME_FUNDING") return { ...source, currency: currency ?? "" };
  return currency === undefined ? { ...source } : { ...source, currency };
};

/** Shows the source of a payment; in what a UMA sender pays is not known here. */
export const sourceOf = (transaction: TransactionRecord): TransactionSource => {
  const { source, receivingCurrency } = transaction;
  if (transaction.type === "OUTGOING") return showSource(source, transaction.sendingCurrency);
  return showSource(source, source.sourceType === "ACCOUNT" ? receivingCurrency : undefined);
};

/** Shows the destination of a payment, in the received currency. */
export const destinationOf = ({
  destination,
  receivingCurrency: currency,
}: TransactionRecord): TransactionDestination => ({ ...destination, currency });
