import type { AccountInfo, VerificationStatus } from "../../contract/accounts/external-accounts.ts";
import type {
  InternalAccountStatus,
  InternalAccountType,
} from "../../contract/accounts/internal-accounts.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { Address } from "../../contract/core/addresses.ts";
import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import type {
  APPROVAL_MODES,
  CARD_EVENTS,
  WALLET_CREDENTIALS,
} from "../../contract/core/world-settings.ts";
import type { BusinessInfo } from "../../contract/customers/businesses.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  CounterpartyInformation,
  OutgoingRateDetails,
  QuoteStatus,
} from "../../contract/payments/quotes.ts";
import type {
  IncomingFailureReason,
  IncomingRateDetails,
  IncomingStatus,
  OutgoingFailureReason,
  OutgoingStatus,
  RefundReason,
  RefundStatus,
} from "../../contract/payments/transactions.ts";
import type {
  EmbeddedWalletConfig,
  RequiredField,
  SupportedCurrency,
} from "../../contract/platform/config.ts";
import type { DELIVERY_STATES } from "../../contract/webhooks/delivery-states.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { LabKind } from "../../contract/webhooks/webhook-lab.ts";
import type { SignatureForm } from "../../crypto/webhook-signature.ts";
import type { AgentActionRecord, AgentRecord, DeviceCodeRecord } from "./agent-records.ts";
import type { BusinessRecords } from "./business-records.ts";
import type { CardRecord, CardTransactionRecord } from "./card-records.ts";
import type { FaultRecord } from "./fault-records.ts";
import type { ApiTokenRecord, InvitationRecord } from "./platform-records.ts";
import type { Stamped } from "./stamped.ts";
import type { TimerName } from "./timer-names.ts";
import type {
  BulkErrorsRecord,
  BulkRowsRecord,
  DocumentRecord,
  JobRecord,
} from "./upload-records.ts";
import type {
  AuthMethodRecord,
  MailRecord,
  RequestRecord,
  SessionRecord,
  UsedChallengeRecord,
} from "./wallet-records.ts";

/** Decides about actions that wait: a person, or the simulator at once. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/** Settings that a start decides; no operation of the platform shows them. */
export interface WorldSettings {
  /** Domains of the sandbox's own people. */
  sandboxUmaDomains?: readonly string[];
  /** Mode of wallet proofs. */
  cryptoMode?: CryptoMode;
  /** The credential of a new wallet. */
  walletCredential?: (typeof WALLET_CREDENTIALS)[number];
  /** Token issuers that are recognised beside the known ones. */
  oidcIssuers?: readonly string[];
  /** How the two events of cards are spelled. */
  cardEvents?: (typeof CARD_EVENTS)[number];
  /** The one who decides about agents' actions: a person, or the simulator. */
  approvals?: ApprovalMode;
  /** How the header of a webhook carries its signature. */
  webhookSignature?: SignatureForm;
}

/** Everything that the starts of a world have said of it; a reset begins with it again. */
export interface Opening {
  webhookEndpoint?: string;
  settings: WorldSettings;
}

export interface PlatformConfigRecord extends Stamped, WorldSettings {
  umaDomain?: string;
  webhookEndpoint?: string;
  /** Missing in state from before it was kept; never published. */
  opening?: Opening;
  supportedCurrencies: SupportedCurrency[];
  /** Entries that were taken out of the list; never published. */
  formerCurrencies?: readonly SupportedCurrency[];
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

/** Where money comes from, as it was asked for. */
export type QuoteSourceRecord =
  | { sourceType: "ACCOUNT"; accountId: string; customerId?: string }
  | { sourceType: "REALTIME_FUNDING"; customerId?: string; cryptoNetwork?: string };

/** Where it goes, as it was asked for. */
export type QuoteDestinationRecord =
  | { destinationType: "ACCOUNT"; accountId: string; paymentRail?: PaymentRail }
  | { destinationType: "UMA_ADDRESS"; umaAddress: string };

export interface QuoteRecord extends Stamped {
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
  /** What the owner of an embedded wallet signs to pay. */
  payloadToSign?: string;
  /** The invoice it is paid by, where it is paid in bitcoin. */
  lightningInvoice?: string;
  counterpartyInformation?: CounterpartyInformation;
  /** The agent that asked for it. */
  agentId?: string;
}

/** Who was looked up; an own customer is remembered, since addresses change hands. */
export type LookedUpReceiver = { umaAddress: string; customerId?: string } | { accountId: string };

/** A currency that a receiver takes, and how much of it in one payment. */
export interface ReceivableCurrency {
  currency: CurrencyCode;
  minMinor: number;
  maxMinor: number;
}

/** What was told of a receiver; it is good strictly before `expiresAtMs` (payments O-27). */
export interface LookupRecord {
  id: string;
  createdAtMs: number;
  expiresAtMs: number;
  receiver: LookedUpReceiver;
  currencies: readonly ReceivableCurrency[];
  requiredFields: readonly RequiredField[];
}

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

/** The outcome rows that were read when the money started to move, and how far they have come. */
export interface Course {
  /** `quotedPayment.003`; one after the other. */
  rows: readonly string[];
  step: number;
}

interface TransactionCore extends Stamped {
  destination: DestinationRecord;
  customerId: string;
  platformCustomerId: string;
  /** The agent that caused it. */
  agentId?: string;
  receivingCurrency: CurrencyCode;
  receivedMinor: number;
  feesMinor: number;
  description?: string;
  counterpartyInformation?: CounterpartyInformation;
  reference: string;
  settledAtMs?: number;
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
  /** What was collected for it so far; nothing of it is left to refund when this is absent. */
  collectedMinor?: number;
  refund?: RefundRecord;
  failureReason?: OutgoingFailureReason;
}

export interface IncomingRecord extends TransactionCore {
  type: "INCOMING";
  status: IncomingStatus;
  source: SourceRecord;
  rateDetails?: IncomingRateDetails;
  /** What the sender's institution must be told of the recipient (payments digest 12). */
  requestedFields?: readonly string[];
  failureReason?: IncomingFailureReason;
}

export type TransactionRecord = OutgoingRecord | IncomingRecord;

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
  /** The request it answered, and a digest of that body; answers of older versions have neither. */
  requestId?: string;
  bodyDigest?: string;
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
  /** What was signed, where that is not the body: of a delivery that is wrong on purpose. */
  signed?: string;
  /** The bytes in base64, where they are no text and `body` only shows them. */
  base64?: string;
}

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
  /** First attempts of one lane are made one after the other. */
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
  /** Its place among what has ended, where it ended after it was born. */
  endId?: string;
  /** Why it was given up, where it was not for its attempts. */
  reason?: "outbox full";
  /** As what it was made by hand: it is attempted once, and nothing follows from its answer. */
  lab?: LabKind;
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
  CardTransaction: CardTransactionRecord;
  Customer: CustomerRecord;
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
  PlatformConfig: PlatformConfigRecord;
  Quote: QuoteRecord;
  Rates: RatesRecord;
  Replay: ReplayRecord;
  Request: RequestRecord;
  Session: SessionRecord;
  Timer: TimerRecord;
  Transaction: TransactionRecord;
  UsedChallenge: UsedChallengeRecord;
}

export type Kind = keyof Records;
