import type { RevisionChange } from "./revisions.ts";

/** A difference between a revision and the one before it, in operations that both have. */
interface Change {
  /** The calls it is about, by the names of their operations. */
  operations: readonly string[];
  before: string;
  after: string;
}

const SIGNED_RETRIES = "every signed retry";
const EVERY_FAULT = "every call that a fault answers";

/** Changes of later revisions, one row each (spec/revisions.md#changes). */
export const REVISION_CHANGES = {
  clientHeldSessionKeys: {
    operations: ["challengeCredential", "verifyCredential", "refreshSession"],
    before: "clientPublicKey is uncompressed; the session's key comes encrypted to it",
    after:
      "a compressed clientPublicKey is the session's key itself: no encryptedSessionSigningKey",
  },
  severalPasskeys: {
    operations: ["createCredential"],
    before: "a wallet has one passkey at most",
    after: "a wallet may have several passkeys, each credentialId once",
  },
  hexChallenges: {
    operations: ["challengeCredential", "verifyCredential"],
    before: "a passkey's challenge is 32 random bytes in base64url",
    after: "a passkey's challenge is the SHA-256 of the session's request, in hex",
  },
  fullStamps: {
    operations: [SIGNED_RETRIES],
    before: "a wallet signature is a stamp, or the bare base64",
    after: "a wallet signature is always a stamp",
  },
  idTokenNonces: {
    operations: ["verifyCredential"],
    before: "an ID token's nonce is ignored; the magic token is accepted",
    after: "nonce must be the SHA-256 of clientPublicKey's text, in hex; no magic token",
  },
  cardProcessing: {
    operations: ["createCard", "listCards", "getCard", "patchCard"],
    before: "a card that waits for its issuer is PENDING_ISSUE",
    after: "a card that waits for its issuer is PROCESSING",
  },
  cardReveal: {
    operations: ["createCard", "listCards", "getCard", "patchCard"],
    before: "a card has panEmbedUrl",
    after: "a card has none; POST /cards/{cardId}/reveal returns it",
  },
  acceptedSimulations: {
    operations: ["simulateCardAuthorization", "simulateCardClearing", "simulateCardReturn"],
    before: "card simulations are answered with 200",
    after: "card simulations are answered with 202",
  },
  transactionDirections: {
    operations: ["listTransactions", "getTransaction", "transferIn", "transferOut"],
    before: "a transaction has a type",
    after: "a transaction has a direction too, as its customer sees it",
  },
  totalBalances: {
    operations: ["listCustomerInternalAccounts", "listPlatformInternalAccounts"],
    before: "an account has a balance",
    after: "an account has a totalBalance too, which holds of cards are a part of",
  },
  cardLimits: {
    operations: ["createCard", "patchCard", "getCard", "listCards"],
    before: "a card has no limit of its own",
    after: "maxSpendPerTransaction declines what is above it; a card has a processorRef",
  },
  accountForms: {
    operations: ["createCustomerExternalAccount", "createPlatformExternalAccount"],
    before: "forms of bank accounts as the rest of the book has them",
    after: "CNY_ACCOUNT, PLASMA_WALLET, new rails; other members in fifteen types",
  },
  walletCustody: {
    operations: ["createCustomerExternalAccount", "createPlatformExternalAccount"],
    before: "a wallet has an address",
    after: "a wallet may have a beneficiary, and the vaspName of its exchange",
  },
  accountOwnership: {
    operations: ["createCustomerExternalAccount", "createPlatformExternalAccount"],
    before: "an external account is always ACTIVE",
    after: "ownershipType is kept; a wallet may be PENDING_OWNERSHIP_VERIFICATION or UNVERIFIED",
  },
  failedAccounts: {
    operations: ["listCustomerInternalAccounts", "listPlatformInternalAccounts"],
    before: "an internal account is PENDING, ACTIVE, CLOSED or FROZEN",
    after: "it may be FAILED, which neither sends nor receives",
  },
  paymentForms: {
    operations: ["createQuote", "getQuote", "listCustomerInternalAccounts"],
    before: "45 kinds of payment instructions",
    after: "BITCOIN_L1, PLASMA_WALLET, SWIFT_ACCOUNT, CNY_ACCOUNT; a bankAddress for dollars",
  },
  accountEvents: {
    operations: ["createCustomerExternalAccount", "listCustomerInternalAccounts"],
    before: "no event about an external account, or about funding instructions",
    after: "EXTERNAL_ACCOUNT.STATUS_UPDATED and INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
  },
  encryptedCodes: {
    operations: ["createCredential", "challengeCredential", "verifyCredential"],
    before: "a one-time code is sent as it is, and one call signs in",
    after: "a code is sealed to a key of the challenge; a second, signed call signs in",
  },
  smsCodes: {
    operations: ["createCredential", "challengeCredential", "verifyCredential", "listCredentials"],
    before: "one-time codes are mailed",
    after: "a credential SMS_OTP has codes by text message, to phoneNumber of the customer",
  },
  walletsBornWithEmail: {
    operations: ["createCustomer"],
    before: "a wallet begins without credentials",
    after: "a wallet begins with an EMAIL_OTP credential where its customer has an email",
  },
  idTokenRules: {
    operations: ["createCredential", "verifyCredential"],
    before: "the signature of an ID token is verified; a wallet has one OAUTH credential",
    after: "the signature may be a dummy; age, aud, sub and exp count, one credential an identity",
  },
  signedExports: {
    operations: ["exportWallet"],
    before: "dataSignature and enclaveQuorumPublic are empty",
    after: "an export is signed by the world's own key",
  },
  customerContacts: {
    operations: ["createCustomer", "patchCustomer", "getCustomer", "listCustomers"],
    before: "a customer has an email",
    after: "a customer has a phoneNumber too; an update changes one of the two",
  },
  customerHolds: {
    operations: ["getCustomer", "listCustomers", "getBeneficialOwner", "listBeneficialOwners"],
    before: "a status is UNVERIFIED, PENDING, APPROVED or REJECTED",
    after: "a status may be HOLD; the operator sets it",
  },
  dueDiligence: {
    operations: ["createCustomer", "patchCustomer", "getCustomer", "listCustomers"],
    before: "a person has a name, a date of birth and a nationality",
    after: "a person may have an identification and the answers of due diligence",
  },
  businessDetails: {
    operations: ["createCustomer", "patchCustomer"],
    before: "a business may be created without businessInfo, or without its country",
    after: "businessInfo and its country are required; it has further members and words",
  },
  identityFields: {
    operations: ["getConfig", "patchConfig", "lookUpUma", "lookUpExternalAccount"],
    before: "the names of customer fields have no identification",
    after: "ID_TYPE and ID_NUMBER are names of customer fields",
  },
  fieldErrors: {
    operations: ["createCustomer", "patchCustomer"],
    before: "details.field names the first wrong field",
    after: "details.errors lists every wrong field too",
  },
  verificationRules: {
    operations: ["createCustomer", "createVerification", "createBeneficialOwner"],
    before: "a person is always approved, an owner is decided at creation",
    after: "names decide about persons; data and documents count; owners wait for their business",
  },
  endUserConsents: {
    operations: ["createCustomer", "patchCustomer", "createQuote", "executeQuote"],
    before: "nobody records that a customer accepted terms",
    after: "endUserTermsConsent records it; --end-user-terms required asks for it",
  },
  unsignedCardUpdates: {
    operations: ["patchCard"],
    before: "a change of a card is signed: 202, then 200",
    after: "a change of a card is answered with 200 at once, without a signature",
  },
  cardEvents: {
    operations: ["simulateCardAuthorization", "simulateCardClearing", "simulateCardReturn"],
    before: "a card transaction has no webhooks",
    after: "a CARD_TRANSACTION webhook is sent at every step",
  },
  upperCardEvents: {
    operations: ["createCard", "patchCard"],
    before: "card.state_change, unless --card-events says otherwise",
    after: "CARD.STATE_CHANGE, unless --card-events says otherwise",
  },
  declinesAsExceptions: {
    operations: ["simulateCardAuthorization"],
    before: "a declined card transaction is DECLINED, with a declineCode",
    after: "a declined card transaction is an EXCEPTION, without a code",
  },
  cardTransactionsListed: {
    operations: [
      "listTransactions",
      "getTransaction",
      "agentListTransactions",
      "agentGetTransaction",
    ],
    before: "only simulations show card transactions",
    after: "card transactions are listed and read beside payments",
  },
  settlementForecasts: {
    operations: ["listTransactions", "getTransaction", "transferOut", "sandboxSend"],
    before: "a payment does not show its rail",
    after: "a payment shows its rail, and when it should settle",
  },
  pendingReasons: {
    operations: ["listTransactions", "getTransaction"],
    before: "a payment that waits does not say why",
    after: "pendingReason says what delays a payment",
  },
  failureReasons: {
    operations: ["listTransactions", "getTransaction", "transferIn", "transferOut"],
    before: "a returned or refused payout is COUNTERPARTY_POST_TX_FAILED",
    after: "failureReason says why the receiving side refused",
  },
  incomingSides: {
    operations: ["listTransactions", "getTransaction", "sandboxReceiveUma"],
    before: "an incoming payment has rateDetails, and its fees in the receiving currency",
    after: "it has sentAmount and exchangeRate instead, and its fees in the sending currency",
  },
  onChainTransactions: {
    operations: ["listTransactions", "getTransaction"],
    before: "a payment to or from a crypto wallet names no transaction of its chain",
    after: "a settled one has onChainTransaction",
  },
  incomingRefunds: {
    operations: ["listTransactions", "getTransaction"],
    before: "an incoming payment that goes back to its sender becomes REFUNDED",
    after: "it becomes FAILED with a refund, whose steps are events",
  },
  remittance: {
    operations: ["createQuote", "agentCreateQuote", "transferOut", "agentTransferOut"],
    before: "a payout has no text for its receiver; a transfer has no rail",
    after: "remittanceInformation; a transfer out may name its rail and its purpose",
  },
  scaFactors: {
    operations: ["createQuote", "agentCreateQuote", "executeQuote"],
    before: "the body of an execution is not read",
    after: "scaFactor is checked, and has no effect outside SCA regions",
  },
  walletQuoteSignatures: {
    operations: ["executeQuote"],
    before: "an unsigned execution of a wallet's quote is answered 202 with what to sign",
    after: "it is 401 WALLET_SIGNATURE_MISSING: the quote has what to sign",
  },
  platformFees: {
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
    operations: ["getConfig", "patchConfig"],
    before: "the configuration has no texts for card tokens",
    after: "cardTokenization2faConfig",
  },
  transactionLimits: {
    operations: ["createQuote", "executeQuote", "transferOut"],
    before: "only the bounds of a currency limit a payment",
    after: "limits that a tester sets: 400 for one payment, 429 for a day",
  },
  serviceUnavailable: {
    operations: [EVERY_FAULT],
    before: "a fault without a code answers 503 with UNAVAILABLE",
    after: "it answers 503 with SERVICE_UNAVAILABLE",
  },
} as const satisfies Readonly<Record<RevisionChange, Change>>;
