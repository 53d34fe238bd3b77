import { GENERAL_CODES } from "../../contract/core/error-codes.ts";
import { operationExercise } from "./operations.ts";
import { outcomeExercise } from "./outcomes.ts";
import {
  agentWith,
  bank,
  CARD,
  CLIENT_KEY,
  CUSTOMER,
  EMAIL,
  mxn,
  OUT,
  OWNED_WALLET,
  PASSKEY,
  PAYER,
  passkeyBody,
  payee,
  transferBody,
  USD,
  unknownId,
  WALLET,
  walletBody,
} from "./parts.ts";
import { advance, byAgent, call, receiver, refused, type Steps } from "./steps.ts";

const NOWHERE = { destinationType: "ACCOUNT", accountId: unknownId("ExternalAccount") };

const umaQuote = (change: object, expect: number): Steps => [
  ...PAYER,
  call("lookup = GET /receiver/uma/$success.mxn@${sandbox.umaDomain}"),
  refused(expect, "POST /quotes", {
    source: { sourceType: "ACCOUNT", accountId: "${usd.data.0.id}" },
    destination: {
      destinationType: "UMA_ADDRESS",
      umaAddress: "$success.mxn@${sandbox.umaDomain}",
    },
    lookupId: "${lookup.lookupId}",
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    senderCustomerInfo: { FULL_NAME: "Tomas Reyes", BIRTH_DATE: "1979-11-30" },
    ...change,
  }),
];

const invitation = call("invitation = POST /invitations", { inviterUma: "$lena@pay.example" });
const CLAIM = "POST /invitations/${invitation.code}/claim";
const CLAIMER = { inviteeUma: "$noor@bank.example" };

const twice = (line: string, body: object, expect: number): Steps => [
  call(line, body),
  refused(expect, line, body),
];

const PARTIES: Record<string, Steps> = {
  INVALID_INPUT: [refused(400, "POST /quotes", { destination: NOWHERE })],
  INVALID_REQUEST_FORMAT: [
    // A form under the media type of JSON.
    call("POST /customers", undefined, {
      headers: { "content-type": "application/json" },
      file: { name: "customer.json", text: "{" },
      expect: 400,
    }),
  ],
  INVALID_UMA_ADDRESS: [
    refused(400, "POST /customers", { customerType: "INDIVIDUAL", umaAddress: "lena@pay.example" }),
  ],
  INVALID_RECEIVER: [
    ...umaQuote({}, 400).slice(0, -1),
    call("lookup = GET /receiver/uma/$success.usd@${sandbox.umaDomain}"),
    ...umaQuote({}, 400).slice(-1),
  ],
  MISSING_MANDATORY_USER_INFO: umaQuote({ senderCustomerInfo: {} }, 400),
  INVALID_CURRENCY: [
    CUSTOMER,
    refused(400, "POST /customers/external-accounts", {
      customerId: "${customer.id}",
      ...mxn("999"),
      currency: "USD",
    }),
  ],
  INVALID_BANK_ACCOUNT: [CUSTOMER, { ...payee("105"), expect: { status: 400 } }],
  INVALID_AMOUNT: [
    CUSTOMER,
    USD,
    refused(400, "POST /sandbox/internal-accounts/${usd.data.0.id}/fund", { amount: 0 }),
  ],
  AMOUNT_OUT_OF_RANGE: [CUSTOMER, USD, bank("999"), refused(400, "POST /transfer-out", OUT)],
  SELF_PAYMENT: [
    refused(
      400,
      "GET /receiver/uma/$success.mxn@${sandbox.umaDomain}?senderUmaAddress=$success.mxn@${sandbox.umaDomain}",
    ),
  ],
  USER_NOT_FOUND: [refused(404, `GET /customers/${unknownId("Customer")}`)],
  UMA_ADDRESS_EXISTS: [
    CUSTOMER,
    refused(409, "POST /customers", {
      customerType: "INDIVIDUAL",
      umaAddress: "${customer.umaAddress}",
    }),
  ],
  CUSTOMER_DELETED: [
    CUSTOMER,
    call("DELETE /customers/${customer.id}"),
    refused(410, "DELETE /customers/${customer.id}"),
  ],
  CONFLICT: [CUSTOMER, payee("999"), { ...payee("999"), expect: { status: 409 } }],
  REFERENCE_NOT_FOUND: [refused(404, `GET /cards/${unknownId("Card")}`)],
  BULK_UPLOAD_JOB_NOT_FOUND: [refused(404, `GET /customers/bulk/jobs/${unknownId("Job")}`)],
  USER_NOT_READY: [
    CUSTOMER,
    USD,
    bank("999"),
    call("PATCH /_sim/customers/${customer.id}", { kycStatus: "PENDING" }),
    refused(403, "POST /transfer-in", transferBody("${bank.id}", "${usd.data.0.id}")),
  ],
  CARDHOLDER_KYC_NOT_APPROVED: [
    CUSTOMER,
    USD,
    call("PATCH /_sim/customers/${customer.id}", { kycStatus: "PENDING" }),
    refused(400, "POST /cards", {
      cardholderId: "${customer.id}",
      form: "VIRTUAL",
      fundingSources: ["${usd.data.0.id}"],
    }),
  ],
  FUNDING_SOURCE_INELIGIBLE: outcomeExercise("fundingSource.002"),
};

const PAYMENTS: Record<string, Steps> = {
  QUOTE_NOT_FOUND: [refused(404, `GET /quotes/${unknownId("Quote")}`)],
  TRANSACTION_NOT_FOUND: [refused(404, `GET /transactions/${unknownId("Transaction")}`)],
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: [
    ...PAYER,
    bank("999"),
    call("payment = POST /transfer-in", transferBody("${bank.id}", "${usd.data.0.id}")),
    refused(409, "POST /transactions/${payment.id}/approve"),
  ],
  UMA_NOT_FOUND: [refused(404, "GET /receiver/uma/$nobody@${sandbox.umaDomain}")],
  LNURLP_REQUEST_FAILED: [refused(424, "GET /receiver/uma/$lena@bank.example")],
  WEBHOOK_ENDPOINT_NOT_SET: [
    call("PATCH /config", { webhookEndpoint: null }),
    refused(400, "POST /sandbox/webhooks/test"),
  ],
  WEBHOOK_DELIVERY_ERROR: [
    ...receiver({ TEST: [200, "drop", "drop"] }),
    refused(400, "POST /sandbox/webhooks/test"),
  ],
  INVALID_STATE_TRANSITION: [
    ...CARD,
    advance("1s"),
    call("POST /_sim/cards/${card.id}/close"),
    refused(409, "PATCH /cards/${card.id}", { state: "FROZEN" }),
  ],
};

const PLATFORM: Record<string, Steps> = {
  // A wrong code rather than a wrong secret: such a call would belong to no world.
  UNAUTHORIZED: [
    ...OWNED_WALLET,
    refused(401, "POST /auth/credentials/${email.id}/verify", {
      type: "EMAIL_OTP",
      otp: "999999",
      clientPublicKey: CLIENT_KEY,
    }),
  ],
  FORBIDDEN: [
    ...PAYER,
    bank("999"),
    ...agentWith({
      permissions: ["VIEW_TRANSACTIONS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
    }),
    byAgent("POST /agents/me/transfer-out", OUT, 403),
  ],
  TOKEN_NOT_FOUND: [refused(404, `GET /tokens/${unknownId("Token")}`)],
  INVITATION_NOT_FOUND: [refused(404, "GET /invitations/00000000")],
  INVITATION_ALREADY_CLAIMED: [invitation, call(CLAIM, CLAIMER), refused(400, CLAIM, CLAIMER)],
  INVITATION_CANCELLED: [
    invitation,
    call("POST /invitations/${invitation.code}/cancel"),
    refused(400, CLAIM, CLAIMER),
  ],
  LOW_QUALITY: outcomeExercise("document.201"),
  DATA_MISMATCH: outcomeExercise("document.202"),
  EXPIRED: outcomeExercise("document.203"),
  SUSPECTED_FRAUD: outcomeExercise("document.204"),
  UNSUITABLE_DOCUMENT: outcomeExercise("document.205"),
  INCOMPLETE: outcomeExercise("document.206"),
  METHOD_NOT_ALLOWED: [refused(405, "PUT /customers", {})],
  UNSUPPORTED_MEDIA_TYPE: [
    call("POST /customers", {}, { headers: { "content-type": "text/plain" }, expect: 415 }),
  ],
  PAYLOAD_TOO_LARGE: [refused(413, "POST /customers", { fullName: "x".repeat(1_100_000) })],
};

const WALLETS: Record<string, Steps> = {
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: [
    ...WALLET,
    ...twice("POST /auth/credentials", { ...walletBody, type: "EMAIL_OTP", email: EMAIL }, 400),
  ],
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: [
    ...WALLET,
    PASSKEY,
    ...twice("POST /auth/credentials", passkeyBody, 400),
  ],
  RATE_LIMITED: [
    ...OWNED_WALLET,
    ...Array.from({ length: 3 }, () => call("POST /auth/credentials/${email.id}/challenge")),
    refused(429, "POST /auth/credentials/${email.id}/challenge"),
  ],
};

/** Calls that meet codes which the sandbox refuses with by itself. */
const NATURAL: Readonly<Record<string, Steps>> = {
  ...PARTIES,
  ...PAYMENTS,
  ...PLATFORM,
  ...WALLETS,
};

/** A fault switch that strikes one call with a code. */
const injected = (code: string, status: number): Steps => [
  call("POST /_sim/faults", {
    match: { operation: "listDiscoveries", times: 1 },
    fault: { code },
  }),
  refused(status, "GET /discoveries"),
];

/** Steps that meet a code: by a call that it refuses, or by a fault switch. */
export const errorExercise = (code: string, status: number): Steps =>
  NATURAL[code] ?? injected(code, status);

/** Steps that meet a status. */
export const statusExercise = (
  status: number,
  codeOf: (status: number) => string | undefined,
): Steps => {
  if (status === 200) return operationExercise("getConfig");
  if (status === 201) return operationExercise("createCustomer");
  if (status === 202) return operationExercise("uploadCustomersCsv");
  if (status === 204) return operationExercise("deleteToken");
  const code = status === 404 ? "QUOTE_NOT_FOUND" : (codeOf(status) ?? GENERAL_CODES[status]);
  return errorExercise(code ?? "INTERNAL_ERROR", status);
};
