import { FIRST_REVISION, REVISIONS, type Revision } from "./revision-names.ts";

/**
 * Names of the changes of each later revision. Their texts stand apart: pages load the names alone
 * (spec/revisions.md#changes).
 */
export const CHANGES_SINCE = {
  "2026-08": [
    "clientHeldSessionKeys",
    "severalPasskeys",
    "hexChallenges",
    "fullStamps",
    "idTokenNonces",
    "cardProcessing",
    "cardReveal",
    "acceptedSimulations",
    "transactionDirections",
    "totalBalances",
    "cardLimits",
    "accountForms",
    "walletCustody",
    "accountOwnership",
    "failedAccounts",
    "paymentForms",
    "accountEvents",
    "encryptedCodes",
    "smsCodes",
    "walletsBornWithEmail",
    "idTokenRules",
    "signedExports",
    "customerContacts",
    "customerHolds",
    "dueDiligence",
    "businessDetails",
    "identityFields",
    "fieldErrors",
    "verificationRules",
    "endUserConsents",
    "unsignedCardUpdates",
    "cardEvents",
    "upperCardEvents",
    "declinesAsExceptions",
    "cardTransactionsListed",
    "settlementForecasts",
    "pendingReasons",
    "failureReasons",
    "incomingSides",
    "onChainTransactions",
    "incomingRefunds",
    "remittance",
    "scaFactors",
    "walletQuoteSignatures",
    "platformFees",
    "cardTokenTexts",
    "transactionLimits",
    "serviceUnavailable",
  ],
} as const satisfies Partial<Record<Revision, readonly string[]>>;

/** The name of a change. */
export type RevisionChange = (typeof CHANGES_SINCE)[keyof typeof CHANGES_SINCE][number];

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
  vasps: { since: "2026-08", brings: "the directory of exchanges", served: "full" },
  stablecoins: {
    since: "2026-08",
    brings: "stablecoins of an issuer, of whom no account can be linked",
    served: "refusal",
  },
  stablecoinLinks: {
    since: "2026-08",
    brings: "the link to an account at a provider of stablecoins",
    served: "501",
  },
  endUserTerms: { since: "2026-08", brings: "the terms that end users accept", served: "full" },
  strongAuthentication: {
    since: "2026-08",
    brings: "strong authentication of customers, and trust in beneficiaries",
    served: "refusal",
  },
  walletOwnership: {
    since: "2026-08",
    brings: "proofs that a crypto wallet is its owner's",
    served: "refusal",
  },
  contactVerification: {
    since: "2026-08",
    brings: "codes for a customer's email address and phone number",
    served: "refusal",
  },
  delegatedKeys: {
    since: "2026-08",
    brings: "keys of the service that spend a wallet's money for a card",
    served: "full",
  },
  cardSimulations: {
    since: "2026-08",
    brings: "balance inquiries, credits, advices and reversals of cards",
    served: "full",
  },
  transactionEnds: {
    since: "2026-08",
    brings: "cancellation of slow bank transfers, and confirmation of receipts",
    served: "full",
  },
} as const satisfies Readonly<Record<string, Feature>>;

export type RevisionFeature = keyof typeof REVISION_FEATURES;

/** The name of a change or of a feature. */
export type RevisionRow = RevisionChange | RevisionFeature;

const SINCE: ReadonlyMap<RevisionRow, Revision> = new Map([
  ...Object.entries(CHANGES_SINCE).flatMap(([since, names]) =>
    names.map((name): [RevisionRow, Revision] => [name, since as Revision]),
  ),
  ...Object.entries(REVISION_FEATURES).map(([name, { since }]): [RevisionRow, Revision] => [
    name as RevisionFeature,
    since,
  ]),
]);

/** The revision that brought a change or a feature. */
export const sinceOf = (row: RevisionRow): Revision => SINCE.get(row) ?? FIRST_REVISION;

/** Tells whether a revision has a change or a feature. */
export const hasChange = (revision: Revision, row: RevisionRow): boolean =>
  REVISIONS.indexOf(revision) >= REVISIONS.indexOf(sinceOf(row));

/** The revision before a change, which takes what the change took away. */
export const revisionBefore = (row: RevisionRow): Revision =>
  REVISIONS[REVISIONS.indexOf(sinceOf(row)) - 1] ?? FIRST_REVISION;

/** Says which revision takes a request that the one in force refuses. */
export const takenBy = (revision: Revision) =>
  `revision ${revision} takes it (--revision ${revision})`;
