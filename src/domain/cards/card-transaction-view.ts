import {
  type CardSimulation,
  type CardTransaction,
  type CardTransactionStatus,
  isDeclineCode,
} from "../../contract/cards/card-transactions.ts";
import { currencyObject } from "../../contract/money/currencies.ts";
import { type Draft, instant, type Moment, type View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { isChanged, type LaterMembers, shownIn } from "../core/revision.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";

const totals = ({ count, minor }: { count: number; minor: number }) => ({
  count,
  totalAmount: minor,
});

/** Shows a card transaction (spec/card-transactions.md#card-transaction). */
export const showCardTransaction = (
  view: View,
  transaction: CardTransactionRecord,
): CardTransaction => {
  const { currency: code, declineCode, settledMinor, refundedMinor, lastEventAtMs } = transaction;
  const currency = currencyObject(code);
  const { mcc, country, descriptor } = transaction.merchant;
  const shown: CardTransaction = {
    id: transaction.id,
    cardId: transaction.cardId,
    issuerTransactionToken: transaction.issuerToken,
    status: transaction.status,
    ...(isDeclineCode(declineCode) && { declineCode }),
    merchant: { descriptor, ...(mcc && { mcc }), ...(country && { country }) },
    authorizedAmount: { amount: transaction.authorizedMinor, currency },
    ...(isCleared(transaction) && { settledAmount: { amount: settledMinor, currency } }),
    ...(transaction.refunds.count > 0 && { refundedAmount: { amount: refundedMinor, currency } }),
    accountId: transaction.accountId,
    pullSummary: {
      ...totals(transaction.pulls),
      pendingCount: transaction.pendingUntilMs.length,
    },
    refundSummary: totals(transaction.refunds),
    settlementSummary: totals(transaction.settlements),
    authorizedAt: instant(transaction.createdAtMs),
    ...(lastEventAtMs !== undefined && { lastEventAt: instant(lastEventAtMs) }),
    createdAt: instant(transaction.createdAtMs),
    updatedAt: instant(transaction.updatedAtMs),
  };
  return shownIn(view, shown, [transaction, LATER_MEMBERS]);
};

/** The customer who holds the card of a transaction. */
const holderOf = (view: View, { cardId }: CardTransactionRecord) => {
  const card = view.get("Card", cardId);
  return card && view.get("Customer", card.cardholderId);
};

/** A status with its name since the change `declinesAsExceptions`. */
const withoutDeclines = (status: CardTransactionStatus) =>
  status === "DECLINED" ? "EXCEPTION" : status;

/** The status of a transaction as it is shown. */
export const shownStatus = (view: View, transaction: CardTransactionRecord) =>
  showCardTransaction(view, transaction).status;

const LATER_MEMBERS: LaterMembers<CardTransaction, CardTransactionRecord> = {
  status: { since: "declinesAsExceptions", value: (_view, { status }) => withoutDeclines(status) },
  declineCode: { since: "declinesAsExceptions", value: () => undefined },
  type: { since: "transactionDirections", value: () => "CARD" },
  direction: { since: "transactionDirections", value: () => "DEBIT" },
  customerId: {
    since: "transactionDirections",
    value: (view, transaction) => holderOf(view, transaction)?.id ?? "",
  },
  platformCustomerId: {
    since: "transactionDirections",
    value: (view, transaction) => holderOf(view, transaction)?.platformCustomerId ?? "",
  },
  receiptDeliveryConfirmedAt: {
    since: "transactionEnds",
    value: (_view, { receiptConfirmedAtMs: atMs }) =>
      atMs === undefined ? undefined : instant(atMs),
  },
};

/** Tells whether a transaction has a settled amount to show, even if it is 0. */
const isCleared = ({ status, settlements }: CardTransactionRecord) =>
  settlements.count > 0 || status === "SETTLED";

/**
 * Stores a step of a card transaction and tells of it, where the revision has such events
 * (spec/later-cards.md#events). Balances were told of before.
 */
export const recordStep = (
  draft: Draft,
  transaction: CardTransactionRecord,
  moment: Moment,
): CardTransactionRecord => {
  draft.put("CardTransaction", transaction);
  const data = showCardTransaction(draft, transaction);
  const type = `CARD_TRANSACTION.${withoutDeclines(transaction.status)}` as const;
  emit(draft, moment, { type, data });
  return transaction;
};

/** The answer of a simulation: the transaction, or its token alone since `acceptedSimulations`. */
export const simulationAnswer = (
  view: View,
  transaction: CardTransactionRecord,
): CardTransaction | CardSimulation =>
  isChanged(view, "acceptedSimulations")
    ? { issuerTransactionToken: transaction.issuerToken }
    : showCardTransaction(view, transaction);
