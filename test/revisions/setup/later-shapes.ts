import * as z from "zod";

// Shapes of revision 2026-08, written by hand from the contract and not made from the sources: they
// judge what the sources answer. Members that are not named here are as in the first revision.

const Text = z.string();
const Instant = z.iso.datetime();
const Whole = z.int();
const id = (kind: string) => z.string().startsWith(`${kind}:`);
/** One of the words of a text. */
const oneOf = (words: string) => z.enum(words.split(" ") as [string, ...string[]]);
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

const Source = z.union([
  z.strictObject({
    sourceType: z.literal("ACCOUNT"),
    accountId: Text,
    currency: Text.optional(),
    onChainTransaction: OnChain.optional(),
  }),
  z.strictObject({
    sourceType: z.literal("UMA_ADDRESS"),
    umaAddress: Text,
    currency: Text.optional(),
  }),
  z.strictObject({
    sourceType: z.literal("REALTIME_FUNDING"),
    currency: Text,
    customerId: Text.optional(),
    accountHolderName: Text.optional(),
    accountIdentifier: Text.optional(),
    bankName: Text.optional(),
    bankIdentifier: Text.optional(),
    paymentRail: Text.optional(),
    remittanceInformation: Text.optional(),
    endToEndId: Text.optional(),
    traceNumber: Text.optional(),
    onChainTransaction: OnChain.optional(),
  }),
]);

const transaction = {
  id: id("Transaction"),
  source: Source.optional(),
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
  scaChallenge: never,
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

const STATUSES = "UNVERIFIED PENDING APPROVED REJECTED HOLD";
const Owner = z.looseObject({ id: id("BeneficialOwner"), kycStatus: oneOf(STATUSES) });
const Verification = z.looseObject({
  id: id("Verification"),
  verificationStatus: oneOf(
    "APPROVED REJECTED RESOLVE_ERRORS IN_PROGRESS PENDING_MANUAL_REVIEW READY_FOR_VERIFICATION",
  ),
  errors: z.array(z.looseObject({ resourceId: Text, type: Text })),
});
const DelegatedKey = z.strictObject({
  id: id("DelegatedKey"),
  cardId: id("Card"),
  fundingSourceId: id("CardFundingSource"),
  accountId: id("InternalAccount"),
  publicKey: z.string().regex(/^0[23][0-9a-f]{64}$/),
  nickname: z.string().min(1).max(256),
  status: oneOf("PENDING ACTIVE REVOKED"),
  createdAt: Instant,
  updatedAt: Instant,
});
const Rates = z.looseObject({
  data: z.array(z.looseObject({ fees: z.looseObject({ total: Whole.min(0) }) })),
});
/** Of an issuer who linked nothing, all lists are empty. */
const Nothing = z.looseObject({ data: z.array(z.never()), hasMore: z.literal(false) });

const page = (row: z.ZodType) => z.looseObject({ data: z.array(row), hasMore: z.boolean() });
export const Action = z.looseObject({
  transaction: Transaction.optional(),
  quote: Quote.optional(),
});
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
  ["GET /platform/external-accounts", page(ExternalAccount)],
  ["GET /platform/external-accounts/{}", ExternalAccount],
  ["GET /agents/me/external-accounts", page(ExternalAccount)],
  ["POST /agents/me/external-accounts", ExternalAccount],
  ["POST /agents/me/quotes", Quote],
  ["GET /agents/me/quotes/{}", Quote],
  ["POST /agents/me/transfer-in", Action],
  ["POST /agents/me/transfer-out", Action],
  ["POST /beneficial-owners", Owner],
  ["GET /beneficial-owners", page(Owner)],
  ["GET /beneficial-owners/{}", Owner],
  ["PATCH /beneficial-owners/{}", Owner],
  ["POST /verifications", Verification],
  ["GET /verifications", page(Verification)],
  ["GET /verifications/{}", Verification],
  ["GET /exchange-rates", Rates],
  ["DELETE /customers/{}", Customer],
  ["POST /auth/delegated-keys", z.union([DelegatedKey, Challenge])],
  ["GET /auth/delegated-keys", z.strictObject({ data: z.array(DelegatedKey) })],
  ["GET /auth/delegated-keys/{}", DelegatedKey],
  ["GET /stablecoin-provider-accounts", Nothing],
  ["GET /stablecoins", Nothing],
  ["GET /auth/sessions", z.looseObject({ data: z.array(Session) })],
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
