import type {
  CardTransaction,
  CardTransactionStatus,
} from "../../contract/cards/card-transactions.ts";
import { currencyObject } from "../../contract/money/currencies.ts";
import { HEX, type Moment } from "../core/draft.ts";
import { exampleStamps } from "./example-payments.ts";

/** 23.80 USD. */
const PAID_MINOR = 2_380;
const PART_MINOR = 1_200;

const TOKEN_LENGTH = 8;

/** Amounts of an example, by its status. */
const AMOUNTS: Partial<Record<CardTransactionStatus, { settled: number; refunded: number }>> = {
  PARTIALLY_SETTLED: { settled: PART_MINOR, refunded: 0 },
  SETTLED: { settled: PAID_MINOR, refunded: 0 },
  REFUNDED: { settled: PAID_MINOR, refunded: PAID_MINOR },
};

const once = (totalAmount: number) => ({ count: totalAmount > 0 ? 1 : 0, totalAmount });

/** A purchase in a book shop with a status. */
export const cardTransactionExample = (
  status: CardTransactionStatus,
  moment: Moment,
): CardTransaction => {
  const currency = currencyObject("USD");
  const { settled, refunded } = AMOUNTS[status] ?? { settled: 0, refunded: 0 };
  const pulled = status === "EXCEPTION" ? 0 : PAID_MINOR;
  const { createdAt, updatedAt } = exampleStamps(moment);
  return {
    type: "CARD",
    id: moment.newId("CardTransaction"),
    cardId: moment.newId("Card"),
    customerId: moment.newId("Customer"),
    platformCustomerId: "example-customer",
    issuerTransactionToken: `sim_txn_${moment.draw("example-card-token", TOKEN_LENGTH, HEX)}`,
    status,
    direction: "DEBIT",
    merchant: { descriptor: "NORTH PIER BOOKS", mcc: "5942", country: "US" },
    authorizedAmount: { amount: PAID_MINOR, currency },
    ...(settled > 0 && { settledAmount: { amount: settled, currency } }),
    ...(refunded > 0 && { refundedAmount: { amount: refunded, currency } }),
    accountId: moment.newId("InternalAccount"),
    pullSummary: { ...once(pulled), pendingCount: 0 },
    refundSummary: once(refunded),
    settlementSummary: once(settled),
    authorizedAt: createdAt,
    lastEventAt: updatedAt,
    createdAt,
    updatedAt,
  };
};
