import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

interface Posting {
  id: string;
  at: string;
  cause: string;
  account: string;
  currency: string;
  amount: number;
}

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const ledger = async (query = "") => (await world.control("GET", `/ledger${query}`)).body;

/** A payment of 250.00 USD that arrived; returns its payer. */
const pay = async () => {
  const payer = await createPayer(world, 100_000);
  const payee = await createPayee(world, payer.customerId, "999");
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${body.id}/execute`);
  await world.sim.advance("1s");
  return payer;
};

test("a fresh ledger is empty", async () => {
  expect(await ledger()).toEqual({ totals: {}, balances: [], postings: [], hasMore: false });
});

test("a payment leaves its payer the rest, and totals that are zero", async () => {
  const { accountId } = await pay();
  const { totals, balances } = await ledger();
  expect(totals).toEqual({ MXN: 0, USD: 0 });
  const of = (account: string, currency: string) =>
    balances.find((one: Posting) => one.account === account && one.currency === currency)?.amount;
  expect(of(accountId, "USD")).toBe(75_000);
  expect(of("Ledger:funding", "USD")).toBe(-100_000);
  expect(of("Ledger:clearing", "USD")).toBe(0);
  expect(of("Ledger:payouts", "MXN")).toBe(429_766);
});

// spec/ledger.md#reading
test("postings are newest first, each with its instant and cause, and make up the balances", async () => {
  const { accountId } = await pay();
  const { balances, postings, hasMore } = await ledger();
  expect(hasMore).toBe(false);
  expect(postings.at(-1)).toEqual({
    id: expect.any(String),
    at: "2026-01-05T09:00:00.000Z",
    cause: expect.stringMatching(/^req-1-\d+$/),
    account: "Ledger:funding",
    currency: "USD",
    amount: -100_000,
  });
  expect(postings[0].cause).toMatch(/^payment\.settle Transaction:/);
  expect(postings.filter((one: Posting) => one.account === accountId)).toMatchObject([
    { amount: -25_000 },
    { amount: 100_000 },
  ]);
  const sums = new Map<string, number>();
  for (const { account, currency, amount } of postings)
    sums.set(`${account} ${currency}`, (sums.get(`${account} ${currency}`) ?? 0) + amount);
  for (const { account, currency, amount } of balances)
    expect(sums.get(`${account} ${currency}`)).toBe(amount);
  expect(sums.size).toBe(balances.length);
});

test("pages hold every posting once, also while new ones arrive", async () => {
  await pay();
  const { postings: all } = await ledger();
  const seen: Posting[] = [];
  let cursor: string | undefined;
  do {
    const page = await ledger(`?limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`);
    expect(page.hasMore).toBe(page.nextCursor !== undefined);
    seen.push(...page.postings);
    cursor = page.nextCursor;
    await createPayer(world, 1);
  } while (cursor !== undefined);
  expect(seen).toEqual(all);
});

test.each(["cursor=x", "cursor=-1", "cursor=999999", "limit=0", "limit=101", "limit=two"])(
  "%s is refused",
  async (query) => {
    const answer = await world.control("GET", `/ledger?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
  },
);

// spec/ledger.md#reading
test("a statement has one account's postings, each with the balance after it, page by page", async () => {
  const { accountId } = await pay();
  const asked = `account=${encodeURIComponent(accountId)}`;
  const { balances, postings } = await ledger(`?${asked}`);
  expect(balances).toEqual([{ account: accountId, currency: "USD", amount: 75_000 }]);
  const lines = postings.map(({ amount, balance }: Posting & { balance: number }) => [
    amount,
    balance,
  ]);
  expect(lines).toEqual([
    [-25_000, 75_000],
    [100_000, 100_000],
  ]);
  const first = await ledger(`?${asked}&limit=1`);
  expect(first.postings).toEqual(postings.slice(0, 1));
  const second = await ledger(`?${asked}&limit=1&cursor=${first.nextCursor}`);
  expect(second.postings).toEqual(postings.slice(1));
  expect(second.hasMore).toBe(false);
});

test("a span leaves out what is before and after it, and keeps the balances", async () => {
  const { accountId } = await pay();
  const asked = `account=${encodeURIComponent(accountId)}`;
  expect((await ledger(`?${asked}&from=2026-01-05T09:00:01Z`)).postings).toEqual([]);
  expect((await ledger(`?${asked}&to=2026-01-05T08:59:59Z`)).postings).toEqual([]);
  expect((await ledger(`?to=2026-01-05T09:00:00Z&from=2026-01-05T09:00:00Z`)).postings).not.toEqual(
    [],
  );
});

test("a statement of no known account is refused", async () => {
  const { status, body } = await world.control("GET", "/ledger?account=InternalAccount:none");
  expect([status, body.error.code]).toEqual([404, "ID_NOT_FOUND"]);
});
