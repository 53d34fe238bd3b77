import { describe, test } from "vitest";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { to, umaWorld } from "../setup/uma-world.ts";

const { world, payer, quote, inputTo, createCustomer, accountOf } = umaWorld();

const invalid = (field: string, reason?: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  ...(reason !== undefined && { reason }),
});

const freezePayer = () =>
  world().control("PATCH", `/internal-accounts/${payer().accountId}`, { status: "FROZEN" });

const stopSending = () => {
  const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 10_000_000 };
  const supportedCurrencies = [{ ...usd, enabledTransactionTypes: ["INCOMING"] }];
  return world().call("PATCH", "/config", { supportedCurrencies });
};

const NO_SOURCE = { source: { sourceType: "ACCOUNT", accountId: "none" } };
const TOO_MUCH = { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 10_000_001 };

/** Of two mistakes, the first in the list answers (spec/quotes.md#creation-order). */
const ORDER: {
  first: string;
  before: string;
  refused: Refused;
  change: object;
  meanwhile?: () => Promise<unknown>;
}[] = [
  {
    first: "no UMA address",
    before: "an unknown source",
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "destination.umaAddress" },
    change: { ...NO_SOURCE, ...to("nobody") },
  },
  {
    first: "no lookupId",
    before: "an unknown source",
    refused: invalid("lookupId"),
    change: { ...NO_SOURCE, lookupId: undefined },
  },
  {
    first: "an unknown lookup",
    before: "a source that is not active",
    refused: invalid("lookupId", "LOOKUP_REQUEST_NOT_FOUND"),
    change: { lookupId: "none" },
    meanwhile: freezePayer,
  },
  {
    first: "another receiver's lookup",
    before: "a source that is not active",
    refused: { status: 400, code: "INVALID_RECEIVER", field: "destination.umaAddress" },
    change: to("$success.usd@sandbox.uma.test"),
    meanwhile: freezePayer,
  },
  {
    first: "a source that is not active",
    before: "a currency that is not taken",
    refused: invalid("source.accountId", "ACCOUNT_NOT_ACTIVE"),
    change: to("$success.mxn@sandbox.uma.test", "GBP"),
    meanwhile: freezePayer,
  },
  {
    first: "a currency that is not sent",
    before: "an amount beyond every range",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "source.accountId" },
    change: { lockedCurrencyAmount: 9_000_000_000_000_001 },
    meanwhile: stopSending,
  },
  {
    first: "a currency that is not taken",
    before: "an amount beyond every range",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "destination.currency" },
    change: {
      ...to("$success.mxn@sandbox.uma.test", "GBP"),
      lockedCurrencyAmount: 9_000_000_000_000_001,
    },
  },
  {
    first: "an amount the receiver does not take",
    before: "an unknown name of the payer",
    refused: { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "lockedCurrencyAmount" },
    change: { ...TOO_MUCH, senderCustomerInfo: {} },
  },
  {
    first: "an unknown name of the payer",
    before: "a balance too low",
    refused: { status: 400, code: "MISSING_MANDATORY_USER_INFO", field: "FULL_NAME" },
    change: {
      ...to("$success.mxn@sandbox.uma.test", "USD"),
      lockedCurrencyAmount: 1_000_001,
      senderCustomerInfo: {},
      immediatelyExecute: true,
    },
  },
];

describe("of two mistakes in a quote to a UMA address", () => {
  test.each(ORDER)("$first is reported before $before", async ({ refused, change, meanwhile }) => {
    const input = await inputTo();
    await meanwhile?.();
    expectRefused(await quote({ ...input, ...change }), refused);
  });

  test("a payee that is not active is reported before a payer that is not ready", async () => {
    const { id, umaAddress } = await createCustomer();
    const input = await inputTo(umaAddress);
    const { control } = world();
    const account = await accountOf(id, "USD");
    await control("PATCH", `/internal-accounts/${account}`, { status: "FROZEN" });
    await control("PATCH", `/customers/${payer().customerId}`, { kycStatus: "REJECTED" });
    expectRefused(await quote(input), invalid("destination.umaAddress", "ACCOUNT_NOT_ACTIVE"));
  });
});
