import { describe, expect, test } from "vitest";
import { SANDBOX_PROVIDERS } from "../../../src/domain/payments/uma-providers.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const list = async (query = "") => {
  const { status, body } = await world().call("GET", `/uma-providers${query}`);
  expect(status).toBe(200);
  return body;
};
const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

const SANDBOX = "Sandbox UMA";
const OPAL = "Opal Wallet";
const BLOCKED = "Birch Payments";

// spec/uma-providers.md#provider-table
test("the sandbox's own provider comes first, with all fields", async () => {
  const body = await list();
  expect({ ...body, data: namesOf(body) }).toEqual({
    data: [SANDBOX, OPAL, BLOCKED],
    hasMore: false,
    totalCount: 3,
  });
  expect(body.data[0]).toEqual({
    name: SANDBOX,
    supportedRegions: ["DE", "MX", "US"],
    domain: "sandbox.uma.test",
    logoUrl: "https://sandbox.uma.test/logo.svg",
    supportedCurrencies: [
      { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
      { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
      { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 },
    ],
    lei: "5299SIMSANDBOXUMA075",
    allowListStatus: true,
  });
});

// spec/uma-providers.md#provider-filters
test.each([
  { query: "?sortOrder=asc", finds: [BLOCKED, OPAL, SANDBOX] },
  { query: "?sortOrder=desc", finds: [SANDBOX, OPAL, BLOCKED] },
  { query: "?hasBlockedProviders=true", finds: [SANDBOX, OPAL, BLOCKED] },
  { query: "?hasBlockedProviders=false", finds: [SANDBOX, OPAL] },
  { query: "?countryCode=MX", finds: [SANDBOX, OPAL] },
  { query: "?countryCode=MX&sortOrder=asc", finds: [OPAL, SANDBOX] },
  { query: "?countryCode=DE&hasBlockedProviders=false", finds: [SANDBOX] },
  { query: "?currencyCode=MXN&countryCode=BR", finds: [OPAL] },
  { query: "?currencyCode=EUR", finds: [SANDBOX, BLOCKED] },
  { query: "?currencyCode=XXX", finds: [] },
  { query: "?countryCode=mx", finds: [] },
  { query: "?countryCode=JP", finds: [] },
])("$query finds $finds", async ({ query, finds }) => {
  const body = await list(query);
  expect({ names: namesOf(body), totalCount: body.totalCount, hasMore: body.hasMore }).toEqual({
    names: finds,
    totalCount: finds.length,
    hasMore: false,
  });
  expect(body).not.toHaveProperty("nextCursor");
});

describe("its pages", () => {
  test.each([
    { sortOrder: "asc", names: [BLOCKED, OPAL, SANDBOX] },
    { sortOrder: "desc", names: [SANDBOX, OPAL, BLOCKED] },
  ])("continue where they ended, $sortOrder", async ({ sortOrder, names }) => {
    const query = `?limit=1&sortOrder=${sortOrder}`;
    const pages = [await list(query)];
    for (let at = 0; at < 2; at += 1)
      pages.push(await list(`${query}&cursor=${pages[at].nextCursor}`));
    expect(pages.flatMap(namesOf)).toEqual(names);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([3, 3, 3]);
    const { nextCursor } = pages[0];
    expect(namesOf(await list(`?limit=100&sortOrder=${sortOrder}&cursor=${nextCursor}`))).toEqual(
      names.slice(1),
    );
  });

  test("are refused with a cursor of another query or of another list", async () => {
    const { nextCursor } = await list("?limit=1");
    await world().call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await world().call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const { body: customers } = await world().call("GET", "/customers?limit=1");
    for (const query of [
      `sortOrder=asc&cursor=${nextCursor}`,
      `countryCode=MX&cursor=${nextCursor}`,
      `hasBlockedProviders=true&cursor=${nextCursor}`,
      `cursor=${customers.nextCursor}`,
      "cursor=none",
      "cursor=",
    ])
      expectRefused(await world().call("GET", `/uma-providers?${query}`), invalid("cursor"));
    const stray = await world().call("GET", `/customers?cursor=${nextCursor}`);
    expectRefused(stray, invalid("cursor"));
  });
});

test.each([
  { query: "?sortOrder=up", field: "sortOrder" },
  { query: "?hasBlockedProviders=yes", field: "hasBlockedProviders" },
  { query: "?limit=0", field: "limit" },
  { query: "?limit=101", field: "limit" },
  { query: "?currencyCode=USD&currencyCode=EUR", field: "currencyCode" },
])("$query is refused", async ({ query, field }) => {
  expectRefused(await world().call("GET", `/uma-providers${query}`), invalid(field));
});

test("the sandbox provider has the domain of the start option", async () => {
  const other = await startTestSimulator({ sandboxUmaDomains: ["people.example", "b.example"] });
  const { body } = await other.call("GET", "/uma-providers");
  expect(body.data[0]).toMatchObject({
    domain: "people.example",
    logoUrl: "https://people.example/logo.svg",
  });
  await other.sim.close();
});

/** ISO 17442 with the check of ISO 7064: letters are 10 to 35, and the whole is 1 modulo 97. */
test.each(SANDBOX_PROVIDERS)("the LEI of $name has correct check digits", ({ lei }) => {
  expect(lei).toMatch(/^[0-9A-Z]{18}[0-9]{2}$/);
  const digits = [...lei].map((sign) => Number.parseInt(sign, 36)).join("");
  expect(BigInt(digits) % 97n).toBe(1n);
});

test("the table is sorted by name, without duplicates", () => {
  const names = SANDBOX_PROVIDERS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
});
