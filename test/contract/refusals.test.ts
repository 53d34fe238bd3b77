import { join, sep } from "node:path";
import { expect, test } from "vitest";
import type { RefusalRow } from "../../src/contract/core/refusal-row.ts";
import { REASON_SPELLINGS, REFUSALS } from "../../src/contract/refusals.ts";
import { errorBody, Refusal } from "../../src/domain/core/refusal.ts";
import { everyRow } from "../setup/every-row.ts";
import { sourcesOf } from "./setup/source-text.ts";

/** The closed list of published codes, by status (spec/errors.md#codes-for-400). */
const PUBLISHED_CODES: Record<number, string> = {
  400: `INVALID_INPUT MISSING_MANDATORY_USER_INFO INVITATION_ALREADY_CLAIMED
    INVITATIONS_NOT_CONFIGURED INVALID_UMA_ADDRESS INVITATION_CANCELLED QUOTE_REQUEST_FAILED
    INVALID_PAYREQ_RESPONSE INVALID_RECEIVER PARSE_PAYREQ_RESPONSE_ERROR CERT_CHAIN_INVALID
    CERT_CHAIN_EXPIRED INVALID_PUBKEY_FORMAT MISSING_REQUIRED_UMA_PARAMETERS SENDER_NOT_ACCEPTED
    AMOUNT_OUT_OF_RANGE INVALID_CURRENCY INVALID_TIMESTAMP INVALID_NONCE INVALID_REQUEST_FORMAT
    INVALID_BANK_ACCOUNT SELF_PAYMENT LOOKUP_REQUEST_FAILED PARSE_LNURLP_RESPONSE_ERROR
    INVALID_AMOUNT WEBHOOK_ENDPOINT_NOT_SET WEBHOOK_DELIVERY_ERROR LOW_QUALITY DATA_MISMATCH
    EXPIRED SUSPECTED_FRAUD UNSUITABLE_DOCUMENT INCOMPLETE EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS
    PASSKEY_CREDENTIAL_ALREADY_EXISTS`,
  401: `UNAUTHORIZED INVALID_SIGNATURE WALLET_SIGNATURE_MISSING WALLET_SIGNATURE_MALFORMED
    WALLET_SIGNATURE_BODY_MISMATCH WALLET_SIGNATURE_INVALID REQUEST_ID_MISSING`,
  403: "FORBIDDEN USER_NOT_READY COUNTERPARTY_NOT_ALLOWED VELOCITY_LIMIT_EXCEEDED",
  404: `TRANSACTION_NOT_FOUND INVITATION_NOT_FOUND USER_NOT_FOUND QUOTE_NOT_FOUND
    LOOKUP_REQUEST_NOT_FOUND TOKEN_NOT_FOUND BULK_UPLOAD_JOB_NOT_FOUND REFERENCE_NOT_FOUND
    UMA_NOT_FOUND`,
  405: "METHOD_NOT_ALLOWED",
  409: `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL UMA_ADDRESS_EXISTS
    EMAIL_OTP_EMAIL_ALREADY_EXISTS EMAIL_OTP_CREDENTIAL_SET_CHANGED CONFLICT`,
  410: "CUSTOMER_DELETED",
  412: "UNSUPPORTED_UMA_VERSION",
  424: `PAYREQ_REQUEST_FAILED COUNTERPARTY_PUBKEY_FETCH_ERROR NO_COMPATIBLE_UMA_VERSION
    LNURLP_REQUEST_FAILED EMAIL_OTP_CREDENTIAL_SYNC_FAILED`,
  429: "RATE_LIMITED",
  500: "SERVICE_SWITCH_ERROR INTERNAL_ERROR",
  501: "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY NOT_IMPLEMENTED",
};

/** Codes that later revisions published (spec/errors.md#later-codes). */
const LATER_CODES: Record<number, string> = {
  400: `SMS_OTP_CREDENTIAL_ALREADY_EXISTS END_USER_TERMS_VERSION_NOT_FOUND
    TRANSACTION_SIZE_LIMIT_EXCEEDED EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED
    STABLECOIN_PROVIDER_ACCOUNT_INVALID STABLECOIN_PROVIDER_ACCOUNT_REVOKED
    STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED`,
  403: "END_USER_TERMS_NOT_ACCEPTED",
  404: "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND",
  409: `TRANSACTION_NOT_CANCELLABLE PASSKEY_ALREADY_ENROLLED SCA_SESSION_REQUIRED
    BENEFICIARY_TRUSTED`,
  423: "ACCOUNT_LOCKED",
  429: "DAILY_VOLUME_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE",
};

/** Codes beyond the closed list (spec/errors.md#other-codes). */
const DECIDED_CODES: Record<number, string> = {
  400: "CARDHOLDER_KYC_NOT_APPROVED FUNDING_SOURCE_INELIGIBLE",
  409: "INVALID_STATE_TRANSITION CARD_ALREADY_CLOSED CARD_NOT_MUTABLE",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  503: "UNAVAILABLE",
};

const isPublished = ({ status, code }: RefusalRow) =>
  [PUBLISHED_CODES[status], LATER_CODES[status], DECIDED_CODES[status]].some((codes) =>
    codes?.split(/\s+/).includes(code),
  );

/** Tables that name their refusals in rows; tests of their own meet each one. */
const TABLES = [
  "agents/agent-policy.ts",
  "outcomes/document-outcomes.ts",
  "outcomes/lookup-outcomes.ts",
].map((name) => join("src", "domain", name));

const CALL = /(?:refuse|refusedAs|Refusal|(?:refuse|refusal)ByRule\([^,]*,)\(?\s*"(\w+)"/g;
const MEMBER = /\brefusal: "(\w+)"/g;

const wordsIn = ({ path, text }: { path: string; text: string }) =>
  [CALL, ...(TABLES.includes(path) ? [MEMBER] : [])].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, word = ""]) => word),
  );

/** Files that refuse with a word. */
const USERS = new Map<string, Set<string>>();
for (const source of sourcesOf("src").filter(({ path }) => !path.endsWith("refusals.ts")))
  for (const word of wordsIn(source))
    USERS.set(word, (USERS.get(word) ?? new Set()).add(source.path));

const usersOf = (word: string) => [...(USERS.get(word) ?? [])];
const isControlFile = (path: string) =>
  /^(capsules|control|cli|worlds|simulator\.ts)$/.test(path.split(sep)[1] ?? "");

/** Codes that need no reason (spec/errors.md#body). */
const WITHOUT_REASON = [
  "AGENT_TOKEN_NOT_ACCEPTED",
  "QUOTE_SIGNATURE_MISSING",
  "PLATFORM_CARD_ID_EXISTS",
  "CARD_TRANSACTION_STATE",
  "THREE_D_SECURE_UNSUPPORTED",
];

const reasonFor = (word: string, { code }: RefusalRow) =>
  word === code || WITHOUT_REASON.includes(word)
    ? undefined
    : (REASON_SPELLINGS[word as keyof typeof REFUSALS] ?? word);

const ROWS = Object.entries(REFUSALS).map(([word, row]) => ({ word, row: row as RefusalRow }));

const everyWord = (check: (one: (typeof ROWS)[number]) => unknown) =>
  everyRow(ROWS, check, ({ word }) => word);

test("every word has a status, a code, a sentence and what to do next", () =>
  everyWord(({ row }) => {
    expect(row.status).toBeGreaterThanOrEqual(400);
    expect(row.status).toBeLessThan(600);
    expect(row.code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(row.says).toMatch(/^([A-Z{]|service-sim ).*[^.\s]$/);
    const next = typeof row.next === "string" ? [row.next] : Object.values(row.next);
    for (const step of next) expect(step).toMatch(/^\S.*[^.\s]$/);
  }));

test("every word is refused with somewhere in the source", () => {
  // A fault switch answers with the last one, by its code.
  const unused = ROWS.map(({ word }) => word).filter((word) => usersOf(word).length === 0);
  expect(unused).toEqual(["SERVICE_UNAVAILABLE"]);
});

test("every word is published, or a word of the control surface alone", () => {
  const leaks = ROWS.filter(({ row }) => !isPublished(row)).flatMap(({ word }) =>
    usersOf(word)
      .filter((path) => !isControlFile(path))
      .map((path) => `${word} in ${path}`),
  );
  expect(leaks).toEqual([]);
});

test("every word gives its finer word twice, as reason and in the details", () =>
  everyWord(({ word, row }) => {
    const body = errorBody(new Refusal(word as keyof typeof REFUSALS, { field: "here" }));
    const reason = reasonFor(word, row);
    expect(body.reason).toBe(reason);
    expect(body.details).toEqual({ field: "here", ...(reason !== undefined && { reason }) });
    expect(body).toMatchObject({ status: row.status, code: row.code });
    expect(body.message).toContain(". ");
  }));

/** Published spellings of reasons (spec/errors.md#codes-for-401). */
test.each([
  { word: "INSUFFICIENT_BALANCE", status: 400, code: "AMOUNT_OUT_OF_RANGE" },
  { word: "QUOTE_EXPIRED", status: 409, code: "CONFLICT" },
  { word: "QUOTE_ALREADY_EXECUTED", status: 409, code: "CONFLICT" },
  { word: "ACCOUNT_NOT_FOUND", status: 400, code: "INVALID_INPUT" },
  { word: "ACCOUNT_NOT_ACTIVE", status: 400, code: "INVALID_INPUT" },
  { word: "OWNER_MISMATCH", status: 400, code: "INVALID_INPUT" },
  { word: "USER_NOT_FOUND_IN_BODY", status: 400, code: "INVALID_INPUT", reason: "USER_NOT_FOUND" },
  {
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    status: 400,
    code: "INVALID_INPUT",
    reason: "CUSTOMER_DELETED",
  },
  {
    word: "LOOKUP_REQUEST_NOT_FOUND_IN_BODY",
    status: 400,
    code: "INVALID_INPUT",
    reason: "LOOKUP_REQUEST_NOT_FOUND",
  },
  { word: "EXTERNAL_ACCOUNT_EXISTS", status: 409, code: "CONFLICT" },
  { word: "PLATFORM_CUSTOMER_ID_EXISTS", status: 409, code: "CONFLICT" },
] as const)("$word is $status $code with the decided reason", (row) => {
  const body = errorBody(new Refusal(row.word, {}));
  const reason = "reason" in row ? row.reason : row.word;
  expect(body).toMatchObject({ status: row.status, code: row.code, reason, details: { reason } });
});

test("a sentence is filled with the details it names, and a finer one replaces it", () => {
  const details = { currency: "XYZ" };
  const next = "Use a currency that the account type and GET /config allow";
  expect(errorBody(new Refusal("INVALID_CURRENCY", details)).message).toBe(
    `The currency XYZ cannot be used here. ${next}`,
  );
  expect(errorBody(new Refusal("INVALID_CURRENCY", details, "No XYZ here")).message).toBe(
    `No XYZ here. ${next}`,
  );
});

test.each([
  { id: "", shown: '""' },
  { id: "a\nb", shown: "a\\u000ab" },
  { id: "\u0000\u001b[31m", shown: "\\u0000\\u001b[31m" },
  {
    id: "a\u2028\u202eb\u2066\u200f\u061c\u200b",
    shown: "a\\u2028\\u202eb\\u2066\\u200f\\u061c\\u200b",
  },
  { id: "x".repeat(5000), shown: `${"x".repeat(200)}…` },
  { id: "Quote:1", shown: "Quote:1" },
])("a value in a sentence can neither break its line nor hide: $shown", ({ id, shown }) => {
  const body = errorBody(new Refusal("QUOTE_NOT_FOUND", { id }));
  expect(body.message).toBe(`No quote ${shown}. POST /quotes creates one`);
  expect(body.details).toEqual({ id });
});

test("a finer sentence cannot break its line either", () => {
  const body = errorBody(new Refusal("QUOTE_NOT_FOUND", { id: "1" }, "No\tquote\u007f"));
  expect(body.message).toBe("No\\u0009quote\\u007f. POST /quotes creates one");
});

test("no two rooms have a row of the same word", () => {
  const rows = sourcesOf("src")
    .filter(({ path }) => path.endsWith("-refusals.ts"))
    .flatMap(({ text }) => text.match(/^ {2}[A-Z_]+(?=: row\()/gm) ?? [])
    .map((word) => word.trim());
  expect(rows.sort()).toEqual(Object.keys(REFUSALS).sort());
});

test("every spelling belongs to a word", () => {
  for (const word of Object.keys(REASON_SPELLINGS)) expect(Object.keys(REFUSALS)).toContain(word);
});

test("the words without a spelling are those that are published without a reason", () => {
  const entries = Object.entries(REASON_SPELLINGS);
  const unspelled = entries.filter(([, spelling]) => spelling === undefined);
  expect(unspelled.map(([word]) => word).sort()).toEqual([...WITHOUT_REASON].sort());
});

test.each([
  { word: "AGENT_TOKEN_NOT_ACCEPTED", status: 401, code: "UNAUTHORIZED" },
  { word: "QUOTE_SIGNATURE_MISSING", status: 401, code: "WALLET_SIGNATURE_MISSING" },
  { word: "PLATFORM_CARD_ID_EXISTS", status: 400, code: "INVALID_INPUT" },
  { word: "CARD_TRANSACTION_STATE", status: 400, code: "INVALID_INPUT" },
  { word: "THREE_D_SECURE_UNSUPPORTED", status: 400, code: "INVALID_INPUT" },
  { word: "CARD_ALREADY_CLOSED", status: 409, code: "CARD_ALREADY_CLOSED" },
] as const)("$word is $status $code without a reason", ({ word, status, code }) => {
  const body = errorBody(new Refusal(word, {}));
  expect(body).toEqual({ status, code, message: expect.stringContaining(". ") });
});
