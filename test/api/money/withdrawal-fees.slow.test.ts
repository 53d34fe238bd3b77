import { beforeEach, describe, expect, test } from "vitest";
import { WITHDRAWAL_NETWORKS } from "../../../src/contract/money/withdrawal-fees.ts";
import { createPayer } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { createToken } from "../../setup/tokens.ts";
import { fingerprintOf } from "../setup/every-operation.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
const STABLECOINS = ["USDC", "USDT", "USDB"];
const accounts: Record<string, string> = {};

beforeEach(async () => {
  const { call } = world();
  await call("PATCH", "/config", {
    supportedCurrencies: ["USD", "BTC", ...STABLECOINS].map((currencyCode) => ({
      currencyCode,
      minAmount: 1,
      maxAmount: 1_000_000,
    })),
  });
  const { body } = await call("GET", "/platform/internal-accounts");
  for (const { id, balance } of body.data) accounts[balance.currency.code] = id;
});

const estimate = (body: object): Promise<Answer> =>
  world().call("POST", "/crypto/estimate-withdrawal-fee", {
    internalAccountId: accounts.USDC,
    currency: "USDC",
    cryptoNetwork: "SOLANA",
    amount: 1_000_000,
    destinationAddress: "7nYBs5Zv2m",
    ...body,
  });

const of = (currency: string) => ({ internalAccountId: accounts[currency], currency });
const outOfRange = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" };

/**
 * The whole table: the chain's fee, and its value in the withdrawn coin
 * (spec/withdrawal-fees.md#network-fees).
 */
const FEES = [
  { network: "SOLANA", networkFee: 5_000, asset: "SOL", stablecoin: 1_000 },
  { network: "BASE", networkFee: 20_000_000_000_000, asset: "ETH", stablecoin: 5_000 },
  { network: "POLYGON", networkFee: 30_000_000_000_000_000, asset: "POL", stablecoin: 3_000 },
  { network: "ETHEREUM", networkFee: 400_000_000_000_000, asset: "ETH", stablecoin: 1_200_000 },
  { network: "SPARK", networkFee: 0, asset: "BTC", stablecoin: 0, btc: 0 },
  { network: "LIGHTNING", networkFee: 10, asset: "BTC", btc: 10 },
  { network: "BITCOIN", networkFee: 1_500, asset: "BTC", btc: 1_500 },
];

const CASES = FEES.flatMap(({ stablecoin, btc, ...row }) => [
  ...STABLECOINS.map((currency) => ({ ...row, currency, fee: stablecoin })),
  { ...row, currency: "BTC", fee: btc },
]);

test("every network is in the table, and no other is accepted", () => {
  expect(FEES.map(({ network }) => network)).toEqual([...WITHDRAWAL_NETWORKS]);
});

describe.each(CASES)("$currency over $network", ({ network, networkFee, asset, currency, fee }) => {
  const ask = (amount: number) => estimate({ ...of(currency), cryptoNetwork: network, amount });

  if (fee === undefined)
    test("cannot be withdrawn", async () => {
      expectRefused(await ask(5_000_000), invalid("cryptoNetwork"));
    });
  else {
    test(`costs ${fee}, and the rest arrives`, async () => {
      const { status, body } = await ask(5_000_000);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          networkFee,
          networkFeeAsset: asset,
          applicationFee: 0,
          totalFee: fee,
          netAmount: 5_000_000 - fee,
        },
      });
    });

    test("may use up the whole amount, but not exceed it", async () => {
      const least = Math.max(1, fee);
      expect((await ask(least)).body.netAmount).toBe(least - fee);
      if (fee > 1) expectRefused(await ask(fee - 1), outOfRange);
    });
  }
});

test("the largest amount is exact to its last unit", async () => {
  const { body } = await estimate({ amount: 9_000_000_000_000_000 });
  expect(body.netAmount).toBe(8_999_999_999_999_000);
  expectRefused(await estimate({ amount: 9_000_000_000_000_001 }), outOfRange);
});

test("it checks no balance and changes nothing", async () => {
  const before = await fingerprintOf(world());
  expect((await estimate({})).status).toBe(200);
  expect(await fingerprintOf(world())).toEqual(before);
});

test("a customer's wallet is estimated like any crypto account", async () => {
  const { customerId } = await createPayer(world(), 0);
  const query = `customerId=${customerId}&type=EMBEDDED_WALLET`;
  const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
  const wallet = { internalAccountId: body.data[0].id, currency: "USDB", cryptoNetwork: "SPARK" };
  expect((await estimate(wallet)).body).toMatchObject({ totalFee: 0, netAmount: 1_000_000 });
});

test.each([["VIEW"], ["TRANSACT"], ["MANAGE"]])("%s is enough to ask", async (permission) => {
  const token = await createToken(world(), [permission]);
  const { status } = await token.call("POST", "/crypto/estimate-withdrawal-fee", {
    internalAccountId: accounts.BTC,
    currency: "BTC",
    cryptoNetwork: "LIGHTNING",
    amount: 11,
    destinationAddress: "lnbc1",
  });
  expect(status).toBe(200);
});

const account = (reason: string) => invalid("internalAccountId", reason);
const currencyRefused = { status: 400, code: "INVALID_CURRENCY", field: "currency" };
const amountRefused = { status: 400, code: "INVALID_AMOUNT", field: "amount" };

test.each([
  {
    says: "no account",
    body: { internalAccountId: "none" },
    refused: account("ACCOUNT_NOT_FOUND"),
  },
  { says: "account 5", body: { internalAccountId: 5 }, refused: invalid("internalAccountId") },
  { says: "the currency EUR", body: { currency: "EUR" }, refused: currencyRefused },
  { says: "the currency XYZ", body: { currency: "XYZ" }, refused: currencyRefused },
  { says: "the currency usdc", body: { currency: "usdc" }, refused: currencyRefused },
  { says: "no currency", body: { currency: undefined }, refused: invalid("currency") },
  { says: "TRON", body: { cryptoNetwork: "TRON" }, refused: invalid("cryptoNetwork") },
  { says: "solana", body: { cryptoNetwork: "solana" }, refused: invalid("cryptoNetwork") },
  { says: "__proto__", body: { cryptoNetwork: "__proto__" }, refused: invalid("cryptoNetwork") },
  { says: "no network", body: { cryptoNetwork: undefined }, refused: invalid("cryptoNetwork") },
  { says: "no amount", body: { amount: undefined }, refused: invalid("amount") },
  { says: "a text", body: { amount: "5" }, refused: invalid("amount") },
  { says: "0", body: { amount: 0 }, refused: amountRefused },
  { says: "-5", body: { amount: -5 }, refused: amountRefused },
  { says: "1000.5", body: { amount: 1000.5 }, refused: amountRefused },
  { says: "no address", body: { destinationAddress: "" }, refused: invalid("destinationAddress") },
  { says: "null", body: { destinationAddress: null }, refused: invalid("destinationAddress") },
  { says: "BITCOIN", body: { cryptoNetwork: "BITCOIN" }, refused: invalid("cryptoNetwork") },
])("$says is refused", async ({ body, refused }) => {
  expectRefused(await estimate(body), refused);
});

// spec/withdrawal-fees.md#eligible-accounts
test("a fiat account and an external account are refused", async () => {
  expectRefused(await estimate(of("USD")), account("ACCOUNT_KIND_NOT_ALLOWED"));
  const { body } = await world().call("POST", "/platform/external-accounts", {
    currency: "USDC",
    accountInfo: { accountType: "BASE_WALLET", address: `0x${"1".repeat(40)}` },
  });
  const outside = await estimate({ internalAccountId: body.id });
  expectRefused(outside, account("ACCOUNT_KIND_NOT_ALLOWED"));
});

/** Fields, ids, currency, amount (spec/withdrawal-fees.md#check-order). */
test.each([
  { body: { amount: 0, internalAccountId: "none" }, refused: amountRefused },
  { body: { currency: "EUR", internalAccountId: "none" }, refused: account("ACCOUNT_NOT_FOUND") },
  { body: { currency: "EUR", amount: 1 }, refused: currencyRefused },
  { body: { cryptoNetwork: "TRON", currency: "EUR" }, refused: invalid("cryptoNetwork") },
  { body: { cryptoNetwork: "BITCOIN", amount: 1 }, refused: invalid("cryptoNetwork") },
])("of two mistakes, $refused.code is reported", async ({ body, refused }) => {
  expectRefused(await estimate(body), refused);
});
