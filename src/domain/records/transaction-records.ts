import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  CounterpartyInformation,
  OutgoingRateDetails,
} from "../../contract/payments/quotes.ts";
import type {
  IncomingFailureReason,
  IncomingRateDetails,
  IncomingStatus,
  OutgoingFailureReason,
  OutgoingStatus,
  PendingReason,
  RefundReason,
  RefundStatus,
} from "../../contract/payments/transactions.ts";
import type { TimerName } from "./timer-names.ts";
import type { Timestamps } from "./timestamps.ts";

export interface RefundRecord {
  reference: string;
  initiatedAtMs: number;
  settledAtMs?: number;
  status: RefundStatus;
  reason: RefundReason;
}

export type SourceRecord =
  | { sourceType: "ACCOUNT"; accountId: string }
  | { sourceType: "UMA_ADDRESS"; umaAddress: string }
  | { sourceType: "REALTIME_FUNDING"; customerId?: string };

export type DestinationRecord =
  | { destinationType: "ACCOUNT"; accountId: string }
  | { destinationType: "UMA_ADDRESS"; umaAddress: string };

/** The outcome rows that were read when the money started to move, and the progress along them. */
export interface Course {
  /** Names of rows such as `quotedPayment.003`, in the order in which they apply. */
  rows: readonly string[];
  step: number;
}

interface TransactionCore extends Timestamps {
  destination: DestinationRecord;
  customerId: string;
  platformCustomerId: string;
  /** The agent that started the payment. */
  agentId?: string;
  receivingCurrency: CurrencyCode;
  receivedMinor: number;
  feesMinor: number;
  description?: string;
  counterpartyInformation?: CounterpartyInformation;
  reference: string;
  settledAtMs?: number;
  /** Set by a tester while something delays the settlement. */
  pendingReason?: PendingReason;
  /** The timer that stands still meanwhile, and what is left of it. */
  heldTimer?: { name: TimerName; leftMs: number };
  /** The instant that the platform confirmed the receipt for. */
  receiptConfirmedAtMs?: number;
  /** Internal account that is credited; without one the money leaves the platform. */
  creditsAccountId?: string;
  course?: Course;
}

export interface OutgoingRecord extends TransactionCore {
  type: "OUTGOING";
  status: OutgoingStatus;
  source: SourceRecord;
  sendingCurrency: CurrencyCode;
  sentMinor: number;
  exchangeRate?: number;
  rateDetails?: OutgoingRateDetails;
  quoteId?: string;
  /** Internal account that is debited; without one the money comes from outside. */
  debitsAccountId?: string;
  /** Amount collected so far; absent when there is nothing to refund. */
  collectedMinor?: number;
  refund?: RefundRecord;
  failureReason?: OutgoingFailureReason;
  /** The part of the fees that the platform earns. */
  platformFeesMinor?: number;
  /** The platform's account that this part was credited to. */
  feeAccountId?: string;
  /** The rail of a bank payment; absent in records of earlier revisions. */
  rail?: RailRecord;
}

/** The rail of a payment, and whether its request named it. */
export interface RailRecord {
  name: PaymentRail;
  mode: "AUTO" | "MANUAL";
}

/** The sender's side of an incoming payment. */
export interface SentRecord {
  currency: CurrencyCode;
  amountMinor: number;
  feesMinor: number;
  exchangeRate: number;
}

export interface IncomingRecord extends TransactionCore {
  type: "INCOMING";
  status: IncomingStatus;
  source: SourceRecord;
  rateDetails?: IncomingRateDetails;
  /** Fields that the sender's institution wants (spec/uma-payments.md#requested-fields). */
  requestedFields?: readonly string[];
  failureReason?: IncomingFailureReason;
  /** Absent where it is not known, as in records of earlier revisions. */
  sent?: SentRecord;
  refund?: RefundRecord;
}

export type TransactionRecord = OutgoingRecord | IncomingRecord;
