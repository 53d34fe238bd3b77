import type { PaymentRail } from "../contract/account-fields.ts";
import type { BusinessInfo } from "../contract/businesses.ts";
import type { EmbeddedWalletConfig, SupportedCurrency } from "../contract/config.ts";
import type { CurrencyCode } from "../contract/currencies.ts";
import type { Address, CustomerStatus } from "../contract/customers.ts";
import type { EventType } from "../contract/events.ts";
import type { AccountInfo, VerificationStatus } from "../contract/external-accounts.ts";
import type { InternalAccountStatus, InternalAccountType } from "../contract/internal-accounts.ts";
import type { OutgoingRateDetails, QuoteStatus } from "../contract/quotes.ts";
import type {
  OutgoingFailureReason,
  OutgoingStatus,
  RefundReason,
  RefundStatus,
} from "../contract/transactions.ts";
import type { TimerName } from "./timer-names.ts";

/** What API tokens may grant (payments digest 1.7). */
export type Permission = "VIEW" | "TRANSACT" | "MANAGE";

/** Times are simulated epoch milliseconds throughout; views turn them into ISO instants. */
interface Stamped {
  id: string;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface ApiTokenRecord extends Stamped {
  name: string;
  clientId: string;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  permissions: Permission[];
}

export interface PlatformConfigRecord extends Stamped {
  umaDomain?: string;
  webhookEndpoint?: string;
  supportedCurrencies: SupportedCurrency[];
  isRegulatedFinancialInstitution: boolean;
  embeddedWalletConfig?: EmbeddedWalletConfig;
}

/** An INDIVIDUAL has a `kycStatus`, a BUSINESS a `kybStatus`. */
export interface CustomerRecord extends Stamped {
  customerType: "INDIVIDUAL" | "BUSINESS";
  platformCustomerId: string;
  region?: string;
  currencies: string[];
  email?: string;
  umaAddress: string;
  kycStatus?: CustomerStatus;
  kybStatus?: CustomerStatus;
  fullName?: string;
  birthDate?: string;
  nationality?: string;
  address?: Address;
  businessInfo?: Partial<BusinessInfo>;
  isDeleted: boolean;
}

/** No `customerId`: the platform's own. The balance stands in the ledger, not here. */
export interface InternalAccountRecord extends Stamped {
  customerId?: string;
  currency: CurrencyCode;
  type: InternalAccountType;
  status: InternalAccountStatus;
  privateEnabled?: boolean;
}

export interface ExternalAccountRecord extends Stamped {
  customerId?: string;
  status: "ACTIVE";
  platformAccountId?: string;
  currency: CurrencyCode;
  defaultUmaDepositAccount: boolean;
  beneficiaryVerificationStatus?: VerificationStatus;
  beneficiaryVerifiedName?: string;
  /** As given; rails and what the row adds are put in by the view. */
  accountInfo: AccountInfo;
}

export interface QuoteRecord extends Stamped {
  status: QuoteStatus;
  expiresAtMs: number;
  source: { accountId: string; customerId?: string };
  destination: { accountId: string; paymentRail?: PaymentRail };
  sendingCurrency: CurrencyCode;
  receivingCurrency: CurrencyCode;
  totalSendingMinor: number;
  totalReceivingMinor: number;
  feesMinor: number;
  exchangeRate: number;
  rateDetails: OutgoingRateDetails;
  transactionId: string;
}

export interface RefundRecord {
  reference: string;
  initiatedAtMs: number;
  settledAtMs?: number;
  status: RefundStatus;
  reason: RefundReason;
}

export interface TransactionRecord extends Stamped {
  type: "OUTGOING";
  status: OutgoingStatus;
  sourceAccountId: string;
  destinationAccountId: string;
  customerId: string;
  platformCustomerId: string;
  sendingCurrency: CurrencyCode;
  receivingCurrency: CurrencyCode;
  sentMinor: number;
  receivedMinor: number;
  feesMinor: number;
  exchangeRate: number;
  rateDetails: OutgoingRateDetails;
  quoteId: string;
  description?: string;
  reference: string;
  refund?: RefundRecord;
  failureReason?: OutgoingFailureReason;
  settledAtMs?: number;
  /** The outcome that was read from the destination at execution, and how far it has come. */
  course?: { row: string; step: number };
}

/** The rates that the operator has set; the rest are the table's. */
export interface RatesRecord {
  id: string;
  perUsd: Partial<Record<CurrencyCode, string>>;
}

/** The first answer under an idempotency key, kept to be given again. */
export interface ReplayRecord {
  id: string;
  /** Who, which call, which key: see `replayKey`. */
  key: string;
  atMs: number;
  status: number;
  /** The body's text as it was sent. */
  text: string;
  headers?: Record<string, string>;
}

/** Something that will happen; `id` is `name subject`, so a rule can cancel it. */
export interface TimerRecord {
  id: string;
  name: TimerName;
  subject: string;
  dueAtMs: number;
  /** Order of creation, which decides between timers due at one instant. */
  order: number;
  /** Set when firing it threw: it is kept for inspection and fires no more. */
  poisoned?: string;
}

/** The exact bytes of an event, captured when it happened. */
export interface EventRecord {
  id: string;
  body: string;
}

export const DELIVERY_STATES = [
  "WAITING",
  "RETRYING",
  "ACCEPTED",
  "GIVEN_UP",
  "UNDELIVERABLE",
  "DROPPED",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryAttempt {
  attempt: number;
  atMs: number;
  tookMs: number;
  httpStatus?: number;
  /** Why no answer came. */
  error?: string;
  /** First 2 KiB of the answer. */
  reply?: string;
  /** What the signature header said; it differs with every attempt, the body does not. */
  signature: string;
}

/** Where the delivery of one event stands (contract decisions, Webhooks). */
export interface DeliveryRecord {
  id: string;
  type: EventType;
  /** Events of one lane are sent one after the other. */
  lane: string;
  /** Id of the resource the event tells of, where it has one. */
  about?: string;
  /** What caused the event, and the table row that decided it. */
  cause: string;
  rule?: string;
  bornAtMs: number;
  state: DeliveryState;
  attemptCount: number;
  /** The newest attempts, oldest first. */
  attempts: DeliveryAttempt[];
  nextAttemptAtMs?: number;
  /** Why it was given up, where it was not for its attempts. */
  reason?: "outbox full";
}

export interface Records {
  ApiToken: ApiTokenRecord;
  Customer: CustomerRecord;
  Delivery: DeliveryRecord;
  Event: EventRecord;
  ExternalAccount: ExternalAccountRecord;
  InternalAccount: InternalAccountRecord;
  PlatformConfig: PlatformConfigRecord;
  Quote: QuoteRecord;
  Rates: RatesRecord;
  Replay: ReplayRecord;
  Timer: TimerRecord;
  Transaction: TransactionRecord;
}

export type Kind = keyof Records;
