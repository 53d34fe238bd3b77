import { beforeEach, describe, expect, test } from "vitest";
import { UMA_LOCAL_PARTS } from "../../src/domain/outcomes.ts";
import { createPayee, createPayer, type lookUpUma } from "../setup/platform.ts";
import { accountCase, creationBody } from "./account-bodies.ts";
import { fingerprintOf } from "./every-operation.ts";
import { expectRefused } from "./refused.ts";
import { worldPerTest } from "./world-per-test.ts";

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

/** Payments O-26: the currency an address names comes first, each is listed once. */
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

describe("a lookup of one of the sandbox's people", () => {
  test.each(PEOPLE)("tells what $name takes and asks", async ({ name, takes, asks }) => {
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

  test("has a row here for each of them", () => {
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

  test("is kept, moves nothing, and tells nobody", async () => {
    const before = await fingerprintOf(world());
    const first = await lookUp("$success.mxn@sandbox.uma.test");
    const second = await lookUp("$success.mxn@sandbox.uma.test");
    expect(first.body.lookupId).not.toBe(second.body.lookupId);
    const { records, ...rest } = await fingerprintOf(world());
    expect({ records: records - 2, ...rest }).toEqual(before);
  });

  test("finds them although a customer has such an address", async () => {
    const umaAddress = "$success.usd@sandbox.uma.test";
    await createCustomer({ umaAddress });
    const { body } = await lookUp(umaAddress);
    expect(body.requiredPayerDataFields).toEqual(required("FULL_NAME", "BIRTH_DATE"));
  });
});

describe("an estimated rate", () => {
  test("is counted in dollars when the sender is not known", async () => {
    const dollars = [
      ["MXN", 17.25],
      ["USD", 1],
      ["EUR", 0.92],
    ];
    expect(await ratesOf("")).toEqual(dollars);
    expect(await ratesOf("?senderUmaAddress=$zoe@bank.example")).toEqual(dollars);
  });

  test("is counted in the first currency of the sending customer", async () => {
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

describe("a lookup of an own customer", () => {
  const DEFAULT: Row[] = [
    ["USD", 1],
    ["USDC", 1, 100, 100_000_000_000],
    ["USDB", 1, 100, 100_000_000_000],
  ];

  test.each(["pay.sandbox.test", "bank.example", "sandbox.uma.test"])(
    "finds it at %s, and asks nothing",
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

  test("lists what the platform supports by now, within its bounds", async () => {
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
  ])("finds a deleted one at $domain no more: $status", async ({ domain, status }) => {
    const { id, umaAddress } = await createCustomer({ umaAddress: `$lena@${domain}` });
    await world().call("DELETE", `/customers/${id}`);
    expect((await lookUp(umaAddress)).status).toBe(status);
  });
});

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

  test("counts in the sender's currency, with ten digits", async () => {
    const { body: account } = await world().call("POST", "/platform/external-accounts", {
      ...creationBody(accountCase("LIGHTNING")),
    });
    const path = `/receiver/external-account/${encodeURIComponent(account.id)}`;
    const { body } = await world().call("GET", path);
    expect(body.supportedCurrencies[0].estimatedExchangeRate).toBe(0.000008333333333);
  });

  test("knows neither a deleted one nor an internal one", async () => {
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

const MALFORMED = [
  "none",
  "$",
  "$@sandbox.uma.test",
  "success.usd@sandbox.uma.test",
  "$success.usd",
  "$success.usd@",
  "$success.usd@sandbox",
  "$success usd@sandbox.uma.test",
  "$success.usd@sandbox.uma.test ",
  " $success.usd@sandbox.uma.test",
  "$success.usd@sandbox.uma.test\n",
  "$success.usd@@sandbox.uma.test",
  "$success.usd@sandbox..test",
  "$success.usd@-a.test",
  "$sücces@sandbox.uma.test",
  `$${"a".repeat(64)}@sandbox.uma.test`,
  "__proto__",
];

describe("an address", () => {
  test.each(MALFORMED)("that is none is refused: %j", async (text) => {
    expectRefused(await lookUp(text), {
      status: 400,
      code: "INVALID_UMA_ADDRESS",
      field: "receiverUmaAddress",
    });
  });

  test.each([
    { says: "at the sandbox's domain", address: "$nobody@sandbox.uma.test" },
    { says: "in another tone of voice there", address: "$success.gbp@SANDBOX.uma.test" },
    { says: "at the platform's own domain", address: "$nobody@pay.sandbox.test" },
    { says: "there, in capitals", address: "$NOBODY@PAY.SANDBOX.TEST" },
    {
      says: "of the sandbox's people, at the platform's",
      address: "$success.usd@pay.sandbox.test",
    },
  ])("that nobody has is not found $says", async ({ address }) => {
    const answer = await lookUp(address);
    expectRefused(answer, { status: 404, code: "UMA_NOT_FOUND" });
    expect(answer.body.details).toMatchObject({ id: address });
    for (const name of UMA_LOCAL_PARTS) expect(answer.body.message).toContain(name);
    expect(answer.body.message).toContain("sandbox.uma.test");
  });

  test.each(["$success.usd@uma.example", "$nobody@bank.example", "$a@x.sandbox.uma.test"])(
    "elsewhere cannot be asked for: %s",
    async (address) => {
      const answer = await lookUp(address);
      expectRefused(answer, { status: 424, code: "LNURLP_REQUEST_FAILED" });
      expect(answer.body.details).toMatchObject({ value: address });
      for (const name of UMA_LOCAL_PARTS) expect(answer.body.message).toContain(name);
    },
  );

  test("follows the platform's umaDomain", async () => {
    await world().call("PATCH", "/config", { umaDomain: "Bank.example" });
    expect((await lookUp("$nobody@bank.example")).status).toBe(404);
    expect((await lookUp("$nobody@pay.sandbox.test")).status).toBe(424);
    await world().call("PATCH", "/config", { umaDomain: null });
    expect((await lookUp("$nobody@bank.example")).status).toBe(424);
  });
});

describe("the sender of a lookup", () => {
  let receivers: Record<string, string>;
  let customer: { id: string; umaAddress: string };

  beforeEach(async () => {
    customer = await createCustomer();
    receivers = {
      uma: "/receiver/uma/$success.usd@sandbox.uma.test",
      account: `/receiver/external-account/${await createPayee(world(), customer.id, "999")}`,
    };
  });

  const ask = (receiver: string, query: Record<string, string>) =>
    world().call("GET", `${receivers[receiver]}?${new URLSearchParams(query)}`);

  describe.each(["uma", "account"])("of a receiver by %s", (receiver) => {
    test.each(["", "zoe", "$zoe", "zoe@bank.example"])(
      "must be a UMA address if it is given: %j",
      async (senderUmaAddress) => {
        expectRefused(await ask(receiver, { senderUmaAddress }), {
          status: 400,
          code: "INVALID_UMA_ADDRESS",
          field: "senderUmaAddress",
        });
      },
    );

    test("must be a customer that is there", async () => {
      const other = await createCustomer();
      await world().call("DELETE", `/customers/${other.id}`);
      for (const customerId of ["", "nobody", "Customer:none", other.id])
        expectRefused(await ask(receiver, { customerId }), {
          status: 404,
          code: "USER_NOT_FOUND",
          field: "customerId",
        });
    });

    test("must be one and the same when it is given twice over", async () => {
      const other = await createCustomer();
      const both = { customerId: customer.id, senderUmaAddress: other.umaAddress };
      expectRefused(await ask(receiver, both), {
        status: 400,
        code: "INVALID_INPUT",
        field: "senderUmaAddress",
      });
      const same = customer.umaAddress.toUpperCase();
      const { status } = await ask(receiver, { ...both, senderUmaAddress: same });
      expect(status).toBe(200);
    });
  });

  test.each([
    { by: "id", query: ({ id }: typeof customer) => ({ customerId: id }), field: "customerId" },
    {
      by: "address",
      query: ({ umaAddress }: typeof customer) => ({ senderUmaAddress: umaAddress.toUpperCase() }),
      field: "senderUmaAddress",
    },
  ])("cannot be the receiver too, by its $by", async ({ query, field }) => {
    const answer = await lookUp(customer.umaAddress, `?${new URLSearchParams(query(customer))}`);
    expectRefused(answer, { status: 400, code: "SELF_PAYMENT", field });
  });
});

describe("of two things wrong with a lookup", () => {
  const SELF = "senderUmaAddress=$a@bank.example";
  test.each([
    { path: "$nobody@sandbox.uma.test?customerId=x", status: 404, code: "UMA_NOT_FOUND" },
    {
      path: "nobody?senderUmaAddress=a&senderUmaAddress=b",
      status: 400,
      code: "INVALID_UMA_ADDRESS",
    },
    { path: "$a@bank.example?customerId=x", status: 404, code: "USER_NOT_FOUND" },
    { path: `$a@bank.example?${SELF}`, status: 400, code: "SELF_PAYMENT" },
  ])("$code answers: $path", async ({ path, status, code }) => {
    const answer = await world().call("GET", `/receiver/uma/${path}`);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });
});
