import { describe, expect, test } from "vitest";
import { UMA_LOCAL_PARTS } from "../../../src/domain/outcomes/outcomes.ts";
import { createPayee, createPayer, type lookUpUma } from "../../setup/platform.ts";
import { accountCase, creationBody } from "../setup/account-bodies.ts";
import { fingerprintOf } from "../setup/every-operation.ts";
import { expectRefused } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const CURRENCIES: Record<string, object> = {
  USD: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
  EUR: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
  MXN: { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 },
  USDC: { code: "USDC", name: "USD Coin", symbol: "USDC", decimals: 6 },
  USDB: { code: "USDB", name: "USDB", symbol: "USDB", decimals: 6 },
};

type Row = readonly [code: string, rate: number, min?: number, max?: number];

const listed = (rows: readonly Row[]) =>
  rows.map(([code, estimatedExchangeRate, min = 100, max = 10_000_000]) => ({
    currency: CURRENCIES[code],
    estimatedExchangeRate,
    min,
    max,
  }));

const required = (...names: string[]) => names.map((name) => ({ name, mandatory: true }));

/**
 * The currency of an address comes first; each currency is listed once
 * (spec/lookups.md#sandbox-people).
 */
const PEOPLE: { name: string; takes: Row[]; asks: string[] }[] = [
  {
    name: "$success.usd",
    takes: [
      ["USD", 1],
      ["EUR", 0.92],
    ],
    asks: ["FULL_NAME", "BIRTH_DATE"],
  },
  {
    name: "$success.eur",
    takes: [
      ["EUR", 0.92],
      ["USD", 1],
    ],
    asks: ["FULL_NAME", "BIRTH_DATE"],
  },
  {
    name: "$success.mxn",
    takes: [
      ["MXN", 17.25],
      ["USD", 1],
      ["EUR", 0.92],
    ],
    asks: ["FULL_NAME", "BIRTH_DATE"],
  },
  {
    name: "$pending.long.usd",
    takes: [
      ["USD", 1],
      ["EUR", 0.92],
    ],
    asks: ["FULL_NAME"],
  },
  {
    name: "$fail.compliance.usd",
    takes: [
      ["USD", 1],
      ["EUR", 0.92],
    ],
    asks: ["FULL_NAME"],
  },
];

const lookUp = (umaAddress: string, query = "") =>
  world().call("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}${query}`);

const createCustomer = async (members: object = {}) => {
  const body = { customerType: "INDIVIDUAL", ...members };
  const answer = await world().call("POST", "/customers", body);
  expect(answer.status).toBe(201);
  return answer.body as { id: string; umaAddress: string };
};

const support = async (...codes: string[]) => {
  const supportedCurrencies = codes.map((currencyCode) => ({
    currencyCode,
    minAmount: 100,
    maxAmount: 10_000_000,
  }));
  await world().call("PATCH", "/config", { supportedCurrencies });
};

const ratesOf = async (query: string) => {
  const { body } = await lookUp("$success.mxn@sandbox.uma.test", query);
  const rows = body.supportedCurrencies as Awaited<
    ReturnType<typeof lookUpUma>
  >["supportedCurrencies"];
  return rows.map(({ currency, estimatedExchangeRate }) => [currency.code, estimatedExchangeRate]);
};

describe("a lookup of a sandbox person", () => {
  test.each(PEOPLE)("shows what $name takes and requires", async ({ name, takes, asks }) => {
    const umaAddress = `${name}@sandbox.uma.test`;
    const { status, body } = await lookUp(umaAddress);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        receiverUmaAddress: umaAddress,
        lookupId: expect.stringMatching(/^Lookup:[0-9a-f-]{36}$/),
        supportedCurrencies: listed(takes),
        requiredPayerDataFields: required(...asks),
      },
    });
  });

  test("has a case for each of them", () => {
    expect(PEOPLE.map(({ name }) => name)).toEqual(UMA_LOCAL_PARTS);
  });

  test.each([
    "/receiver/uma/$success.mxn@sandbox.uma.test",
    "/receiver/uma/%24success.mxn%40sandbox.uma.test",
    "/receiver/uma/$SUCCESS.mxn@Sandbox.UMA.test",
  ])("is the same however it is written: %s", async (path) => {
    const { status, body } = await world().call("GET", path);
    expect(status).toBe(200);
    expect(body.supportedCurrencies).toHaveLength(3);
    expect(body.receiverUmaAddress).toBe(decodeURIComponent(path.slice("/receiver/uma/".length)));
  });

  test("is stored, moves no money and sends no event", async () => {
    const before = await fingerprintOf(world());
    const first = await lookUp("$success.mxn@sandbox.uma.test");
    const second = await lookUp("$success.mxn@sandbox.uma.test");
    expect(first.body.lookupId).not.toBe(second.body.lookupId);
    const { records, ...rest } = await fingerprintOf(world());
    expect({ records: records - 2, ...rest }).toEqual(before);
  });

  // spec/uma-payments.md#address-owner
  test("finds them even if a customer has such an address", async () => {
    const umaAddress = "$success.usd@sandbox.uma.test";
    await createCustomer({ umaAddress });
    const { body } = await lookUp(umaAddress);
    expect(body.requiredPayerDataFields).toEqual(required("FULL_NAME", "BIRTH_DATE"));
  });
});

// spec/lookups.md#estimated-rate
describe("an estimated rate", () => {
  test("is in dollars when the sender is unknown", async () => {
    const dollars = [
      ["MXN", 17.25],
      ["USD", 1],
      ["EUR", 0.92],
    ];
    expect(await ratesOf("")).toEqual(dollars);
    expect(await ratesOf("?senderUmaAddress=$zoe@bank.example")).toEqual(dollars);
  });

  test("is in the first currency of the sending customer", async () => {
    await support("EUR", "USD");
    const { id, umaAddress } = await createCustomer({ currencies: ["EUR", "USD"] });
    const euros = [
      ["MXN", 18.75],
      ["USD", 1.086956522],
      ["EUR", 1],
    ];
    expect(await ratesOf(`?customerId=${id}`)).toEqual(euros);
    expect(await ratesOf(`?senderUmaAddress=${umaAddress}`)).toEqual(euros);
    expect(await ratesOf(`?senderUmaAddress=${umaAddress}&customerId=${id}`)).toEqual(euros);
  });

  test("is the one that the operator has set", async () => {
    await world().control("PUT", "/rates", { perUsd: { MXN: "20.5" } });
    expect((await ratesOf(""))[0]).toEqual(["MXN", 20.5]);
  });
});

// spec/lookups.md#customer-receivers
describe("a lookup of a customer of the platform", () => {
  const DEFAULT: Row[] = [
    ["USD", 1],
    ["USDC", 1, 100, 100_000_000_000],
    ["USDB", 1, 100, 100_000_000_000],
  ];

  test.each(["pay.sandbox.test", "bank.example", "sandbox.uma.test"])(
    "finds it at %s, without required fields",
    async (domain) => {
      const umaAddress = `$lena@${domain}`;
      await createCustomer({ umaAddress });
      const { status, body } = await lookUp("$LENA@".concat(domain));
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          receiverUmaAddress: `$LENA@${domain}`,
          lookupId: expect.any(String),
          supportedCurrencies: listed(DEFAULT),
          requiredPayerDataFields: [],
        },
      });
    },
  );

  test("lists the customer's own currencies alone", async () => {
    await support("USD", "MXN");
    const { umaAddress } = await createCustomer({ currencies: ["MXN"] });
    const { body } = await lookUp(umaAddress);
    expect(body.supportedCurrencies).toEqual(listed([["MXN", 17.25]]));
  });

  test("lists the currencies that the platform supports now, with its bounds", async () => {
    const { umaAddress } = await createCustomer();
    const set = (minAmount: number, maxAmount: number) =>
      world().call("PATCH", "/config", {
        supportedCurrencies: [{ currencyCode: "USD", minAmount, maxAmount }],
      });
    await set(0, 500);
    expect((await lookUp(umaAddress)).body.supportedCurrencies).toEqual(
      listed([["USD", 1, 1, 500]]),
    );
    await set(0, 0);
    expect((await lookUp(umaAddress)).body.supportedCurrencies).toEqual([]);
  });

  test.each([
    { domain: "pay.sandbox.test", status: 404 },
    { domain: "bank.example", status: 424 },
  ])("does not find a deleted one at $domain: $status", async ({ domain, status }) => {
    const { id, umaAddress } = await createCustomer({ umaAddress: `$lena@${domain}` });
    await world().call("DELETE", `/customers/${id}`);
    expect((await lookUp(umaAddress)).status).toBe(status);
  });
});

// spec/lookups.md#external-account-receivers
describe("a lookup of an external account", () => {
  test.each(["customers", "platform"])("finds one of the %s", async (scope) => {
    const { customerId } = await createPayer(world(), 0);
    const { body: account } = await world().call("POST", `/${scope}/external-accounts`, {
      ...(scope === "customers" && { customerId }),
      ...creationBody(accountCase("MXN_ACCOUNT")),
    });
    const { status, body } = await world().call("GET", `/receiver/external-account/${account.id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        accountId: account.id,
        lookupId: expect.stringMatching(/^Lookup:[0-9a-f-]{36}$/),
        supportedCurrencies: listed([["MXN", 17.25, 1, 9_000_000_000_000_000]]),
        requiredPayerDataFields: [],
      },
    });
  });

  test("has its rate in the sender's currency, with ten digits", async () => {
    const { body: account } = await world().call("POST", "/platform/external-accounts", {
      ...creationBody(accountCase("LIGHTNING")),
    });
    const path = `/receiver/external-account/${encodeURIComponent(account.id)}`;
    const { body } = await world().call("GET", path);
    expect(body.supportedCurrencies[0].estimatedExchangeRate).toBe(0.000008333333333);
  });

  test("finds neither a deleted account nor an internal one", async () => {
    const { customerId, accountId } = await createPayer(world(), 0);
    const payee = await createPayee(world(), customerId, "999");
    await world().call("DELETE", `/customers/external-accounts/${payee}`);
    for (const id of [payee, accountId])
      expectRefused(await world().call("GET", `/receiver/external-account/${id}`), {
        status: 404,
        code: "REFERENCE_NOT_FOUND",
      });
  });
});
