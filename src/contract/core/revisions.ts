/** Revisions of the service, oldest first; the first is what a simulator serves by default. */
export const REVISIONS = ["2025-10", "2026-08"] as const;
export type Revision = (typeof REVISIONS)[number];

export const FIRST_REVISION = REVISIONS[0];

/** A difference between a revision and the one before it, in operations that both have. */
interface Change {
  since: Revision;
  /** The calls it is about, by the names of their operations. */
  operations: readonly string[];
  before: string;
  after: string;
}

const SIGNED_RETRIES = "every signed retry";

/** Changes of later revisions, one row each (spec/revisions.md#changes). */
export const REVISION_CHANGES = {
  clientHeldSessionKeys: {
    since: "2026-08",
    operations: ["challengeCredential", "verifyCredential", "refreshSession"],
    before: "clientPublicKey is uncompressed; the session's key comes encrypted to it",
    after:
      "a compressed clientPublicKey is the session's key itself: no encryptedSessionSigningKey",
  },
  severalPasskeys: {
    since: "2026-08",
    operations: ["createCredential"],
    before: "a wallet has one passkey at most",
    after: "a wallet may have several passkeys, each credentialId once",
  },
  hexChallenges: {
    since: "2026-08",
    operations: ["challengeCredential", "verifyCredential"],
    before: "a passkey's challenge is 32 random bytes in base64url",
    after: "a passkey's challenge is the SHA-256 of the session's request, in hex",
  },
  fullStamps: {
    since: "2026-08",
    operations: [SIGNED_RETRIES],
    before: "a wallet signature is a stamp, or the bare base64",
    after: "a wallet signature is always a stamp",
  },
  idTokenNonces: {
    since: "2026-08",
    operations: ["verifyCredential"],
    before: "an ID token's nonce is ignored; the magic token is accepted",
    after: "nonce must be the SHA-256 of clientPublicKey's text, in hex; no magic token",
  },
  cardProcessing: {
    since: "2026-08",
    operations: ["createCard", "listCards", "getCard", "patchCard"],
    before: "a card that waits for its issuer is PENDING_ISSUE",
    after: "a card that waits for its issuer is PROCESSING",
  },
  cardReveal: {
    since: "2026-08",
    operations: ["createCard", "listCards", "getCard", "patchCard"],
    before: "a card has panEmbedUrl",
    after: "a card has none; POST /cards/{cardId}/reveal returns it",
  },
  acceptedSimulations: {
    since: "2026-08",
    operations: ["simulateCardAuthorization", "simulateCardClearing", "simulateCardReturn"],
    before: "card simulations are answered with 200",
    after: "card simulations are answered with 202",
  },
  transactionDirections: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction", "transferIn", "transferOut"],
    before: "a transaction has a type",
    after: "a transaction has a direction too, as its customer sees it",
  },
  totalBalances: {
    since: "2026-08",
    operations: ["listCustomerInternalAccounts", "listPlatformInternalAccounts"],
    before: "an account has a balance",
    after: "an account has a totalBalance too, which holds of cards are a part of",
  },
  cardLimits: {
    since: "2026-08",
    operations: ["createCard", "patchCard", "getCard", "listCards"],
    before: "a card has no limit of its own",
    after: "maxSpendPerTransaction declines what is above it; a card has a processorRef",
  },
  settlementForecasts: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction", "transferOut", "sandboxSend"],
    before: "a payment does not tell its rail",
    after: "a payment tells its rail, and when it should settle",
  },
  pendingReasons: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction"],
    before: "a payment that waits does not say why",
    after: "pendingReason says what delays a payment",
  },
  failureReasons: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction", "transferIn", "transferOut"],
    before: "a returned or refused payout is COUNTERPARTY_POST_TX_FAILED",
    after: "failureReason tells what the receiving side said",
  },
  incomingSides: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction", "sandboxReceiveUma"],
    before: "an incoming payment has rateDetails, and its fees in the receiving currency",
    after: "it has sentAmount and exchangeRate instead, and its fees in the sending currency",
  },
  onChainTransactions: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction"],
    before: "a payment to or from a crypto wallet names no transaction of its chain",
    after: "a settled one has onChainTransaction",
  },
  incomingRefunds: {
    since: "2026-08",
    operations: ["listTransactions", "getTransaction"],
    before: "an incoming payment that goes back to its sender becomes REFUNDED",
    after: "it becomes FAILED with a refund, whose steps are events",
  },
  remittance: {
    since: "2026-08",
    operations: ["createQuote", "agentCreateQuote", "transferOut", "agentTransferOut"],
    before: "a payout has no text for its receiver; a transfer has no rail",
    after: "remittanceInformation; a transfer out may name its rail and its purpose",
  },
  scaFactors: {
    since: "2026-08",
    operations: ["createQuote", "agentCreateQuote", "executeQuote"],
    before: "the body of an execution is not read",
    after: "scaFactor is checked, and has no effect outside SCA regions",
  },
  walletQuoteSignatures: {
    since: "2026-08",
    operations: ["executeQuote"],
    before: "an unsigned execution of a wallet's quote is answered 202 with what to sign",
    after: "it is 401 WALLET_SIGNATURE_MISSING: the quote has what to sign",
  },
  platformFees: {
    since: "2026-08",
    operations: [
      "getConfig",
      "patchConfig",
      "createQuote",
      "agentCreateQuote",
      "listExchangeRates",
    ],
    before: "a platform has no fee of its own",
    after: "feeConfigs and platformFeeOverride; the platform's account is credited",
  },
  cardTokenTexts: {
    since: "2026-08",
    operations: ["getConfig", "patchConfig"],
    before: "the configuration has no texts for card tokens",
    after: "cardTokenization2faConfig",
  },
  transactionLimits: {
    since: "2026-08",
    operations: ["createQuote", "executeQuote", "transferOut"],
    before: "only the bounds of a currency limit a payment",
    after: "limits that a tester sets: 400 for one payment, 429 for a day",
  },
  serviceUnavailable: {
    since: "2026-08",
    operations: ["every call that a fault answers"],
    before: "a fault without a code answers 503 with UNAVAILABLE",
    after: "it answers 503 with SERVICE_UNAVAILABLE",
  },
} as const satisfies Readonly<Record<string, Change>>;

export type RevisionChange = keyof typeof REVISION_CHANGES;

/**
 * Ways to serve operations: in full; as the hosted service answers a platform that they do not
 * concern; or with 501.
 */
export type Serving = "full" | "refusal" | "501";

/** A group of operations that the revision before has not. */
interface Feature {
  since: Revision;
  /** Purpose of its operations. */
  brings: string;
  served: Serving;
}

/**
 * Groups of operations that later revisions brought; the table of operations says which those are
 * (spec/revisions.md#features).
 */
export const REVISION_FEATURES = {
  cardNumbers: { since: "2026-08", brings: "the page that shows a card's number", served: "full" },
  transactionEnds: {
    since: "2026-08",
    brings: "cancellation of slow bank transfers, and confirmation of receipts",
    served: "full",
  },
} as const satisfies Readonly<Record<string, Feature>>;

export type RevisionFeature = keyof typeof REVISION_FEATURES;

/** The name of a change or of a feature. */
export type RevisionRow = RevisionChange | RevisionFeature;

/** The revision that brought a change or a feature. */
export const sinceOf = (row: RevisionRow): Revision =>
  ({ ...REVISION_CHANGES, ...REVISION_FEATURES })[row].since;

/** Tells whether a revision has a change or a feature. */
export const hasChange = (revision: Revision, row: RevisionRow): boolean =>
  REVISIONS.indexOf(revision) >= REVISIONS.indexOf(sinceOf(row));

/** The revision before a change, which takes what the change took away. */
export const revisionBefore = (row: RevisionRow): Revision =>
  REVISIONS[REVISIONS.indexOf(sinceOf(row)) - 1] ?? FIRST_REVISION;

/** Says which revision takes a request that the one in force refuses. */
export const takenBy = (revision: Revision) =>
  `revision ${revision} takes it (--revision ${revision})`;
