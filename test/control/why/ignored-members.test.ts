import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { detailOf, type Entry } from "../../../src/http/log/log-entry.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const ignoredOf = async (answer: { headers: Headers }) => {
  const id = answer.headers.get("x-sim-request-id");
  return (await world.control("GET", `/requests/${id}`)).body.ignored;
};

test("a call tells the members of its body that its operation does not have", async () => {
  const { accountId, customerId } = await createPayer(world);
  const input = quoteInput(accountId, await createPayee(world, customerId, "003"));
  const quote = await world.call("POST", "/quotes", {
    ...input,
    memo: "rent",
    source: { ...input.source, acountId: "typo" },
    senderCustomerInfo: { anything: "is kept" },
  });
  expect(quote.status).toBe(201);
  expect(await ignoredOf(quote)).toEqual(["source.acountId", "memo"]);
});

test("a refused call tells them too", async () => {
  const refused = await world.call("POST", "/quotes", { amount: 100 });
  expect(refused.status).toBe(400);
  expect(await ignoredOf(refused)).toEqual(["amount"]);
});

test("members that are stored and shown are not ignored", async () => {
  const { customerId } = await createPayer(world);
  const account = await world.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "GBP",
    label: "dropped",
    accountInfo: {
      accountType: "GBP_ACCOUNT",
      sortCode: "123456",
      accountNumber: "12345678",
      note: "kept",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", nick: "kept" },
    },
  });
  expect(account.status).toBe(201);
  expect(await ignoredOf(account)).toEqual(["label"]);
});

test("parameters of the query that the operation does not have begin with a question mark", async () => {
  const listed = await world.call("GET", "/customers?limit=5&limt=7&page=2");
  expect(await ignoredOf(listed)).toEqual(["?limt", "?page"]);
});

test("a call whose members are all known tells none, and a long list ends", async () => {
  expect(await ignoredOf(await world.call("GET", "/customers?limit=5"))).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x${at}`, at]));
  const refused = await world.call("POST", "/quotes", many);
  expect(await ignoredOf(refused)).toHaveLength(20);
});

test("a shape that is made at its first use is made once for all requests", () => {
  let made = 0;
  const body = z.lazy(() => {
    made += 1;
    return z.object({ amount: z.number() });
  });
  const entry: Entry = {
    report: { id: "req-1", atMs: 0, method: "POST", path: "/", status: 200, tookMs: 1 },
    seq: 1,
    caused: [],
    input: { amount: 1, amuont: 2 },
    output: undefined,
    takes: { body, query: {}, revision: "2025-10", since: "2025-10", others: () => [] },
  };
  expect([detailOf(entry), detailOf(entry)].map(({ ignored }) => ignored)).toEqual([
    ["amuont"],
    ["amuont"],
  ]);
  expect(made).toBe(1);
});
