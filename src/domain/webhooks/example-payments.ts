import { currencyObject } from "../../contract/money/currencies.ts";
import type {
  IncomingTransaction,
  OutgoingTransaction,
  Refund,
  RefundStatus,
} from "../../contract/payments/transactions.ts";
import { drawReference, instant, type Moment } from "../core/draft.ts";
import { seconds } from "../core/durations.ts";
import { incomingFees } from "../money/incoming-arithmetic.ts";
import { quoteAmounts } from "../money/quote-arithmetic.ts";
import { UNITS_PER_USD } from "../money/rates.ts";

/** The payment of the README: 250.00 USD to an account in euros. */
const SENT_MINOR = 25_000;

/** 150.00 USD that a person of the sandbox pays. */
const RECEIVED_MINOR = 15_000;

/** The age of an example at its event. */
const AGE_MS = seconds(30);

/** Instants of an example: it was made a little earlier, and changed just now. */
export const exampleStamps = ({ atMs }: Moment) => ({
  createdAt: instant(atMs - AGE_MS),
  updatedAt: instant(atMs),
});

const newOwner = (moment: Moment) => ({
  customerId: moment.newId("Customer"),
  platformCustomerId: "example-customer",
});

/** The common part of all events of one example payment. */
export interface ExamplePayment {
  id: string;
  base: Omit<OutgoingTransaction, "status" | "updatedAt">;
}

/** An example of a quoted payment. */
export const newExamplePayment = (moment: Moment): ExamplePayment => {
  const amounts = quoteAmounts({
    sending: "USD",
    receiving: "EUR",
    lockedSide: "SENDING",
    lockedMinor: SENT_MINOR,
  });
  const id = moment.newId("Transaction");
  return {
    id,
    base: {
      id,
      type: "OUTGOING",
      source: {
        sourceType: "ACCOUNT",
        accountId: moment.newId("InternalAccount"),
        currency: "USD",
      },
      destination: {
        destinationType: "ACCOUNT",
        accountId: moment.newId("ExternalAccount"),
        currency: "EUR",
      },
      ...newOwner(moment),
      sentAmount: { amount: SENT_MINOR, currency: currencyObject("USD") },
      receivedAmount: { amount: amounts.totalReceivingMinor, currency: currencyObject("EUR") },
      exchangeRate: amounts.exchangeRate,
      fees: amounts.feesMinor,
      quoteId: moment.newId("Quote"),
      rateDetails: amounts.rateDetails,
      reconciliationInstructions: { reference: drawReference(moment) },
      createdAt: exampleStamps(moment).createdAt,
    },
  };
};

const refundOf = (status: RefundStatus, moment: Moment): Refund => ({
  reference: drawReference(moment),
  initiatedAt: instant(moment.atMs),
  ...(status !== "PENDING" && { settledAt: instant(moment.atMs) }),
  status,
  reason: "TRANSACTION_FAILED",
});

/** The part of an event that differs from the payment's other events. */
export interface PaymentState {
  status: OutgoingTransaction["status"];
  refund?: RefundStatus;
}

/** The payment as one of its events shows it. */
export const outgoingExample = (
  { base }: ExamplePayment,
  { status, refund }: PaymentState,
  moment: Moment,
): OutgoingTransaction => {
  const { updatedAt } = exampleStamps(moment);
  return {
    ...base,
    status,
    updatedAt,
    ...(status === "COMPLETED" && { settledAt: updatedAt }),
    ...(status === "FAILED" && { failureReason: "QUOTE_EXECUTION_FAILED" }),
    ...(refund && { refund: refundOf(refund, moment) }),
  };
};

/** A UMA payment to a customer. */
export const incomingExample = (
  status: IncomingTransaction["status"],
  moment: Moment,
): IncomingTransaction => {
  const fees = incomingFees({ currency: "USD", receivedMinor: RECEIVED_MINOR }, UNITS_PER_USD);
  const stamps = exampleStamps(moment);
  return {
    id: moment.newId("Transaction"),
    type: "INCOMING",
    status,
    source: { sourceType: "UMA_ADDRESS", umaAddress: "$success.usd@sandbox.uma.test" },
    destination: {
      destinationType: "UMA_ADDRESS",
      umaAddress: "$example@pay.sandbox.test",
      currency: "USD",
    },
    ...newOwner(moment),
    receivedAmount: { amount: RECEIVED_MINOR, currency: currencyObject("USD") },
    fees: fees.feesMinor,
    rateDetails: fees.rateDetails,
    reconciliationInstructions: { reference: drawReference(moment) },
    ...(status === "COMPLETED" && { settledAt: stamps.updatedAt }),
    ...(status === "FAILED" && { failureReason: "PAYMENT_APPROVAL_TIMED_OUT" }),
    ...stamps,
  };
};

/** A UMA payment whose money goes back to its sender. */
export const refundedExample = (status: RefundStatus, moment: Moment): IncomingTransaction => ({
  ...incomingExample("FAILED", moment),
  failureReason: "OFFRAMP_FAILED",
  refund: refundOf(status, moment),
});
