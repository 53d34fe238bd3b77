import { describe, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const JSON_TYPE = { "content-type": "application/json" };
const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";
const TOO_LARGE = `{"pad":"${"x".repeat(2 * 1024 * 1024)}"}`;
const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED" };

const world = worldPerTest();

type Meet = (one: TestSimulator) => ReturnType<TestSimulator["call"]>;

interface Faults {
  freeze?: boolean;
  reject?: boolean;
  stopSending?: boolean;
  amount?: number;
}

const quoteAfter = async (one: TestSimulator, faults: Faults) => {
  const { call, control } = one;
  const { customerId, accountId } = await createPayer(one, 0);
  const payee = await createPayee(one, customerId, "999");
  if (faults.freeze)
    await control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
  if (faults.reject) await control("PATCH", `/customers/${customerId}`, { kycStatus: "REJECTED" });
  const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 10_000_000 };
  const supportedCurrencies = [{ ...usd, enabledTransactionTypes: ["INCOMING"] }];
  if (faults.stopSending) await call("PATCH", "/config", { supportedCurrencies });
  const input = quoteInput(accountId, payee, faults.amount);
  return call("POST", "/quotes", { ...input, immediatelyExecute: true });
};

/** Pairs of mistakes: the check that comes first answers (spec/errors.md#order-of-checks). */
const ORDER: { first: string; before: string; refused: Refused; meet: Meet }[] = [
  {
    first: "an unknown route",
    before: "wrong credentials",
    refused: { status: 404, code: "REFERENCE_NOT_FOUND", reason: "UNKNOWN_OPERATION" },
    meet: ({ raw }) => raw("GET", "/confg", { headers: { authorization: "Basic x" } }),
  },
  {
    first: "a wrong method",
    before: "wrong credentials",
    refused: { status: 405, code: "METHOD_NOT_ALLOWED" },
    meet: ({ raw }) => raw("DELETE", "/config", { headers: { authorization: "Basic x" } }),
  },
  {
    first: "wrong credentials",
    before: "a body too large",
    refused: UNAUTHORIZED,
    meet: ({ raw }) =>
      raw("POST", "/quotes", {
        headers: { ...JSON_TYPE, authorization: "Basic x" },
        body: TOO_LARGE,
      }),
  },
  {
    first: "a body too large",
    before: "a wrong media type",
    refused: { status: 413, code: "PAYLOAD_TOO_LARGE" },
    meet: ({ raw }) =>
      raw("POST", "/quotes", { headers: { "content-type": "text/plain" }, body: TOO_LARGE }),
  },
  {
    first: "a wrong media type",
    before: "malformed JSON",
    refused: { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
    meet: ({ raw }) =>
      raw("POST", "/quotes", { headers: { "content-type": "text/plain" }, body: "{" }),
  },
  {
    first: "malformed JSON",
    before: "an unknown id in the path",
    refused: { status: 400, code: "INVALID_REQUEST_FORMAT" },
    meet: ({ raw }) =>
      raw("POST", "/sandbox/internal-accounts/none/fund", { headers: JSON_TYPE, body: "{" }),
  },
  {
    first: "an unknown id in the path",
    before: "a body out of form",
    refused: { status: 404, code: "REFERENCE_NOT_FOUND" },
    meet: ({ call }) => call("POST", "/sandbox/internal-accounts/none/fund", { amount: "1" }),
  },
  {
    first: "an unknown customer in the path",
    before: "a body out of form",
    refused: { status: 404, code: "USER_NOT_FOUND" },
    meet: ({ call }) => call("PATCH", `/customers/${NOBODY}`, { customerType: "PERSON" }),
  },
  {
    first: "a body out of form",
    before: "an unknown id in it",
    refused: { status: 400, code: "INVALID_INPUT", field: "lockedCurrencySide" },
    meet: ({ call }) =>
      call("POST", "/quotes", { ...quoteInput("none", "none"), lockedCurrencySide: "BOTH" }),
  },
  {
    first: "an unknown id in the body",
    before: "a wrong currency",
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "USER_NOT_FOUND",
      field: "customerId",
    },
    meet: ({ call }) =>
      call("POST", "/customers/external-accounts", {
        customerId: NOBODY,
        currency: "XYZ",
        accountInfo: { accountType: "BASE_WALLET", address: `0x${"1".repeat(40)}` },
      }),
  },
  {
    first: "an account that is not active",
    before: "a customer that is not ready",
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "ACCOUNT_NOT_ACTIVE",
      field: "source.accountId",
    },
    meet: (one) => quoteAfter(one, { freeze: true, reject: true }),
  },
  {
    first: "a customer that is not ready",
    before: "a currency that is not sent",
    refused: { status: 403, code: "USER_NOT_READY" },
    meet: (one) => quoteAfter(one, { reject: true, stopSending: true }),
  },
  {
    first: "a currency that is not sent",
    before: "an amount out of range",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "source.accountId" },
    meet: (one) => quoteAfter(one, { stopSending: true, amount: 9_000_000_000_000_001 }),
  },
  {
    first: "an amount out of range",
    before: "a balance too low",
    refused: { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "lockedCurrencyAmount" },
    meet: (one) => quoteAfter(one, { amount: 10_000_001 }),
  },
  {
    first: "an expired quote",
    before: "a balance too low",
    refused: { status: 409, code: "CONFLICT", reason: "QUOTE_EXPIRED" },
    meet: async (one) => {
      const { customerId, accountId } = await createPayer(one, 0);
      const payee = await createPayee(one, customerId, "999");
      const { body } = await one.call("POST", "/quotes", quoteInput(accountId, payee));
      await goTo(one, "09:05:00.000");
      return one.call("POST", `/quotes/${body.id}/execute`);
    },
  },
  {
    first: "an account that is not active",
    before: "an expired quote",
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "ACCOUNT_NOT_ACTIVE",
      field: "source.accountId",
    },
    meet: async (one) => {
      const { customerId, accountId } = await createPayer(one);
      const payee = await createPayee(one, customerId, "999");
      const { body } = await one.call("POST", "/quotes", quoteInput(accountId, payee));
      await goTo(one, "09:05:00.000");
      await one.control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
      return one.call("POST", `/quotes/${body.id}/execute`);
    },
  },
];

describe("of two things wrong at once", () => {
  test.each(ORDER)("$first is answered before $before", async ({ refused, meet }) => {
    expectRefused(await meet(world()), refused);
  });
});
