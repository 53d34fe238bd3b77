import { expect, test } from "vitest";
import { REVISIONS } from "../../src/contract/core/revision-names.ts";
import { inLayer, linesWith, textOf } from "../setup/source-files.ts";

/**
 * Places where a rule does something else by the revision of its world, where money or state differ.
 * A change is declared instead: src/docs/decisions/shapes-carry-revisions.md says how.
 */
const PLACES = [
  "domain/customers/end-user-terms.ts endUserConsents",
  "domain/customers/verification-rules.ts verificationRules",
  "domain/money/platform-fees.ts platformFees",
  "domain/payments/transaction-limits.ts transactionLimits",
  "domain/payments/uma-deposits.ts incomingRefunds",
  "domain/wallets/delegated-keys.ts delegatedKeys",
  "domain/wallets/id-tokens.ts idTokenRules",
  "domain/wallets/one-time-codes.ts encryptedCodes",
];

const MOST_PLACES = 9;

/** Places of the first eight changes, which are older than the tables. */
const OLDER_PLACES = [
  "domain/cards/card-transaction-view.ts acceptedSimulations",
  "domain/cards/card-view.ts cardProcessing",
  "domain/wallets/credential-proofs.ts hexChallenges",
  "domain/wallets/credentials.ts severalPasskeys",
  "domain/wallets/id-tokens.ts idTokenNonces",
  "domain/wallets/wallet-signatures.ts fullStamps",
];

/** Readers of tables whose rows name the change that brought them. */
const TABLE_READERS = ["domain/core/revision.ts", "domain/outcomes/rule-names.ts"];

/** Files that pass the revision on to a table, of the contract or of examples. */
const PASSING_ON = [
  "domain/accounts/exchange-directory.ts",
  "domain/accounts/external-accounts.ts",
  "domain/accounts/internal-accounts.ts",
  "domain/accounts/shown-external-accounts.ts",
  "domain/core/events.ts",
  "domain/money/rates.ts",
  "domain/payments/on-chain.ts",
  "domain/payments/quote-instructions.ts",
  "domain/payments/quote-parties.ts",
  "domain/webhooks/lab-events.ts",
];

const SOURCES = inLayer("domain").filter((file) => !TABLE_READERS.includes(file));

const withoutImports = (text: string) => text.replaceAll(/^import [^;]*;$/gm, "");

/** A question by its name, and the row that it asks for, if that is written out. */
const QUESTION = /\b(?:isChanged|hasChange)\b(?:\(\s*[^"(),;]*,\s*"(\w+)",?\s*\))?/g;

const questionsOf = (text: string) =>
  [...withoutImports(text).matchAll(QUESTION)].map(([, row]) => row ?? "a row not written out");

const found = SOURCES.flatMap((file) =>
  questionsOf(textOf(file)).map((row) => `${file} ${row}`),
).sort();

// src/docs/decisions/shapes-carry-revisions.md
test("each place of the rules that knows a revision is listed, once", () => {
  expect(found).toEqual([...PLACES, ...OLDER_PLACES].sort());
});

test("at most nine places are newer than the tables", () => {
  expect(found.filter((place) => !OLDER_PLACES.includes(place)).length).toBeLessThanOrEqual(
    MOST_PLACES,
  );
});

test("a question is seen in each form that code may have", () => {
  const forms = {
    'isChanged(view, "platformFees")': ["platformFees"],
    '!hasChange(\n  revision,\n  "cardLimits",\n)': ["cardLimits"],
    "isChanged(view, since)": ["a row not written out"],
    "const asks = isChanged;": ["a row not written out"],
    'import { isChanged } from "../core/revision.ts";': [],
    'import { hasChange as asks } from "../core/revision.ts";': [],
  };
  for (const [text, rows] of Object.entries(forms)) expect(questionsOf(text)).toEqual(rows);
});

test("no rule compares revisions, names one, or imports a question by another name", () => {
  const compared =
    /(?:[=!]==|case)\s*(?:FIRST|LATEST)_REVISION|revision\w*(?:\([^)]*\))?\s*[=!]==/i;
  const named = new RegExp(`"(?:${REVISIONS.join("|")})"`);
  const renamed = /\b(?:isChanged|hasChange|revisionOf) as\b/;
  for (const form of [compared, named, renamed]) expect(linesWith(form, SOURCES)).toEqual([]);
});

test("each file that passes the revision on is listed", () => {
  const passing = SOURCES.filter((file) => /\brevisionOf\b/.test(withoutImports(textOf(file))));
  expect(passing).toEqual(PASSING_ON);
});
