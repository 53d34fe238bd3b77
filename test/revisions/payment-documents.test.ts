import { expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { FAULT_CODES, type FaultCode } from "../../src/contract/core/error-codes.ts";
import { everyRow } from "../setup/every-row.ts";

interface Documented {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
  "x-errors": { $ref: string }[];
}

const operationsIn = (revision: "2025-10" | "2026-08") => {
  const document = JSON.parse(JSON.stringify(openApiDocument("0.0.0", revision)));
  const operations = new Map<string, Documented>();
  for (const path of Object.values<Record<string, Documented>>(document.paths))
    for (const one of Object.values(path)) operations.set(one.operationId, one);
  return { operations, schemas: document.components.schemas };
};

const first = operationsIn("2025-10");
const later = operationsIn("2026-08");

const successesOf = ({ responses }: Documented) =>
  Object.keys(responses).filter((status) => status.startsWith("2"));

const codesOf = (operation: Documented) =>
  new Set(operation["x-errors"].map(({ $ref }) => $ref.split("/").at(-1)));

interface Row {
  id: string;
  /** Successes in each revision. */
  first?: string;
  later: string;
  /** Errors that the later revision has, and the first one has not. */
  errors?: string;
}

const SIZE = "TRANSACTION_SIZE_LIMIT_EXCEEDED";
const VOLUME = "DAILY_VOLUME_LIMIT_EXCEEDED";
const TERMS = "END_USER_TERMS_NOT_ACCEPTED";

/** Copied from the contract of the later revision. */
const ROWS: Row[] = [
  { id: "createQuote", first: "201", later: "201 202", errors: `${SIZE} ${VOLUME} ${TERMS}` },
  { id: "agentCreateQuote", first: "201", later: "201", errors: `${SIZE} ${VOLUME} ${TERMS}` },
  { id: "executeQuote", first: "200 202", later: "200", errors: `${VOLUME} ${TERMS}` },
  { id: "agentExecuteQuote", first: "200", later: "200", errors: `${VOLUME} ${TERMS}` },
  { id: "transferOut", first: "201", later: "201", errors: `${SIZE} ${VOLUME} ${TERMS}` },
  { id: "agentTransferOut", first: "201", later: "201", errors: `${SIZE} ${VOLUME} ${TERMS}` },
  { id: "transferIn", first: "201", later: "201", errors: TERMS },
  { id: "agentTransferIn", first: "201", later: "201", errors: TERMS },
  { id: "patchCard", first: "200 202", later: "200", errors: "CARD_ALREADY_CLOSED" },
  { id: "revealCard", later: "200" },
  { id: "simulateCardAuthorization", first: "200", later: "202" },
  { id: "simulateCardClearing", first: "200", later: "202" },
  { id: "simulateCardReturn", first: "200", later: "202" },
];

// spec/revisions.md#changes
test("the document of each revision has the successes and errors of its contract", () =>
  everyRow(
    ROWS,
    ({ id, first: before, later: since, errors = "" }) => {
      const [early, late] = [first.operations.get(id), later.operations.get(id)];
      expect(late && successesOf(late).join(" ")).toBe(since);
      expect(early && successesOf(early).join(" ")).toBe(before);
      for (const word of errors.split(" ").filter(Boolean)) {
        expect([word, late && codesOf(late).has(word)]).toEqual([word, true]);
        expect([word, early && codesOf(early).has(word)]).toEqual([word, false]);
      }
    },
    ({ id }) => id,
  ));

// spec/later-payments.md#sca-factors
test("a quote may wait for its payer in the later document alone", () => {
  const reply = later.operations.get("createQuote")?.responses["202"];
  expect(reply?.content?.["application/json"]?.schema).toEqual({
    $ref: "#/components/schemas/Quote",
  });
  const quoteIn = ({ schemas }: typeof later) => Object.keys(schemas.Quote.properties);
  expect(quoteIn(later)).toContain("scaChallenge");
  expect(quoteIn(first)).not.toContain("scaChallenge");
  expect(later.schemas.QuoteStatus.enum).toContain("PENDING_AUTHORIZATION");
  expect(first.schemas.QuoteStatus.enum).not.toContain("PENDING_AUTHORIZATION");
  expect(later.schemas.ScaChallenge.required).toEqual([
    "id",
    "expiresAt",
    "factor",
    "availableFactors",
  ]);
});

/** Copied from the contract: codes by status, those that concern nobody here included. */
const LATER_FORMAL_CODES: Record<number, string> = {
  400: `END_USER_TERMS_VERSION_NOT_FOUND SMS_OTP_CREDENTIAL_ALREADY_EXISTS
    PASSKEY_CREDENTIAL_ALREADY_EXISTS STABLECOIN_PROVIDER_ACCOUNT_INVALID
    STABLECOIN_PROVIDER_ACCOUNT_REVOKED STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED
    CARDHOLDER_KYC_NOT_APPROVED TRANSACTION_SIZE_LIMIT_EXCEEDED
    EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED`,
  403: "END_USER_TERMS_NOT_ACCEPTED",
  404: "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND",
  409: `TRANSACTION_NOT_CANCELLABLE PASSKEY_ALREADY_ENROLLED SCA_SESSION_REQUIRED
    BENEFICIARY_TRUSTED INVALID_STATE_TRANSITION CARD_ALREADY_CLOSED CARD_NOT_MUTABLE`,
  423: "ACCOUNT_LOCKED",
  429: "DAILY_VOLUME_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE",
};

// spec/errors.md#injected-codes
test("every code of the later contract has its status, and can be injected", () => {
  for (const [status, codes] of Object.entries(LATER_FORMAL_CODES))
    for (const code of codes.split(/\s+/))
      expect([code, FAULT_CODES[code as FaultCode]]).toEqual([code, Number(status)]);
});

test("types of verification errors have those of the later contract", () => {
  const { enum: types } = later.schemas.VerificationErrorType;
  expect(types).toEqual(
    expect.arrayContaining(["MISSING_CONTROL_PERSON", "MISSING_GOOD_STANDING_DOCUMENT"]),
  );
  expect(first.schemas.VerificationErrorType.enum).not.toContain("MISSING_CONTROL_PERSON");
});
