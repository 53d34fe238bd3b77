import type {
  AccountInfo,
  ExternalAccountStatus,
  OwnershipType,
  VerificationStatus,
} from "../../contract/accounts/external-accounts.ts";
import type {
  InternalAccountStatus,
  InternalAccountType,
} from "../../contract/accounts/internal-accounts.ts";
import type { PaymentInstructions } from "../../contract/accounts/payment-instructions.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { Address } from "../../contract/core/addresses.ts";
import type { EndpointAddress } from "../../contract/core/endpoint-address.ts";
import type { BusinessInfo } from "../../contract/customers/businesses.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { DueDiligence } from "../../contract/customers/due-diligence.ts";
import type { EndUserTermsConsent } from "../../contract/customers/end-user-terms.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  CounterpartyInformation,
  OutgoingRateDetails,
  QuoteStatus,
} from "../../contract/payments/quotes.ts";
import type { CardTokenTexts } from "../../contract/platform/card-token-texts.ts";
import type {
  EmbeddedWalletConfig,
  RequiredField,
  SupportedCurrency,
} from "../../contract/platform/config.ts";
import type { DELIVERY_STATES } from "../../contract/webhooks/delivery-states.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { LabKind } from "../../contract/webhooks/lab-vectors.ts";
import type { AgentActionRecord, AgentRecord, DeviceCodeRecord } from "./agent-records.ts";
import type { BusinessRecords } from "./business-records.ts";
import type { CardRecord, CardRevealRecord, CardTransactionRecord } from "./card-records.ts";
import type { FaultRecord } from "./fault-records.ts";
import type { InitialSettings, WorldSettings } from "./initial-settings.ts";
import type { NextOutcomeRecord } from "./outcome-records.ts";
import type { ApiTokenRecord, BrandSetting, InvitationRecord } from "./platform-records.ts";
import type { TimerName } from "./timer-names.ts";
import type { Timestamps } from "./timestamps.ts";
import type { TransactionRecord } from "./transaction-records.ts";
import type { DeliveryTrouble, TroubleRecord } from "./trouble-records.ts";
import type {
  BulkErrorsRecord,
  BulkRowsRecord,
  DocumentRecord,
  JobRecord,
} from "./upload-records.ts";
import type {
  AuthMethodRecord,
  DelegatedKeyRecord,
  MailRecord,
  RequestRecord,
  SessionRecord,
  UsedChallengeRecord,
} from "./wallet-records.ts";

export type {
  Course,
  DestinationRecord,
  IncomingRecord,
  OutgoingRecord,
  RailRecord,
  RefundRecord,
  SentRecord,
  SourceRecord,
  TransactionRecord,
} from "./transaction-records.ts";

export interface PlatformConfigRecord extends Timestamps, WorldSettings {
  umaDomain?: string;
  webhookEndpoint?: EndpointAddress;
  /** Certificates as PEM that receivers are trusted by; never published. */
  webhookCa?: string;
  /** Never published. */
  brand?: BrandSetting;
  /** Absent in state of older versions; never published. */
  opening?: InitialSettings;
  supportedCurrencies: SupportedCurrency[];
  /** Entries that were removed from the list; never published. */
  formerCurrencies?: readonly SupportedCurrency[];
  isRegulatedFinancialInstitution: boolean;
  embeddedWalletConfig?: EmbeddedWalletConfig;
  feeConfigs?: readonly FeeConfigRecord[];
  cardTokenization2faConfig?: CardTokenTexts;
  /** Limits that a tester set, by currency; never published. */
  transactionLimits?: Readonly<Record<string, TransactionLimit>>;
}

/** A standing fee of the platform. */
export interface FeeConfigRecord {
  feeType: "CROSS_CURRENCY_TRANSACTION";
  sourceCurrency: CurrencyCode;
  variableFeeBps: number;
  fixedMinor: number;
}

/** Largest amount of one payment and of all payments of a day, in minor units. */
export interface TransactionLimit {
  maxTransactionAmount?: number;
  dailyVolume?: number;
}

/** An INDIVIDUAL has a `kycStatus`, a BUSINESS a `kybStatus`. */
export interface CustomerRecord extends Timestamps, DueDiligence {
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
  phoneNumber?: string;
  endUserTermsConsent?: EndUserTermsConsent;
  isDeleted: boolean;
}

/** An account without `customerId` is the platform's own. The ledger holds the balance. */
export interface InternalAccountRecord extends Timestamps {
  customerId?: string;
  currency: CurrencyCode;
  type: InternalAccountType;
  status: InternalAccountStatus;
  privateEnabled?: boolean;
  /** Instructions that the operator set, instead of those that the account has by itself. */
  fundingPaymentInstructions?: PaymentInstructions[];
}

export interface ExternalAccountRecord extends Timestamps {
  customerId?: string;
  status: ExternalAccountStatus;
  ownershipType?: OwnershipType;
  platformAccountId?: string;
  currency: CurrencyCode;
  defaultUmaDepositAccount: boolean;
  beneficiaryVerificationStatus?: VerificationStatus;
  beneficiaryVerifiedName?: string;
  /** The members as sent; the view adds rails and the other values of the type's row. */
  accountInfo: AccountInfo;
}

/** Source of the money, as requested. */
export type QuoteSourceRecord =
  | { sourceType: "ACCOUNT"; accountId: string; customerId?: string }
  | { sourceType: "REALTIME_FUNDING"; customerId?: string; cryptoNetwork?: string };

/** Destination of the money, as requested. */
export type QuoteDestinationRecord =
  | { destinationType: "ACCOUNT"; accountId: string; paymentRail?: PaymentRail }
  | { destinationType: "UMA_ADDRESS"; umaAddress: string };

export interface QuoteRecord extends Timestamps {
  status: QuoteStatus;
  expiresAtMs: number;
  source: QuoteSourceRecord;
  destination: QuoteDestinationRecord;
  sendingCurrency: CurrencyCode;
  receivingCurrency: CurrencyCode;
  totalSendingMinor: number;
  totalReceivingMinor: number;
  feesMinor: number;
  exchangeRate: number;
  rateDetails: OutgoingRateDetails;
  transactionId: string;
  /** Text that the owner of an embedded wallet signs to pay. */
  payloadToSign?: string;
  /** The invoice that pays the quote, for a quote in bitcoin. */
  lightningInvoice?: string;
  counterpartyInformation?: CounterpartyInformation;
  /** The agent that requested the quote. */
  agentId?: string;
  /** The side that the caller gave; left out for the sending one. */
  lockedSide?: "RECEIVING";
  /** The platform's own fee, where there is one. */
  platformFee?: PlatformFeeRecord;
  /** Rates that its amounts were computed with, where the operator had set them. */
  perUsd?: RatesRecord["perUsd"];
}

/** The fee of the platform on one quote; the amount is its whole. */
export interface PlatformFeeRecord {
  fixedMinor: number;
  variableBps: number;
  amountMinor: number;
}

/** The receiver of a lookup. Customers are stored too, since addresses change hands. */
export type LookedUpReceiver = { umaAddress: string; customerId?: string } | { accountId: string };

/** A currency that a receiver takes, with the bounds of one payment. */
export interface ReceivableCurrency {
  currency: CurrencyCode;
  minMinor: number;
  maxMinor: number;
}

/** The reply of a lookup; valid strictly before `expiresAtMs` (spec/lookups.md#lifetime). */
export interface LookupRecord {
  id: string;
  createdAtMs: number;
  expiresAtMs: number;
  receiver: LookedUpReceiver;
  currencies: readonly ReceivableCurrency[];
  requiredFields: readonly RequiredField[];
}

/** Rates that the operator has set (spec/exchange-rates.md#operator-rates). */
export interface RatesRecord {
  id: string;
  perUsd: Partial<Record<CurrencyCode, string>>;
}

/** The first answer under an idempotency key, kept for replays. */
export interface ReplayRecord {
  id: string;
  /** Caller, call and key; see `replayKey`. */
  key: string;
  atMs: number;
  status: number;
  /** The body's text as sent. */
  text: string;
  headers?: Record<string, string>;
  /** The answered request and a digest of its body; absent in answers of older versions. */
  requestId?: string;
  bodyDigest?: string;
}

/** A future step of a record; `id` is `name subject`, so that a rule can cancel it. */
export interface TimerRecord {
  id: string;
  name: TimerName;
  subject: string;
  dueAtMs: number;
  /** Order of creation, which decides between timers due at the same instant. */
  order: number;
  /** Set when the timer threw: it is kept for inspection and never fires again. */
  poisoned?: string;
  /** Set when a tester canceled it: it is kept, so that it can be set again, and never fires. */
  canceledAtMs?: number;
}

/** The exact bytes of an event, captured when it happened (spec/webhooks.md#request). */
export interface EventRecord {
  id: string;
  body: string;
  /** The signed text of a deliberately bad delivery, where it differs from the body. */
  signed?: string;
  /** The bytes in base64, where they are not text; `body` is then for display only. */
  base64?: string;
}

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryAttempt {
  attempt: number;
  atMs: number;
  tookMs: number;
  httpStatus?: number;
  /** Reason why no answer came. */
  error?: string;
  /** First 2 KiB of the answer. */
  reply?: string;
  /** A reply that is cut, with the bytes of the whole, as far as they were read. */
  cut?: { reply: number };
  /** Value of the signature header; it differs with every attempt, the body does not. */
  signature: string;
}

/** State of the delivery of one event (spec/webhooks.md#delivery-states). */
export interface DeliveryRecord {
  id: string;
  type: EventType;
  /** First attempts of one lane are made one after the other. */
  lane: string;
  /** Id of the resource of the event, if it has one. */
  about?: string;
  /** Cause of the event, and the table row that decided it. */
  cause: string;
  rule?: string;
  bornAtMs: number;
  state: DeliveryState;
  attemptCount: number;
  /** The newest attempts, oldest first. */
  attempts: DeliveryAttempt[];
  nextAttemptAtMs?: number;
  /** Position in the order of ends; absent if the delivery ended when it was made. */
  endId?: string;
  /** Reason for giving up, if it was not the number of attempts. */
  reason?: "outbox full";
  /** Kind of a delivery made by hand: it is attempted once, and its answer has no effect. */
  lab?: LabKind;
  /** The trouble that its event met. */
  trouble?: DeliveryTrouble;
  /** Number of times it is sent again once it is accepted. */
  copies?: number;
}

/** The end of a delivery; ids rise in the order of the ends. */
export interface DeliveryEndRecord {
  id: string;
  deliveryId: string;
  atMs: number;
}

export interface Records extends BusinessRecords {
  Agent: AgentRecord;
  AgentAction: AgentActionRecord;
  ApiToken: ApiTokenRecord;
  AuthMethod: AuthMethodRecord;
  BulkErrors: BulkErrorsRecord;
  BulkRows: BulkRowsRecord;
  Card: CardRecord;
  CardReveal: CardRevealRecord;
  CardTransaction: CardTransactionRecord;
  Customer: CustomerRecord;
  DelegatedKey: DelegatedKeyRecord;
  Delivery: DeliveryRecord;
  DeliveryEnd: DeliveryEndRecord;
  DeviceCode: DeviceCodeRecord;
  Document: DocumentRecord;
  Event: EventRecord;
  ExternalAccount: ExternalAccountRecord;
  Fault: FaultRecord;
  InternalAccount: InternalAccountRecord;
  Invitation: InvitationRecord;
  Job: JobRecord;
  Lookup: LookupRecord;
  Mail: MailRecord;
  NextOutcome: NextOutcomeRecord;
  PlatformConfig: PlatformConfigRecord;
  Quote: QuoteRecord;
  Rates: RatesRecord;
  Replay: ReplayRecord;
  Request: RequestRecord;
  Session: SessionRecord;
  Timer: TimerRecord;
  Transaction: TransactionRecord;
  Trouble: TroubleRecord;
  UsedChallenge: UsedChallengeRecord;
}

export type Kind = keyof Records;
