import * as z from "zod";

// Shapes of revision 2026-08, written by hand from the contract and not made from the sources: they
// judge what the sources answer. Members that are not named here are as in the first revision.

const Text = z.string();
const Instant = z.iso.datetime();
const Whole = z.int();
const id = (kind: string) => z.string().startsWith(`${kind}:`);
/** One of the words of a text. */
const oneOf = (words: string) => z.enum(words.split(" ") as [string, ...string[]]);
/** Types of webhooks below one word. */
const below = (word: string, types: string) => types.split(" ").map((type) => `${word}.${type}`);
const never = z.never().optional();

const Currency = z.strictObject({
  code: Text,
  name: Text,
  symbol: Text,
  decimals: Whole.min(0),
});
const Money = z.strictObject({ amount: Whole, currency: Currency });

export const InternalAccount = z.looseObject({
  id: id("InternalAccount"),
  status: oneOf("PENDING ACTIVE CLOSED FROZEN FAILED"),
  type: oneOf("INTERNAL_FIAT INTERNAL_CRYPTO EMBEDDED_WALLET"),
  balance: Money,
  totalBalance: Money,
  fundingPaymentInstructions: z.array(z.looseObject({})),
});

const Network = oneOf("BITCOIN ETHEREUM SOLANA BASE POLYGON TRON PLASMA SPARK");
const OnChain = z.strictObject({ transactionHash: Text, network: Network });
const Destination = z.union([
  z.strictObject({
    destinationType: z.literal("ACCOUNT"),
    accountId: Text,
    currency: Text.optional(),
    onChainTransaction: OnChain.optional(),
  }),
  z.strictObject({
    destinationType: z.literal("UMA_ADDRESS"),
    umaAddress: Text,
    currency: Text.optional(),
  }),
]);

const transaction = {
  id: id("Transaction"),
  direction: oneOf("CREDIT DEBIT"),
  destination: Destination,
  customerId: Text,
  platformCustomerId: Text,
  pendingReason: oneOf(
    "COUNTERPARTY_DECLARATION_REQUIRED WALLET_VERIFICATION_REQUIRED COUNTERPARTY_INFORMATION_REQUIRED COMPLIANCE_REVIEW",
  ).optional(),
  receiptDeliveryConfirmedAt: Instant.optional(),
  exchangeRate: z.number().positive().optional(),
  quoteId: id("Quote").optional(),
};

const OUTGOING_FAILURES =
  "QUOTE_EXPIRED QUOTE_EXECUTION_FAILED FUNDING_AMOUNT_MISMATCH QUOTE_RATE_UNAVAILABLE SCA_NOT_COMPLETED PAYOUT_RETURNED LIMIT_EXCEEDED ACCOUNT_CANNOT_RECEIVE ACCOUNT_INVALID COMPLIANCE_REJECTED";

export const OutgoingTransaction = z.looseObject({
  ...transaction,
  type: z.literal("OUTGOING"),
  status: oneOf("PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED"),
  sentAmount: Money,
  platformFees: Whole.min(0).optional(),
  paymentRail: Text.nullable(),
  railSelectionMode: oneOf("AUTO MANUAL").nullable(),
  expectedSettlementAt: Instant.nullable(),
  settlementTimelineSeconds: Whole.nullable(),
  failureReason: oneOf(OUTGOING_FAILURES).optional(),
});

export const IncomingTransaction = z.looseObject({
  ...transaction,
  type: z.literal("INCOMING"),
  status: oneOf("PENDING PROCESSING COMPLETED REJECTED FAILED REFUNDED"),
  rateDetails: never,
  sentAmount: Money.optional(),
  refund: z
    .looseObject({
      reference: Text,
      initiatedAt: Instant,
      status: oneOf("PENDING COMPLETED FAILED"),
    })
    .optional(),
});

const Totals = z.strictObject({ count: Whole, totalAmount: Whole });

export const CardTransaction = z.strictObject({
  type: z.literal("CARD"),
  id: id("CardTransaction"),
  cardId: id("Card"),
  customerId: Text,
  platformCustomerId: Text,
  issuerTransactionToken: Text,
  status: oneOf("AUTHORIZED PARTIALLY_SETTLED SETTLED REFUNDED EXCEPTION"),
  direction: z.literal("DEBIT"),
  merchant: z.strictObject({
    descriptor: Text,
    mcc: Text.optional(),
    country: Text.optional(),
  }),
  authorizedAmount: Money,
  settledAmount: Money.optional(),
  refundedAmount: Money.optional(),
  accountId: Text,
  pullSummary: z.strictObject({ count: Whole, totalAmount: Whole, pendingCount: Whole }),
  refundSummary: Totals,
  settlementSummary: Totals,
  authorizedAt: Instant,
  lastEventAt: Instant.optional(),
  createdAt: Instant,
  updatedAt: Instant,
  receiptDeliveryConfirmedAt: Instant.optional(),
  // What the log and its readers know of a decline; the published list has no such member.
  declineCode: never,
});

const Transaction = z.union([OutgoingTransaction, IncomingTransaction, CardTransaction]);

export const Card = z.looseObject({
  id: id("Card"),
  state: oneOf("PENDING_KYC PROCESSING ACTIVE FROZEN CLOSED"),
  maxSpendPerTransaction: Whole.min(1).nullable(),
  processorRef: Text.optional(),
  panEmbedUrl: never,
});

const Simulated = z.strictObject({ issuerTransactionToken: Text });

export const Customer = z.looseObject({
  id: id("Customer"),
  customerType: oneOf("INDIVIDUAL BUSINESS"),
  identifier: never,
  phoneNumber: z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/)
    .optional(),
  kycStatus: oneOf("UNVERIFIED PENDING APPROVED REJECTED HOLD").optional(),
  kybStatus: oneOf("UNVERIFIED PENDING APPROVED REJECTED HOLD").optional(),
});

const EUR = z.looseObject({
  accountType: z.literal("EUR_ACCOUNT"),
  beneficiary: z.union([
    z.looseObject({ beneficiaryType: z.literal("INDIVIDUAL"), countryOfResidence: Text }),
    z.looseObject({ beneficiaryType: z.literal("BUSINESS") }),
  ]),
});
const NAMED_BANKS =
  "BDT_ACCOUNT COP_ACCOUNT GHS_ACCOUNT GTQ_ACCOUNT JMD_ACCOUNT PKR_ACCOUNT CNY_ACCOUNT";
const WITH_RULES = `EUR_ACCOUNT EGP_ACCOUNT ${NAMED_BANKS}`.split(" ");

export const ExternalAccount = z.looseObject({
  id: id("ExternalAccount"),
  status: oneOf("PENDING ACTIVE UNDER_REVIEW INACTIVE PENDING_OWNERSHIP_VERIFICATION UNVERIFIED"),
  ownershipType: oneOf("FIRST_PARTY THIRD_PARTY").optional(),
  accountInfo: z.union([
    EUR,
    z.looseObject({
      accountType: oneOf(NAMED_BANKS),
      bankName: z.string().min(1).max(255),
    }),
    z.looseObject({
      accountType: z.literal("EGP_ACCOUNT"),
      bankName: Text,
      accountNumber: never,
      swiftCode: never,
    }),
    z.looseObject({ accountType: z.string().refine((type) => !WITH_RULES.includes(type)) }),
  ]),
});

export const Quote = z.looseObject({
  id: id("Quote"),
  status: oneOf("PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED"),
  platformFeesIncluded: Whole.min(0).optional(),
});

const Config = z.looseObject({
  feeConfigs: z
    .array(
      z.strictObject({
        feeType: z.literal("CROSS_CURRENCY_TRANSACTION"),
        sourceCurrency: Text,
        variableFeeBps: Whole.min(0).max(10_000),
        fixedFee: z.strictObject({ amount: Whole.min(0), currency: z.unknown() }),
      }),
    )
    .optional(),
});

const AuthMethod = z.strictObject({
  id: id("AuthMethod"),
  accountId: Text,
  type: oneOf("OAUTH EMAIL_OTP SMS_OTP PASSKEY"),
  credentialId: Text.optional(),
  nickname: Text,
  createdAt: Instant,
  updatedAt: Instant,
});
const WithBundle = AuthMethod.extend({ otpEncryptionTargetBundle: Text.optional() });
const Passkey = AuthMethod.extend({
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  requestId: Text,
  expiresAt: Instant,
});
const Challenge = z.looseObject({ payloadToSign: Text, requestId: Text, expiresAt: Instant });
const Session = AuthMethod.extend({
  id: id("Session"),
  expiresAt: Instant,
  encryptedSessionSigningKey: Text.optional(),
});

const page = (row: z.ZodType) => z.looseObject({ data: z.array(row), hasMore: z.boolean() });
const Action = z.looseObject({ transaction: Transaction.optional(), quote: Quote.optional() });
const simulated = (kind: string) => [`POST /sandbox/cards/{}/simulate/${kind}`, Simulated];

/** Shapes of successes, by method and path; ids of the path are `{}`. */
export const LATER_SUCCESSES: ReadonlyMap<string, z.ZodType> = new Map([
  ["GET /customers/internal-accounts", page(InternalAccount)],
  ["GET /platform/internal-accounts", z.looseObject({ data: z.array(InternalAccount) })],
  ["GET /agents/me/internal-accounts", page(InternalAccount)],
  ["POST /sandbox/internal-accounts/{}/fund", InternalAccount],
  ["PATCH /internal-accounts/{}", z.union([InternalAccount, Challenge])],
  ["GET /transactions", page(Transaction)],
  ["GET /transactions/{}", Transaction],
  ["GET /agents/me/transactions", page(Transaction)],
  ["GET /agents/me/transactions/{}", Transaction],
  ["POST /transfer-in", IncomingTransaction],
  ["POST /transfer-out", OutgoingTransaction],
  ["POST /sandbox/send", Transaction],
  ["POST /sandbox/uma/receive", IncomingTransaction],
  ["POST /transactions/{}/approve", IncomingTransaction],
  ["POST /transactions/{}/reject", IncomingTransaction],
  ["POST /transactions/{}/cancel", Transaction],
  [
    "POST /transactions/{}/confirm",
    Transaction.and(z.looseObject({ receiptDeliveryConfirmedAt: Instant })),
  ],
  ["POST /quotes", Quote],
  ["GET /quotes/{}", Quote],
  ["POST /quotes/{}/execute", Quote],
  ["POST /agents/me/quotes/{}/execute", Action],
  ["GET /agents/approvals", page(Action)],
  ["GET /agents/me/actions", page(Action)],
  ["POST /cards", Card],
  ["GET /cards", page(Card)],
  ["GET /cards/{}", Card],
  ["PATCH /cards/{}", Card],
  ["POST /cards/{}/reveal", z.strictObject({ panEmbedUrl: Text, expiresAt: Instant })],
  ...([
    simulated("authorization"),
    simulated("clearing"),
    simulated("return"),
    simulated("balance_inquiry"),
    simulated("credit_authorization"),
    simulated("financial_authorization"),
    simulated("financial_credit_authorization"),
    simulated("credit_authorization_advice"),
    simulated("authorization_advice"),
    simulated("return_reversal"),
  ] as [string, z.ZodType][]),
  ["POST /customers", Customer],
  ["GET /customers", page(Customer)],
  ["GET /customers/{}", Customer],
  ["PATCH /customers/{}", z.union([Customer, Challenge])],
  ["POST /customers/external-accounts", ExternalAccount],
  ["GET /customers/external-accounts", page(ExternalAccount)],
  ["GET /customers/external-accounts/{}", ExternalAccount],
  ["POST /platform/external-accounts", ExternalAccount],
  ["GET /config", Config],
  ["PATCH /config", Config],
  ["GET /auth/credentials", page(AuthMethod).or(z.looseObject({ data: z.array(AuthMethod) }))],
  ["POST /auth/credentials", z.union([WithBundle, Passkey, Challenge])],
  ["POST /auth/credentials/{}/challenge", z.union([Passkey, WithBundle])],
  ["POST /auth/credentials/{}/verify", z.union([Session, Challenge])],
  ["GET /customers/end-user-terms", z.strictObject({ version: Text, url: z.url() })],
  [
    "GET /vasps",
    z.strictObject({
      data: z.array(z.strictObject({ vaspName: Text, url: z.url().optional() })),
      hasMore: z.boolean(),
      nextCursor: Text.optional(),
    }),
  ],
]);

/** Webhooks as the contract lists them: a definition of a name, the types that it has, its data. */
export const LATER_WEBHOOKS: readonly [definition: string, types: string[], data: z.ZodType][] = [
  [
    "outgoing-payment",
    below(
      "OUTGOING_PAYMENT",
      "PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED REFUND_PENDING REFUND_COMPLETED REFUND_FAILED",
    ),
    OutgoingTransaction,
  ],
  [
    "incoming-payment",
    below(
      "INCOMING_PAYMENT",
      "PENDING COMPLETED FAILED REFUND_PENDING REFUND_COMPLETED REFUND_FAILED",
    ),
    IncomingTransaction,
  ],
  [
    "customer-update",
    below(
      "CUSTOMER",
      "KYC_APPROVED KYC_REJECTED KYC_PENDING KYB_APPROVED KYB_REJECTED KYB_PENDING",
    ),
    Customer,
  ],
  [
    "verification-update",
    below(
      "VERIFICATION",
      "APPROVED REJECTED RESOLVE_ERRORS IN_PROGRESS PENDING_MANUAL_REVIEW READY_FOR_VERIFICATION",
    ),
    z.looseObject({}),
  ],
  ["external-account-status", below("EXTERNAL_ACCOUNT", "STATUS_UPDATED"), ExternalAccount],
  [
    "internal-account-status",
    below("INTERNAL_ACCOUNT", "BALANCE_UPDATED STATUS_UPDATED FUNDING_INSTRUCTIONS_UPDATED"),
    InternalAccount,
  ],
  ["card-state-change", below("CARD", "STATE_CHANGE"), Card],
  ["card-funding-source-change", below("CARD", "FUNDING_SOURCE_CHANGE"), Card],
  [
    "card-transaction",
    below("CARD_TRANSACTION", "AUTHORIZED PARTIALLY_SETTLED SETTLED REFUNDED EXCEPTION"),
    CardTransaction,
  ],
  ["agent-action", below("AGENT_ACTION", "PENDING_APPROVAL"), Action],
  ["invitation-claimed", below("INVITATION", "CLAIMED"), z.looseObject({})],
  ["bulk-upload", below("BULK_UPLOAD", "COMPLETED FAILED"), z.looseObject({})],
  ["test-webhook", ["TEST"], z.looseObject({}).optional()],
];

const envelope = (type: z.ZodType, data: z.ZodType) =>
  z.looseObject({ id: id("Webhook"), type, timestamp: Instant, data });

/** The shape of a webhook's body; nothing for a type that the revision has not. */
export const laterWebhook = (type: string) => {
  const data = LATER_WEBHOOKS.find(([, types]) => types.includes(type))?.[2];
  return data && envelope(z.literal(type), data);
};

/** A document of webhooks alone, a definition for each name, as the hosted service publishes them. */
export const webhookDocument = () => ({
  openapi: "3.1.0",
  paths: {},
  webhooks: Object.fromEntries(
    LATER_WEBHOOKS.map(([definition, types, data]) => {
      const schema = z.toJSONSchema(envelope(z.enum(types as [string]), data));
      return [
        definition,
        { post: { requestBody: { content: { "application/json": { schema } } } } },
      ];
    }),
  ),
});
