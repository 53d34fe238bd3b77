import { AGENT_REFUSALS } from "./agents/agent-refusals.ts";
import { CARD_REFUSALS } from "./cards/card-refusals.ts";
import { CONTROL_REFUSALS } from "./control/control-refusals.ts";
import { type RefusalRow, row } from "./core/refusal-row.ts";
import { UPLOAD_REFUSALS } from "./customers/upload-refusals.ts";
import { PLATFORM_REFUSALS } from "./platform/platform-refusals.ts";
import { PROOF_REFUSALS } from "./wallets/proof-refusals.ts";

/**
 * Every documented error: the word that rules refuse with, its published code and HTTP status, a
 * sentence, and the next step (spec/errors.md#messages). A word that differs from its code is also
 * sent as `reason` (spec/errors.md#body). `{name}` in a sentence is filled from the details of the
 * refusal.
 */
export const REFUSALS = {
  // 400
  INVALID_INPUT: row(
    [400, "INVALID_INPUT"],
    "The request is not valid",
    "Correct the field named in details and send it again",
  ),
  INVALID_REQUEST_FORMAT: row(
    [400, "INVALID_REQUEST_FORMAT"],
    "The request could not be read",
    "Send well-formed JSON in UTF-8 and a correctly percent-encoded path",
  ),
  INVALID_AMOUNT: row(
    [400, "INVALID_AMOUNT"],
    "{field} is not a usable amount",
    "Send a whole number in the currency's smallest unit",
  ),
  AMOUNT_OUT_OF_RANGE: row(
    [400, "AMOUNT_OUT_OF_RANGE"],
    "{field} is {value}, above the maximum of {max}",
    "Choose an amount within the bounds named in details",
  ),
  INVALID_CURRENCY: row(
    [400, "INVALID_CURRENCY"],
    "The currency {currency} does not fit here",
    "Use a currency that the account type and GET /config allow",
  ),
  INVALID_BANK_ACCOUNT: row(
    [400, "INVALID_BANK_ACCOUNT"],
    "The account details were refused",
    "Use other account details; service-sim outcomes lists the endings with a meaning",
  ),
  MISSING_MANDATORY_USER_INFO: row(
    [400, "MISSING_MANDATORY_USER_INFO"],
    "{field} of the customer is missing",
    "Send it with the customer or the request, or leave out the option that needs it",
  ),
  INVALID_UMA_ADDRESS: row(
    [400, "INVALID_UMA_ADDRESS"],
    "Expected a UMA address but found {value}",
    "Use $ and up to 63 of a-z 0-9 - _ . + in front of @ and a domain name",
  ),
  SELF_PAYMENT: row(
    [400, "SELF_PAYMENT"],
    "Source and destination are the same account",
    "Name two different ones",
  ),
  INVALID_RECEIVER: row(
    [400, "INVALID_RECEIVER"],
    "The lookup was made for {receiver}, not for {value}",
    "Send the lookupId that GET /receiver returned for this receiver",
  ),
  LOOKUP_REQUEST_NOT_FOUND_IN_BODY: row(
    [400, "INVALID_INPUT"],
    "{field} names no lookup: {value}",
    "Look the receiver up again with GET /receiver, and quote before the lookup has expired",
  ),
  WEBHOOK_ENDPOINT_NOT_SET: row(
    [400, "WEBHOOK_ENDPOINT_NOT_SET"],
    "No webhook endpoint is configured",
    "PATCH /config with a webhookEndpoint first",
  ),
  WEBHOOK_DELIVERY_ERROR: row(
    [400, "WEBHOOK_DELIVERY_ERROR"],
    "The webhook endpoint {url} gave no answer: {why}",
    "Start the receiver, or PATCH /config with an endpoint that answers",
  ),
  ACCOUNT_NOT_FOUND: row(
    [400, "INVALID_INPUT"],
    "{field} names no account: {value}",
    "Use an id from the lists of internal or external accounts",
  ),
  USER_NOT_FOUND_IN_BODY: row(
    [400, "INVALID_INPUT"],
    "{field} names no customer: {value}",
    "Use an id from GET /customers",
  ),
  ACCOUNT_NOT_ACTIVE: row(
    [400, "INVALID_INPUT"],
    "{value} is {accountStatus} and can neither send nor receive",
    "Use an account whose status is ACTIVE",
  ),
  CUSTOMER_DELETED_IN_PAYMENT: row(
    [400, "INVALID_INPUT"],
    "{value} belongs to a deleted customer",
    "Use an account of a customer that is not deleted",
  ),
  OWNER_MISMATCH: row(
    [400, "INVALID_INPUT"],
    "{field} belongs to somebody else",
    "Use an account of the paying customer or of the platform",
  ),
  ACCOUNT_KIND_NOT_ALLOWED: row(
    [400, "INVALID_INPUT"],
    "{field} cannot be {value}, which is {found}",
    "Use {expected}",
  ),
  SOURCE_NOT_PULLABLE: row(
    [400, "INVALID_INPUT"],
    "{value} is a {accountType}, which money cannot be pulled from",
    "Use a bank account as the source, or have the money sent",
  ),
  USE_QUOTE: row(
    [400, "INVALID_INPUT"],
    "{value} is an embedded wallet, which pays only with a signature",
    "POST /quotes with it as the source, and execute that quote",
  ),
  INSUFFICIENT_BALANCE: row(
    [400, "AMOUNT_OUT_OF_RANGE"],
    "The balance {balance} is below the {needed} needed",
    "POST /sandbox/internal-accounts/{accountId}/fund adds money",
  ),
  NOT_A_WALLET: row(
    [400, "INVALID_INPUT"],
    "{value} is not an embedded wallet",
    "GET /customers/internal-accounts?type=EMBEDDED_WALLET lists the wallets",
  ),
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: row(
    [400, "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"],
    "The wallet already has an EMAIL_OTP credential",
    "Use it, or add a credential of another type",
  ),
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: row(
    [400, "PASSKEY_CREDENTIAL_ALREADY_EXISTS"],
    "The wallet already has a PASSKEY credential",
    "Use it, or add a credential of another type",
  ),
  OAUTH_CREDENTIAL_ALREADY_EXISTS: row(
    [400, "INVALID_INPUT"],
    "The wallet already has an OAUTH credential",
    "Use it, or add a credential of another type",
  ),
  CHALLENGE_USED: row(
    [400, "INVALID_INPUT"],
    "A passkey was already registered with this challenge at {usedAt}",
    "Make a fresh random challenge for each navigator.credentials.create()",
  ),
  LAST_CREDENTIAL: row(
    [400, "INVALID_INPUT"],
    "This is the only credential of its wallet",
    "Add another credential first, then revoke this one",
  ),
  // 401, 403
  UNAUTHORIZED: row(
    [401, "UNAUTHORIZED"],
    "The credentials are missing or wrong",
    "Send HTTP Basic with the client id and secret that service-sim env prints",
  ),
  FORBIDDEN: row(
    [403, "FORBIDDEN"],
    "These credentials do not allow this",
    "Use an API token with the permission named in details",
  ),
  USER_NOT_READY: row(
    [403, "USER_NOT_READY"],
    "The paying customer is {customerStatus}, not APPROVED",
    "Pay from a customer whose KYC or KYB status is APPROVED",
  ),
  // 404, 405, 409, 410, 424
  QUOTE_NOT_FOUND: row(
    [404, "QUOTE_NOT_FOUND"],
    "No quote has the id {id}",
    "POST /quotes creates one",
  ),
  TRANSACTION_NOT_FOUND: row(
    [404, "TRANSACTION_NOT_FOUND"],
    "No transaction has the id {id}",
    "GET /transactions lists them",
  ),
  USER_NOT_FOUND: row(
    [404, "USER_NOT_FOUND"],
    "No customer has the id {id}",
    "GET /customers lists them",
  ),
  REFERENCE_NOT_FOUND: row(
    [404, "REFERENCE_NOT_FOUND"],
    "{id} not found",
    "Check the id against the list of its resource",
  ),
  UMA_NOT_FOUND: row(
    [404, "UMA_NOT_FOUND"],
    "No one has the UMA address {id}",
    "The sandbox has {sandboxPeople} at {sandboxDomains}; GET /customers lists the others",
  ),
  UNKNOWN_OPERATION: row(
    [404, "REFERENCE_NOT_FOUND"],
    "There is no operation {method} {path}",
    "The closest one is {closest}",
  ),
  NO_CLOSE_OPERATION: row(
    [404, "REFERENCE_NOT_FOUND"],
    "There is no operation {method} {path}",
    "service-sim openapi prints every operation of the platform",
  ),
  METHOD_NOT_ALLOWED: row(
    [405, "METHOD_NOT_ALLOWED"],
    "{path} does not take {method}",
    "Use {allow}",
  ),
  QUOTE_EXPIRED: row(
    [409, "CONFLICT"],
    "The quote expired at {expiresAt}",
    "Create a new quote and execute it before its expiresAt",
  ),
  QUOTE_ALREADY_EXECUTED: row(
    [409, "CONFLICT"],
    "The quote is already {quoteStatus}",
    "GET /quotes/{id} shows the result",
  ),
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: row(
    [409, "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"],
    "The transaction {id} is not waiting for approval: it is {transactionStatus}",
    "GET /transactions/{id} shows the result",
  ),
  UMA_ADDRESS_EXISTS: row(
    [409, "UMA_ADDRESS_EXISTS"],
    "The UMA address {value} is taken",
    "Choose another one, or leave it out to have one made",
  ),
  PLATFORM_CUSTOMER_ID_EXISTS: row(
    [409, "CONFLICT"],
    "The platformCustomerId {value} belongs to an active customer",
    "Choose another one, or leave it out to have one made",
  ),
  EXTERNAL_ACCOUNT_EXISTS: row(
    [409, "CONFLICT"],
    "This account already exists",
    "Use the account named in details.existingAccountId",
  ),
  CUSTOMER_DELETED: row(
    [410, "CUSTOMER_DELETED"],
    "The customer {id} is already deleted",
    "GET /customers/{id} still shows it",
  ),
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: row(
    [409, "EMAIL_OTP_EMAIL_ALREADY_EXISTS"],
    "The address {value} belongs to another EMAIL_OTP credential",
    "Use another address",
  ),
  LNURLP_REQUEST_FAILED: row(
    [424, "LNURLP_REQUEST_FAILED"],
    "{value} is at a domain that the simulator does not call",
    "Use {sandboxPeople} at {sandboxDomains}, or the umaAddress of a customer",
  ),
  // 413, 415, 429, 500, 501, 503
  RATE_LIMITED: row(
    [429, "RATE_LIMITED"],
    "Too many {what}",
    "Try again after Retry-After; service-sim advance {retryAfterSeconds}s moves the clock there",
  ),
  PAYLOAD_TOO_LARGE: row(
    [413, "PAYLOAD_TOO_LARGE"],
    "The body is over {limitBytes} bytes",
    "Send less in one request",
  ),
  UNSUPPORTED_MEDIA_TYPE: row(
    [415, "UNSUPPORTED_MEDIA_TYPE"],
    "The body is {found}, not {expected}",
    "Send content-type: {expected}",
  ),
  INTERNAL_ERROR: row(
    [500, "INTERNAL_ERROR"],
    "service-sim has hit an internal bug",
    "Report it with the request id; service-sim status shows the cause",
  ),
  NOT_IMPLEMENTED: row(
    [501, "NOT_IMPLEMENTED"],
    "{what} is not simulated yet",
    "The README says what is simulated",
  ),
  UNAVAILABLE: row(
    [503, "UNAVAILABLE"],
    "The world cannot take this now: {why}",
    "Try again after Retry-After; service-sim status shows the cause",
  ),
  ...AGENT_REFUSALS,
  ...UPLOAD_REFUSALS,
  ...CARD_REFUSALS,
  ...CONTROL_REFUSALS,
  ...PLATFORM_REFUSALS,
  ...PROOF_REFUSALS,
} as const satisfies Record<string, RefusalRow>;

export type RefusalWord = keyof typeof REFUSALS;

/**
 * Published spellings of `reason` that differ from the word; `undefined` means no reason. Words for
 * ids in a body share a spelling with those for ids in a path (spec/errors.md#ids-in-a-body).
 */
export const REASON_SPELLINGS: Partial<Record<RefusalWord, string | undefined>> = {
  AGENT_TOKEN_NOT_ACCEPTED: undefined,
  QUOTE_SIGNATURE_MISSING: undefined,
  USER_NOT_FOUND_IN_BODY: "USER_NOT_FOUND",
  CUSTOMER_DELETED_IN_PAYMENT: "CUSTOMER_DELETED",
  SIGN_IN_OF_DELETED_CUSTOMER: "CUSTOMER_DELETED",
  LOOKUP_REQUEST_NOT_FOUND_IN_BODY: "LOOKUP_REQUEST_NOT_FOUND",
  PLATFORM_CARD_ID_EXISTS: undefined,
  CARD_TRANSACTION_STATE: undefined,
  UNKNOWN_OPERATION: "UNKNOWN_OPERATION",
  NO_CLOSE_OPERATION: "UNKNOWN_OPERATION",
  INVALID_OTP_CODE: "Invalid OTP code",
  INVALID_PASSKEY_SIGNATURE: "Invalid passkey signature",
  INVALID_OIDC_TOKEN: "Invalid OIDC token",
  INVALID_WALLET_SIGNATURE: "Invalid Service-Wallet-Signature",
  UNKNOWN_REQUEST_ID: "Unknown Request-Id",
  REQUEST_ID_EXPIRED: "Request-Id expired",
  REQUEST_ID_USED: "Request-Id already used",
  REQUEST_BODY_CHANGED: "Request body does not match the pending request",
  SESSION_NOT_ACTIVE: "Session is not active",
};
