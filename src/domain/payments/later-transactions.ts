import { currencyObject } from "../../contract/money/currencies.ts";
import type {
  IncomingTransaction,
  OutgoingTransaction,
} from "../../contract/payments/transactions.ts";
import { instant } from "../core/draft.ts";
import type { LaterMembers } from "../core/revision.ts";
import type { IncomingRecord, OutgoingRecord, TransactionRecord } from "../records/records.ts";
import { fundingOrigin } from "./funding-origins.ts";
import { onChainDestination, onChainSource, settlementHash } from "./on-chain.ts";
import { laterReasonOf } from "./outcome-steps.ts";
import { expectedSettlement, railOf, settlementSeconds } from "./settlement-forecasts.ts";
import { destinationOf, showRefund, sourceOf } from "./transaction-parts.ts";

type Common = Pick<
  OutgoingTransaction,
  | "source"
  | "destination"
  | "reconciliationInstructions"
  | "pendingReason"
  | "receiptDeliveryConfirmedAt"
>;

/** Members that later revisions gave both types, in the order in which they are added. */
const LATER_COMMON = {
  source: {
    since: "onChainTransactions",
    value: (view, one) => ({
      ...sourceOf(one),
      ...fundingOrigin(view, one),
      ...onChainSource(view, one),
    }),
  },
  destination: {
    since: "onChainTransactions",
    value: (view, one) => ({ ...destinationOf(one), ...onChainDestination(view, one) }),
  },
  reconciliationInstructions: {
    since: "onChainTransactions",
    value: (view, one) => ({ reference: one.reference, ...settlementHash(view, one) }),
  },
  pendingReason: { since: "pendingReasons", value: (_view, { pendingReason }) => pendingReason },
  receiptDeliveryConfirmedAt: {
    since: "transactionEnds",
    value: (_view, { receiptConfirmedAtMs: atMs }) =>
      atMs === undefined ? undefined : instant(atMs),
  },
} as const satisfies LaterMembers<Common, TransactionRecord>;

/** Members of later revisions of an OUTGOING transaction. */
export const LATER_OUTGOING: LaterMembers<OutgoingTransaction, OutgoingRecord> = {
  direction: { since: "transactionDirections", value: () => "DEBIT" },
  ...LATER_COMMON,
  failureReason: { since: "failureReasons", value: (_view, one) => laterReasonOf(one) as never },
  platformFees: {
    since: "platformFees",
    value: (_view, { platformFeesMinor = 0 }) => platformFeesMinor,
  },
  paymentRail: {
    since: "settlementForecasts",
    value: (view, one) => railOf(view, one)?.name ?? null,
  },
  railSelectionMode: {
    since: "settlementForecasts",
    value: (view, one) => railOf(view, one)?.mode ?? null,
  },
  expectedSettlementAt: { since: "settlementForecasts", value: expectedSettlement },
  settlementTimelineSeconds: { since: "settlementForecasts", value: settlementSeconds },
};

/** Members of later revisions of an INCOMING transaction. */
export const LATER_INCOMING: LaterMembers<IncomingTransaction, IncomingRecord> = {
  direction: { since: "transactionDirections", value: () => "CREDIT" },
  ...LATER_COMMON,
  fees: {
    since: "incomingSides",
    value: (_view, { sent, feesMinor }) => sent?.feesMinor ?? feesMinor,
  },
  sentAmount: {
    since: "incomingSides",
    value: (_view, { sent }) =>
      sent && { amount: sent.amountMinor, currency: currencyObject(sent.currency) },
  },
  exchangeRate: { since: "incomingSides", value: (_view, { sent }) => sent?.exchangeRate },
  rateDetails: { since: "incomingSides", value: () => undefined },
  refund: {
    since: "incomingRefunds",
    value: (_view, { refund }) => refund && showRefund(refund),
  },
  failureReason: { since: "failureReasons", value: (_view, one) => laterReasonOf(one) as never },
};
