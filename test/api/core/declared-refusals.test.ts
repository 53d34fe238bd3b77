import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { DECLARED_AGENT_PAYMENT_REFUSALS } from "../setup/declared-agent-payment-refusals.ts";
import { DECLARED_AGENT_REFUSALS } from "../setup/declared-agent-refusals.ts";
import { DECLARED_BUSINESS_REFUSALS } from "../setup/declared-business-refusals.ts";
import { DECLARED_CARD_REFUSALS } from "../setup/declared-card-refusals.ts";
import { DECLARED_INCOMING_REFUSALS } from "../setup/declared-incoming-refusals.ts";
import { DECLARED_PLATFORM_REFUSALS } from "../setup/declared-platform-refusals.ts";
import { DECLARED_QUOTE_REFUSALS } from "../setup/declared-quote-refusals.ts";
import { DECLARED_REFUSALS } from "../setup/declared-refusals.ts";
import { DECLARED_TRANSFER_REFUSALS } from "../setup/declared-transfer-refusals.ts";
import { DECLARED_UMA_REFUSALS } from "../setup/declared-uma-refusals.ts";
import { DECLARED_UPLOAD_REFUSALS } from "../setup/declared-upload-refusals.ts";
import { DECLARED_WALLET_REFUSALS } from "../setup/declared-wallet-refusals.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const CASES = [
  ...DECLARED_REFUSALS,
  ...DECLARED_QUOTE_REFUSALS,
  ...DECLARED_PLATFORM_REFUSALS,
  ...DECLARED_TRANSFER_REFUSALS,
  ...DECLARED_UMA_REFUSALS,
  ...DECLARED_INCOMING_REFUSALS,
  ...DECLARED_WALLET_REFUSALS,
  ...DECLARED_CARD_REFUSALS,
  ...DECLARED_UPLOAD_REFUSALS,
  ...DECLARED_AGENT_REFUSALS,
  ...DECLARED_AGENT_PAYMENT_REFUSALS,
  ...DECLARED_BUSINESS_REFUSALS,
];

/** Declared refusals that these tests do not meet, each with its reason. */
const NOT_MET: Record<string, string> = {
  "createPlatformExternalAccount USER_NOT_FOUND_IN_BODY": "its form names no customer",
  "createCustomer MISSING_MANDATORY_USER_INFO": "only a fixture sets what providers require",
  "patchCustomer MISSING_MANDATORY_USER_INFO": "only a fixture sets what providers require",
  "executeQuote AMOUNT_OUT_OF_RANGE": "see balance-limit.test.ts",
  "createCredential INVALID_OIDC_TOKEN": "only --crypto strict: see wallets/crypto-modes.test.ts",
  "agentCreateQuote NOT_IMPLEMENTED": "goes when every kind of quote is simulated",
  "createQuote NOT_IMPLEMENTED": "goes when every kind of quote is simulated",
};

/** Checks that the message is filled in and names only bounds in the details. */
const expectWhole = ({ message, details = {} }: { message: string; details?: object }) => {
  const [says = ""] = message.split(". ");
  expect(says).not.toMatch(/\{\w+\}|undefined|\[object/);
  if (message.includes("bounds named in details"))
    expect(Object.keys(details)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^m(in|ax)$/)]),
    );
};

test.each(CASES)("$operation refuses with $word", async ({ refused, meet }) => {
  const answer = await meet(world());
  expectRefused(answer, refused);
  expectWhole(answer.body);
});

test("every refusal that an operation declares is met here, or says why not", () => {
  const met = new Set(CASES.map(({ operation, word }) => `${operation} ${word}`));
  const declared = PLATFORM_ENDPOINTS.flatMap(({ operationId, refuses }) =>
    refuses.map((word) => `${operationId} ${word}`),
  );
  const open = declared.filter((name) => !met.has(name) && NOT_MET[name] === undefined);
  expect(open, "add calls to test/api/setup/declared-*-refusals.ts").toEqual([]);
  expect([...met].filter((name) => !declared.includes(name))).toEqual([]);
});
