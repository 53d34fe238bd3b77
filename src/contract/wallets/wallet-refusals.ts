import { MAGIC_VALUES } from "../core/magic-values.ts";
import { nextByMode, type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of wallets, their credentials, codes, tokens, passkeys and signatures, and of their
 * sessions and challenges (spec/errors.md#codes-for-401).
 */
export const WALLET_REFUSALS = {
  NOT_A_WALLET: row(
    "INVALID_INPUT",
    "{value} is not an embedded wallet",
    "GET /customers/internal-accounts?type=EMBEDDED_WALLET lists the wallets",
  ),
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: row(
    "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    "The wallet already has an EMAIL_OTP credential",
    "Use it, or add a credential of another type",
  ),
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: row(
    "SMS_OTP_CREDENTIAL_ALREADY_EXISTS",
    "The wallet already has an SMS_OTP credential",
    "Use it, or add a credential of another type",
  ),
  PHONE_NUMBER_MISSING: row(
    "INVALID_INPUT",
    "The wallet's customer has no phoneNumber",
    "PATCH the customer with a phoneNumber first",
  ),
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: row(
    "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
    "The wallet already has a PASSKEY credential",
    "Use it, or add a credential of another type",
  ),
  OAUTH_CREDENTIAL_ALREADY_EXISTS: row(
    "INVALID_INPUT",
    "The wallet already has an OAUTH credential",
    "Use it, or add a credential of another type",
  ),
  CHALLENGE_USED: row(
    "INVALID_INPUT",
    "A passkey was already registered with this challenge at {usedAt}",
    "Create a new random challenge for each navigator.credentials.create()",
  ),
  LAST_CREDENTIAL: row(
    "INVALID_INPUT",
    "This is the only credential of its wallet",
    "Add another credential first, then revoke this one",
  ),
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: row(
    "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
    "The address {value} is used by another EMAIL_OTP credential",
    "Use another address",
  ),
  INVALID_OTP_CODE: row(
    "UNAUTHORIZED",
    "The code was not accepted: {check}",
    nextByMode(
      "Use the newest code that service-sim inbox shows; a challenge of the credential sends one",
      `send ${MAGIC_VALUES.otp}`,
    ),
  ),
  INVALID_PASSKEY_SIGNATURE: row(
    "UNAUTHORIZED",
    "The assertion was not accepted: {check}",
    nextByMode(
      "Sign the challenge of POST /auth/credentials/{id}/challenge with the registered passkey",
      `send ${MAGIC_VALUES.passkeySignature} as assertion.signature`,
    ),
  ),
  INVALID_OIDC_TOKEN: row(
    "UNAUTHORIZED",
    "The token was not accepted: {check}",
    nextByMode(
      "Use a new token of a recognized issuer; service-sim oidc token creates one",
      `send ${MAGIC_VALUES.oidcToken} as oidcToken`,
    ),
  ),
  INVALID_WALLET_SIGNATURE: row(
    "UNAUTHORIZED",
    "The Service-Wallet-Signature was not accepted: {check}",
    nextByMode(
      "Sign payloadToSign byte for byte with the key of an active session of the wallet",
      `send ${MAGIC_VALUES.walletSignature}`,
    ),
  ),
  WALLET_SIGNATURE_MISSING: row(
    "WALLET_SIGNATURE_MISSING",
    "The header Service-Wallet-Signature is missing",
    "Send it together with Request-Id, or send neither to get a payload to sign",
  ),
  REQUEST_ID_MISSING: row(
    "REQUEST_ID_MISSING",
    "The header Request-Id is missing",
    "Send the requestId of the challenge with the signature",
  ),
  UNKNOWN_REQUEST_ID: row(
    "UNAUTHORIZED",
    "The Request-Id was not accepted: {check}",
    "Send the request without signature headers first, and use the requestId of its answer",
  ),
  REQUEST_ID_EXPIRED: row(
    "UNAUTHORIZED",
    "The Request-Id expired at {expiresAt}",
    "Ask for a new challenge and answer it before its expiresAt",
  ),
  REQUEST_ID_USED: row(
    "UNAUTHORIZED",
    "The Request-Id was already used",
    "Ask for a new challenge: each Request-Id works once",
  ),
  REQUEST_BODY_CHANGED: row(
    "UNAUTHORIZED",
    "The body differs from the one that got the challenge",
    "Send the same body on both calls",
  ),
  SESSION_NOT_ACTIVE: row(
    "UNAUTHORIZED",
    "The session {id} is not active: {check}",
    "Verify the credential again for a new session",
  ),
  SIGN_IN_OF_DELETED_CUSTOMER: row(
    "UNAUTHORIZED",
    "The customer {customerId} was deleted and can no longer sign in",
    "Use a wallet of a customer that is not deleted",
  ),
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: row(
    "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
    "The EMAIL_OTP credentials of the customer changed after the challenge",
    "Send the request without signature headers again, and answer its new challenge",
  ),
  DELEGATED_KEY_EXISTS: row(
    "CONFLICT",
    "The card already has an ACTIVE delegated key for this wallet: {delegatedKeyId}",
    "Use it, or DELETE /auth/delegated-keys/{delegatedKeyId} first",
  ),
  DELEGATED_KEY_NOT_ACTIVE: row(
    "INVALID_INPUT",
    "The delegated key {id} is {status}",
    "Only an ACTIVE key can be revoked",
  ),
  SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS: row(
    "CONFLICT",
    "The number {value} is used by another SMS_OTP credential",
    "Use another number",
  ),
  SMS_OTP_CREDENTIAL_SET_CHANGED: row(
    "CONFLICT",
    "The SMS_OTP credentials of the customer changed after the challenge",
    "Send the request without signature headers again, and answer its new challenge",
  ),
} as const satisfies Record<string, RefusalRow>;
