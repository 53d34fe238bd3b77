import { describe, expect, test } from "vitest";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";
import { BASE, jsonLines, rawPlatform } from "./setup/raw-platform.ts";
import { exchange, type RawAnswer } from "./setup/raw-socket.ts";
import { retrying } from "./setup/retrying-client.ts";

const platform = rawPlatform();
const { ask, ids, world } = platform;

const POST = { method: "POST" };

const addFault = async (fault: object, match: object = {}) => {
  const added = await world().control("POST", "/faults", { match, fault });
  expect(added.status).toBe(201);
};

const toldBy = ({ status, headers }: RawAnswer) => [
  status,
  headers["retry-after"],
  headers["retry-after-ms"],
  headers["x-should-retry"],
];

// spec/errors.md#retries
describe("an answer tells whether and when to retry", () => {
  test.each([
    { fault: { status: 429 }, after: "1", ms: "1000", should: undefined },
    { fault: { status: 503 }, after: "1", ms: "1000", should: undefined },
    { fault: { code: "RATE_LIMITED" }, after: "1", ms: "1000", should: undefined },
    { fault: { code: "UNAVAILABLE" }, after: "1", ms: "1000", should: undefined },
    { fault: { status: 409 }, after: undefined, ms: undefined, should: "false" },
    { fault: { status: 501 }, after: undefined, ms: undefined, should: "false" },
    { fault: { status: 500 }, after: undefined, ms: undefined, should: undefined },
    { fault: { status: 400 }, after: undefined, ms: undefined, should: undefined },
    { fault: { status: 409, shouldRetry: true }, after: "1", ms: "1000", should: "true" },
    { fault: { status: 500, shouldRetry: true }, after: "1", ms: "1000", should: "true" },
    { fault: { status: 503, shouldRetry: true }, after: "1", ms: "1000", should: "true" },
    {
      fault: { status: 409, shouldRetry: false },
      after: undefined,
      ms: undefined,
      should: "false",
    },
    {
      fault: { status: 500, shouldRetry: false },
      after: undefined,
      ms: undefined,
      should: "false",
    },
    { fault: { status: 503, shouldRetry: false }, after: "1", ms: "1000", should: "false" },
  ])("of the fault $fault", async ({ fault, after, ms, should }) => {
    await addFault(fault);
    const [, ...told] = toldBy(await ask("/config"));
    expect(told).toEqual([after, ms, should]);
  });

  test("of the rate limit: until the oldest call leaves the span", async () => {
    await world().control("PUT", "/rate-limit", { limit: "1/m" });
    await ask("/config");
    expect(toldBy(await ask("/config"))).toEqual([429, "60", "60000", undefined]);
    await world().sim.advance("20s");
    expect(toldBy(await ask("/config"))).toEqual([429, "40", "40000", undefined]);
    await world().sim.advance("39900ms");
    expect(toldBy(await ask("/config"))).toEqual([429, "1", "1000", undefined]);
  });

  test("of codes by email: until the next one may be asked for", async () => {
    const target = `/auth/credentials/${ids().credentialId}/challenge`;
    const answers: RawAnswer[] = [];
    for (let call = 0; call < 4; call += 1) answers.push(await ask(target, POST));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(toldBy(answers[3] as RawAnswer)).toEqual([429, "60", "60000", undefined]);
  });

  test("of the bound of worlds, on both surfaces", async () => {
    const full = await startTestSimulator({ worlds: "open", maxWorlds: 2 });
    try {
      const { port } = await full.sim.listen();
      const config = (user: string) =>
        exchange(port, {
          target: `${BASE}/config`,
          headers: [`authorization: ${basic(user, full.sim.clientSecret)}`],
        });
      expect((await config("sandbox+one")).status).toBe(200);
      expect(toldBy(await config("sandbox+two"))).toEqual([503, "1", "1000", undefined]);
      const body = '{"name":"two"}';
      const headers = jsonLines(body);
      const created = await exchange(port, { ...POST, target: "/_sim/worlds", headers, body });
      expect(toldBy(created)).toEqual([503, "1", "1000", undefined]);
    } finally {
      await full.sim.close();
    }
  });

  test("of a documented value that is not simulated", async () => {
    const body = JSON.stringify({
      source: { sourceType: "REALTIME_FUNDING", currency: "BTC", cryptoNetwork: "BITCOIN" },
      destination: { destinationType: "ACCOUNT", accountId: ids().externalAccountId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    });
    const answer = await ask("/quotes", { ...POST, headers: jsonLines(body), body });
    expect(toldBy(answer), answer.body).toEqual([501, undefined, undefined, "false"]);
  });

  test("of a conflict with a record, on both surfaces", async () => {
    const target = `/quotes/${ids().quoteId}/execute`;
    expect((await ask(target, POST)).status).toBe(200);
    expect(toldBy(await ask(target, POST))).toEqual([409, undefined, undefined, "false"]);
    const undo = { ...POST, target: "/_sim/capsule", method: "DELETE" };
    const nothing = await exchange(platform.port(), undo);
    expect(toldBy(nothing)).toEqual([409, undefined, undefined, "false"]);
  });
});

/** A payment of 1.00 USD out of an account, under a key. */
const payment = (accountId: string, bankId: string) => {
  const source = { accountId };
  const body = JSON.stringify({ source, destination: { accountId: bankId }, amount: 100 });
  const headers = [
    "host: a",
    "connection: close",
    platform.authorization(),
    "idempotency-key: invoice-7",
    ...jsonLines(body),
  ];
  return { method: "POST", target: `${BASE}/transfer-out`, headers, body };
};

const advance = (waitMs: number) => world().sim.advance(`${waitMs}ms`);

const balance = async () => {
  const { body } = await world().call(
    "GET",
    `/customers/internal-accounts?customerId=${ids().customerId}&currency=USD`,
  );
  return body.data[0].balance.amount as number;
};

const payments = async () => (await world().call("GET", "/transactions")).body.totalCount as number;

// spec/idempotency.md#stored-answers
describe("a client that retries under one key pays once", () => {
  const LATER = { status: 409, shouldRetry: true };
  test.each<{ trouble: string; faults: object[]; statuses: number[] }>([
    { trouble: "409 that may be retried", faults: [LATER, LATER], statuses: [409, 409, 201] },
    { trouble: "429", faults: [{ status: 429 }], statuses: [429, 201] },
    {
      trouble: "429 three times",
      faults: [{ status: 429 }, { status: 429 }, { status: 429 }],
      statuses: [429, 429, 429, 201],
    },
    { trouble: "500", faults: [{ status: 500 }], statuses: [500, 201] },
    {
      trouble: "500, 502 and 503",
      faults: [{ status: 500 }, { status: 502 }, { status: 503 }],
      statuses: [500, 502, 503, 201],
    },
    { trouble: "504", faults: [{ status: 504 }], statuses: [504, 201] },
    { trouble: "a lost answer", faults: [{ dropResponse: true }], statuses: [0, 201] },
    {
      trouble: "three lost answers",
      faults: [{ dropResponse: true }, { dropResponse: true }, { dropResponse: true }],
      statuses: [0, 0, 0, 201],
    },
    { trouble: "a closed connection", faults: [{ closeSocket: true }], statuses: [0, 201] },
    { trouble: "an answer cut short", faults: [{ cutAfterBytes: 9 }], statuses: [0, 201] },
    {
      trouble: "a lost answer, then 503 and 429",
      faults: [{ dropResponse: true }, { status: 503 }, { status: 429 }],
      statuses: [0, 503, 429, 201],
    },
  ])("after $trouble", async ({ faults, statuses }) => {
    for (const [at, fault] of faults.entries())
      await addFault(fault, { operation: "transferOut", nth: at + 1 });
    const before = { balance: await balance(), payments: await payments() };
    const { accountId = "", bankId = "" } = ids();
    const request = payment(accountId, bankId);
    const done = await retrying(platform.port(), request, advance);
    expect(done.statuses).toEqual(statuses);
    expect({ balance: await balance(), payments: await payments() }).toEqual({
      balance: before.balance - 100,
      payments: before.payments + 1,
    });
    const again = await retrying(platform.port(), request, advance);
    expect([again.statuses, again.answer?.body]).toEqual([[201], done.answer?.body]);
  });

  test("at a rate limit, after the wait that it names", async () => {
    const { accountId = "", bankId = "" } = ids();
    const before = await payments();
    await world().control("PUT", "/rate-limit", { limit: "1/m" });
    await ask("/config");
    await world().sim.advance("15s");
    const done = await retrying(platform.port(), payment(accountId, bankId), advance);
    expect([done.statuses, done.waitsMs]).toEqual([[429, 201], [45_000]]);
    await world().control("PUT", "/rate-limit", { limit: "none" });
    expect(await payments()).toBe(before + 1);
  });

  test("and gives up after four errors without having paid", async () => {
    await addFault({ status: 503 }, { operation: "transferOut" });
    const before = await balance();
    const { accountId = "", bankId = "" } = ids();
    const done = await retrying(platform.port(), payment(accountId, bankId), advance);
    expect([done.statuses, await balance()]).toEqual([[503, 503, 503, 503], before]);
  });

  test("or not at all where an error is final: it is sent once", async () => {
    await addFault({ status: 409 }, { operation: "transferOut", times: 1 });
    const { accountId = "", bankId = "" } = ids();
    const done = await retrying(platform.port(), payment(accountId, bankId), advance);
    expect([done.statuses, done.waitsMs]).toEqual([[409], []]);
  });

  test("also when its calls come at the same time: none is 409", async () => {
    const before = await payments();
    const { accountId = "", bankId = "" } = ids();
    const request = payment(accountId, bankId);
    const all = await Promise.all(
      Array.from({ length: 4 }, () => retrying(platform.port(), request, advance)),
    );
    expect(all.map(({ statuses }) => statuses)).toEqual([[201], [201], [201], [201]]);
    expect(new Set(all.map(({ answer }) => answer?.body)).size).toBe(1);
    expect(await payments()).toBe(before + 1);
  });
});

interface Page {
  data: { id: string }[];
  hasMore: boolean;
  nextCursor?: string;
  totalCount: number;
}

// spec/lists.md#envelope
describe("a walk through a list", () => {
  /** Lengths of the pages, until one says that it is the last. */
  const walked = async (path: string, limit: number) => {
    const lengths: number[] = [];
    for (let cursor = ""; ; ) {
      const answer = await ask(`${path}?limit=${limit}${cursor}`);
      const { data, hasMore, nextCursor } = JSON.parse(answer.body) as Page;
      lengths.push(data.length);
      expect(nextCursor !== undefined).toBe(hasMore);
      if (!hasMore) return lengths;
      cursor = `&cursor=${encodeURIComponent(nextCursor ?? "")}`;
    }
  };

  test.each([
    { limit: 1, pages: [1, 1, 1, 1, 1] },
    { limit: 2, pages: [2, 2, 1] },
    { limit: 4, pages: [4, 1] },
    { limit: 5, pages: [5] },
    { limit: 100, pages: [5] },
  ])("of five in pages of $limit ends without a cursor", async ({ limit, pages }) => {
    expect(await walked("/customers", limit)).toEqual(pages);
  });

  test("ends with an empty page when the rest was deleted meanwhile", async () => {
    const { externalAccountId, bankId } = ids();
    const path = "/customers/external-accounts";
    const { nextCursor } = JSON.parse((await ask(`${path}?limit=1`)).body) as Page;
    for (const id of [externalAccountId, bankId])
      expect((await ask(`${path}/${id}`, { method: "DELETE" })).status).toBe(204);
    const rest = await ask(`${path}?limit=1&cursor=${encodeURIComponent(nextCursor ?? "")}`);
    const { data, hasMore, ...others } = JSON.parse(rest.body) as Page;
    expect([rest.status, data, hasMore]).toEqual([200, [], false]);
    expect(others).toEqual({ totalCount: 0 });
  });

  test.each([
    "/customers?umaAddress=$nobody@pay.example",
    "/customers?createdAfter=2030-01-01T00:00:00Z",
    "/transactions?customerId=Customer:none",
    "/transactions?reference=none",
    "/cards?cardholderId=Customer:none",
    "/agents?customerId=Customer:none",
    "/agents/approvals?agentId=Agent:none",
    "/customers/internal-accounts?customerId=Customer:none",
    "/customers/external-accounts?currency=XXX",
    "/platform/external-accounts?currency=XXX",
    "/beneficial-owners?customerId=Customer:none",
    "/documents?documentHolder=Customer:none",
    "/verifications?customerId=Customer:none",
    "/tokens?name=none",
    "/uma-providers?countryCode=AQ",
  ])("that a filter leaves empty is an empty page: %s", async (target) => {
    const answer = await ask(target);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      { data: [], hasMore: false, totalCount: 0 },
    ]);
  });

  test.each([
    "/auth/credentials?accountId=none",
    "/auth/sessions?accountId=none",
    "/platform/internal-accounts?currency=XXX",
    "/discoveries?country=AQ",
  ])("of one page is empty too: %s", async (target) => {
    const answer = await ask(target);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { data: [] }]);
  });
});
