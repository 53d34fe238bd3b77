import { describe, expect, test } from "vitest";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const USD = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 };

const world = worldPerTest();

interface Row {
  sourceCurrency: { code: string };
  destinationCurrency: { code: string };
}

const get = (query: string) => world().call("GET", `/exchange-rates${query}`);
const pairs = (data: Row[]) =>
  data.map((row) => `${row.sourceCurrency.code} ${row.destinationCurrency.code}`);

describe("an exchange rate", () => {
  test("has all fields, and no fee is deducted", async () => {
    const { status, body } = await get(
      "?sourceCurrency=USD&destinationCurrency=BRL&sendingAmount=40000",
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          sourceCurrency: USD,
          sendingAmount: 40_000,
          minSendingAmount: 100,
          maxSendingAmount: 10_000_000,
          destinationCurrency: { code: "BRL", name: "Brazilian Real", symbol: "R$", decimals: 2 },
          destinationPaymentRail: "PIX",
          receivingAmount: 206_000,
          exchangeRate: 0.1941747573,
          fees: { fixed: 10 },
          updatedAt: "2026-01-05T09:00:00.000Z",
        },
      ],
    });
  });

  test.each([
    { source: "USD", destination: "INR", rail: "UPI", amount: 10_000, receives: 825_000 },
    { source: "USD", destination: "MXN", rail: "SPEI", amount: 10_000, receives: 172_500 },
    { source: "USD", destination: "EUR", rail: "SEPA", amount: 1, receives: 0 },
    { source: "USD", destination: "VND", rail: "BANK_TRANSFER", amount: 1, receives: 245 },
    { source: "USDC", destination: "USD", rail: "ACH", amount: 19_999, receives: 1 },
    { source: "USDC", destination: "GBP", rail: "FASTER_PAYMENTS", amount: 0, receives: 0 },
  ])("from $amount $source to $destination brings $receives", async (row) => {
    const { source, destination, amount, rail, receives } = row;
    const query = `sourceCurrency=${source}&destinationCurrency=${destination}`;
    const { body } = await get(`?${query}&sendingAmount=${amount}`);
    expect(body.data).toMatchObject([
      { destinationPaymentRail: rail, sendingAmount: amount, receivingAmount: receives },
    ]);
  });

  // spec/exchange-rates.md#row-fields
  test.each([
    { at: "09:04:59.999", updatedAt: "2026-01-05T09:00:00.000Z" },
    { at: "09:05:00.000", updatedAt: "2026-01-05T09:05:00.000Z" },
    { at: "09:12:34.567", updatedAt: "2026-01-05T09:10:00.000Z" },
  ])("read at $at has updatedAt $updatedAt", async ({ at, updatedAt }) => {
    await goTo(world(), at);
    const { body } = await get("?sourceCurrency=USD&destinationCurrency=BRL");
    expect(body.data).toMatchObject([{ updatedAt, sendingAmount: 10_000 }]);
  });
});

// spec/exchange-rates.md#list-rows
describe("the rows", () => {
  test("go from each supported currency to each other currency with a bank type", async () => {
    const { body } = await get("");
    const all = pairs(body.data);
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(body.data.map((row: Row) => row.sourceCurrency.code))).toEqual(
      new Set(["USD", "USDC", "USDB"]),
    );
    for (const wallet of ["BTC", "USDC", "USDT", "USDB"])
      expect(all.filter((pair) => pair.endsWith(` ${wallet}`))).toEqual([]);
    expect(all).toContain("USDC USD");
    expect(all).not.toContain("USD USD");
    // 40 currencies without BTC, USDC, USDT, USDB and ARS, from three sources, without USD to
    // itself
    expect(all.length).toBe(3 * 35 - 1);
  });

  test.each([
    { query: "?sourceCurrency=USD&destinationCurrency=EUR&destinationCurrency=MXN" },
    { query: "?sourceCurrency=USD&destinationCurrency=EUR,MXN" },
    { query: "?sourceCurrency=USD&destinationCurrency=EUR,MXN&destinationCurrency=EUR" },
  ])("are for several destinations: $query", async ({ query }) => {
    const { body } = await get(query);
    expect(pairs(body.data).sort()).toEqual(["USD EUR", "USD MXN"]);
  });

  test("are none for a known source that the platform does not support", async () => {
    expect((await get("?sourceCurrency=EUR")).body).toEqual({ data: [] });
  });

  test("are none to a currency without a bank type", async () => {
    expect((await get("?destinationCurrency=BTC")).body).toEqual({ data: [] });
  });
});

describe("an amount that would bring more than the largest amount", () => {
  const rows = async (query: string) =>
    (await get(query)).body.data.map(
      ({ destinationCurrency, receivingAmount }: Row & { receivingAmount: number }) =>
        `${destinationCurrency.code} ${receivingAmount}`,
    );

  test("leaves its row out, and the others are answered", async () => {
    const to = "sourceCurrency=USD&destinationCurrency=EUR,GBP,MXN,VND";
    // 9000000000000000 cents at 17.25 pesos a dollar are too much, and so are 24500 dong a dollar
    expect(await rows(`?${to}&sendingAmount=9000000000000000`)).toEqual([
      "EUR 8280000000000000",
      "GBP 7110000000000000",
    ]);
    // one peso cent below the range, and one above it
    expect(await rows(`?${to}&sendingAmount=521739130434782`)).toContain("MXN 8999999999999989");
    expect(await rows(`?${to}&sendingAmount=521739130434783`)).toEqual([
      "EUR 480000000000000",
      "GBP 412173913043478",
    ]);
  });

  test("gives an empty list if no row is left", async () => {
    const answer = await get(
      "?destinationCurrency=VND&sourceCurrency=USD&sendingAmount=9000000000000000",
    );
    expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
  });
});

// spec/exchange-rates.md#list-parameters, spec/currencies.md#unknown-codes
describe("a query for rates is refused", () => {
  test.each([
    { query: "sourceCurrency=XYZ", code: "INVALID_CURRENCY", field: "sourceCurrency" },
    { query: "sourceCurrency=usd", code: "INVALID_CURRENCY", field: "sourceCurrency" },
    { query: "sourceCurrency=", code: "INVALID_CURRENCY", field: "sourceCurrency" },
    {
      query: "destinationCurrency=EUR,XYZ",
      code: "INVALID_CURRENCY",
      field: "destinationCurrency",
    },
    { query: "sendingAmount=-1", code: "INVALID_INPUT", field: "sendingAmount" },
    { query: "sendingAmount=1.5", code: "INVALID_INPUT", field: "sendingAmount" },
    { query: "sendingAmount=ten", code: "INVALID_INPUT", field: "sendingAmount" },
    { query: "sendingAmount=", code: "INVALID_INPUT", field: "sendingAmount" },
    {
      query: "sendingAmount=9000000000000001",
      code: "AMOUNT_OUT_OF_RANGE",
      field: "sendingAmount",
    },
  ])("with $code for ?$query", async ({ query, code, field }) => {
    expectRefused(await get(`?${query}`), { status: 400, code, field });
  });
});
