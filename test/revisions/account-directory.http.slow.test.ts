import { describe, expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { everyRow } from "../setup/every-row.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";

const LATER = "2026-08";
const KEY = { "idempotency-key": "one" };

const NAMES = [
  "Amberline Exchange",
  "Birchway Digital",
  "Copperfield Markets",
  "Harbour Exchange",
  "Kraken",
  "Lanternfish Custody",
  "Meridian Coins",
  "Northgate Exchange",
  "Saltmarsh Trading",
];

const LINK = { provider: "BRALE", apiClientId: "one", apiClientSecret: "two" };
const COIN = { providerTokenIdentifier: "one", networkTokenIdentifier: "two", network: "SPARK" };
const MINT = {
  amount: "1000000",
  fundingSource: { type: "WIRE", externalAccountId: "ExternalAccount:one" },
  destination: { accountId: "InternalAccount:one" },
};
const BURN = {
  amount: "1000000",
  source: { type: "SERVICE_INTERNAL_ACCOUNT", accountId: "InternalAccount:one" },
  destination: { type: "EXTERNAL_ACCOUNT", externalAccountId: "one", rail: "WIRE" },
};

const ACCOUNTS = "/stablecoin-provider-accounts";

interface Row {
  call: string;
  body?: object;
  headers?: Record<string, string>;
  /** Status, code and field of the answer. */
  answer: readonly [status: number, code?: string, field?: string];
}

const UNLINKED = [404, "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND"] as const;
const UNKNOWN = [404, "REFERENCE_NOT_FOUND"] as const;
const KEYLESS = [400, "INVALID_INPUT", "Idempotency-Key"] as const;

const ROWS: Row[] = [
  { call: `GET ${ACCOUNTS}`, answer: [200] },
  { call: `GET ${ACCOUNTS}?status=OPEN`, answer: [400, "INVALID_INPUT", "status"] },
  { call: `GET ${ACCOUNTS}/none`, answer: UNLINKED },
  { call: `POST ${ACCOUNTS}`, body: LINK, answer: KEYLESS },
  { call: `POST ${ACCOUNTS}`, body: LINK, headers: KEY, answer: [501, "NOT_IMPLEMENTED"] },
  {
    call: `POST ${ACCOUNTS}`,
    body: { ...LINK, provider: "OTHER" },
    headers: { "idempotency-key": "two" },
    answer: [400, "INVALID_INPUT", "provider"],
  },
  {
    call: `POST ${ACCOUNTS}`,
    body: LINK,
    headers: { "idempotency-key": "x".repeat(256) },
    answer: KEYLESS,
  },
  { call: "GET /stablecoins", answer: [200] },
  { call: "GET /stablecoins?cursor=none", answer: [400, "INVALID_INPUT", "cursor"] },
  { call: "GET /stablecoins?limit=0", answer: [400, "INVALID_INPUT", "limit"] },
  { call: "GET /stablecoins/none", answer: UNKNOWN },
  { call: "POST /stablecoins", body: COIN, answer: KEYLESS },
  { call: "POST /stablecoins", body: COIN, headers: KEY, answer: UNLINKED },
  {
    call: "POST /stablecoins",
    body: { ...COIN, network: "BASE" },
    headers: { "idempotency-key": "two" },
    answer: [400, "INVALID_INPUT", "network"],
  },
  { call: "POST /stablecoins/none/mints", body: MINT, answer: KEYLESS },
  { call: "POST /stablecoins/none/mints", body: MINT, headers: KEY, answer: UNKNOWN },
  { call: "POST /stablecoins/none/burns", body: BURN, answer: KEYLESS },
  { call: "POST /stablecoins/none/burns", body: BURN, headers: KEY, answer: UNKNOWN },
  { call: "GET /stablecoins/none/operations?operationType=MINT", answer: [200] },
  { call: "GET /stablecoin-operations/none", answer: UNKNOWN },
];

interface Sent {
  method: string;
  path: string;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

const send = ({ raw }: TestSimulator, { method, path, body, headers }: Sent) =>
  raw(method, path, {
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

describe("the later revision", () => {
  const world = worldPerTest({ revision: LATER });

  // spec/later-accounts.md#directory-of-exchanges
  test("lists the exchanges by name, page by page, uncounted", async () => {
    const whole = (await world().call("GET", "/vasps")).body;
    expect(whole.data.map(({ vaspName }: { vaspName: string }) => vaspName)).toEqual(NAMES);
    expect(Object.keys(whole)).toEqual(["data", "hasMore"]);
    const first = (await world().call("GET", "/vasps?limit=5")).body;
    expect([first.data.length, first.hasMore]).toEqual([5, true]);
    const rest = await world().call("GET", `/vasps?limit=5&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.body.data]).toEqual(whole.data);
    expect(rest.body.hasMore).toBe(false);
    for (const query of ["limit=0", "limit=101", "cursor=none"])
      expect((await world().call("GET", `/vasps?${query}`)).status).toBe(400);
  });

  // spec/later-accounts.md#stablecoins
  test("answers about stablecoins as for an issuer who linked nothing", () =>
    everyRow(
      ROWS,
      async ({ call, body, headers, answer: [status, code, field] }) => {
        const [method = "", path = ""] = call.split(" ");
        const answer = await send(world(), { method, path, body, headers });
        const { code: found, details, ...page } = answer.body;
        expect([answer.status, found, details?.field]).toEqual([status, code, field]);
        if (status === 200) expect(page).toEqual({ data: [], hasMore: false, totalCount: 0 });
      },
      ({ call, headers }) => `${call} ${JSON.stringify(headers)}`,
    ));

  test("does not want the link that is not simulated to be tried again", async () => {
    const { headers } = await send(world(), {
      method: "POST",
      path: ACCOUNTS,
      body: LINK,
      headers: KEY,
    });
    expect(headers.get("x-should-retry")).toBe("false");
  });
});

describe("the first revision", () => {
  const world = worldPerTest();

  test("has none of these operations", () =>
    everyRow(
      [...ROWS, { call: "GET /vasps" }],
      async ({ call, body, headers }: Partial<Row> & { call: string }) => {
        const [method = "", path = ""] = call.split(" ");
        const answer = await send(world(), { method, path, body, headers });
        expect([answer.status, answer.body.reason]).toEqual([404, "UNKNOWN_OPERATION"]);
      },
      ({ call }) => call,
    ));
});
