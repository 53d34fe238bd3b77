import { expect, test } from "vitest";
import { createPayer, quoteInput } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const entry = (currencyCode: string) => ({ currencyCode, minAmount: 1, maxAmount: 100_000_000 });

const platformAccount = async ({ call }: TestSimulator, currency: string): Promise<string> =>
  (await call("GET", `/platform/internal-accounts?currency=${currency}`)).body.data[0].id;

const REPLACED = "include the entries of GET /config, because the whole list is replaced";

/** Accounts in dollars and in bitcoin, a currency that the platform supported for a while. */
const accounts = async () => {
  const { call } = world();
  const { accountId: dollars } = await createPayer(world());
  await call("PATCH", "/config", { supportedCurrencies: [entry("USD"), entry("BTC")] });
  const bitcoin = await platformAccount(world(), "BTC");
  await call("POST", `/sandbox/internal-accounts/${bitcoin}/fund`, { amount: 100_000_000 });
  return { dollars, bitcoin };
};

// spec/currencies.md#platform-settings
test("the refusal of a currency that is not enabled names a step that works", async () => {
  const { call } = world();
  const { dollars, bitcoin } = await accounts();
  const quote = () => call("POST", "/quotes", quoteInput(bitcoin, dollars, 10_000));
  await call("PATCH", "/config", { supportedCurrencies: [entry("USD")] });
  expect((await quote()).body).toMatchObject({
    code: "INVALID_CURRENCY",
    message:
      "The platform does not send BTC: it is not in supportedCurrencies with OUTGOING. " +
      `PATCH /config with BTC in supportedCurrencies; ${REPLACED}`,
  });
  await call("PATCH", "/config", { supportedCurrencies: [entry("USD"), entry("BTC")] });
  expect((await quote()).status).toBe(201);
});

test("the refusal of an INCOMING currency says how to enable OUTGOING", async () => {
  const { call } = world();
  const { dollars, bitcoin } = await accounts();
  const incoming = { ...entry("BTC"), enabledTransactionTypes: ["INCOMING"] };
  await call("PATCH", "/config", { supportedCurrencies: [entry("USD"), incoming] });
  const { body } = await call("POST", "/quotes", quoteInput(bitcoin, dollars, 10_000));
  expect(body.message).toBe(
    "The platform does not send BTC: it is not in supportedCurrencies with OUTGOING. " +
      `PATCH /config with OUTGOING in the enabledTransactionTypes of BTC; ${REPLACED}`,
  );
});

test.each([
  { code: "MXN", next: `Use USD, or PATCH /config with MXN in supportedCurrencies; ${REPLACED}` },
  { code: "XXX", next: "Use USD" },
])("the refusal for a customer in $code names a step that works", async ({ code, next }) => {
  const { call } = world();
  await call("PATCH", "/config", { supportedCurrencies: [entry("USD")] });
  const { body } = await call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    currencies: [code],
  });
  expect(body.message).toBe(`${code} is not in the platform's supportedCurrencies. ${next}`);
});
