import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";

/** One for each worker. */
const FILES = 2;
const TESTS_IN_FILE = 100;

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyInstalled(place, { type: "module" });
  symlinkSync(ours("vitest"), place.file("npm", "node_modules", "vitest"));
});

afterAll(() => place.close());

const CONFIG = `
import { defineConfig } from "vitest/config";
export default defineConfig({
  test: {
    globalSetup: "service-sim/vitest/setup",
    provide: { serviceSim: { now: "2026-01-05T09:00:00Z" } },
    maxWorkers: 2,
    reporters: ["default", ["json", { outputFile: "report.json" }], "service-sim/vitest/coverage-reporter"],
  },
});
`;

/** Tests that each pay once in their own world, and look for anything that is not their own. */
const suite = (file: number) => `
import { expect, test } from "service-sim/vitest";

const mxn = { accountType: "MXN_ACCOUNT", clabeNumber: "646180110400000003",
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" } };

for (let at = 0; at < ${TESTS_IN_FILE}; at += 1)
  test("payment " + at, async ({ sim }) => {
    const mark = "shop-${file}-" + at;
    const { id: customerId } = await sim.call.createCustomer({
      body: { customerType: "INDIVIDUAL", platformCustomerId: mark } });
    const { data: [{ id: accountId }] } = await sim.call.listCustomerInternalAccounts({
      query: { customerId, currency: "USD" } });
    const amount = 100_000 + at;
    await sim.call.fundInternalAccount({ params: { accountId }, body: { amount } });
    const payee = await sim.call.createCustomerExternalAccount({
      body: { customerId, currency: "MXN", accountInfo: mxn } });
    const { id: quoteId, transactionId: about } = await sim.call.createQuote({ body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: payee.id },
      lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 } });
    await sim.call.executeQuote({ params: { quoteId } });
    const { to } = await sim.advance(6 + at + "m");
    await expect(sim).toHaveReceived({ type: "OUTGOING_PAYMENT.PROCESSING", about, count: 1 });
    await expect(sim).toHaveReceived({ type: "OUTGOING_PAYMENT.COMPLETED", about, count: 1 });
    await expect(sim).toBalance();
    expect(to).toBe(new Date(Date.parse("2026-01-05T09:06:00Z") + at * 60_000).toISOString());
    const customers = await sim.call.listCustomers();
    expect(customers.data.map(({ platformCustomerId }) => platformCustomerId)).toEqual([mark]);
    const account = await sim.call.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } });
    expect(account.data[0].balance.amount).toBe(75_000 + at);
    expect((await sim.webhooks.list({ type: "OUTGOING_PAYMENT.COMPLETED" })).data).toHaveLength(1);
    expect((await sim.requests.list({ limit: 100 })).data).toHaveLength(8);
  });
`;

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    message: string;
    assertionResults: { status: string; failureMessages: string[] }[];
  }[];
}

const runVitest = async (env: Record<string, string> = {}, ...files: string[]) => {
  const command = [process.execPath, ours("vitest", "vitest.mjs"), "run", ...files];
  const ended = await place.spawn(command, { folder: "npm", env }).ended;
  const report = JSON.parse(readFileSync(place.file("npm", "report.json"), "utf8")) as Report;
  return { ...ended, report };
};

/** Messages of what failed in the end; a retried test has those of its first runs, too. */
const failuresOf = ({ testResults }: Report) =>
  testResults
    .flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults
        .filter(({ status }) => status !== "passed")
        .flatMap(({ failureMessages }) => failureMessages),
    ])
    .filter((text) => text !== "");

test("200 tests in worlds of their own, in two workers on one simulator, never meet", async () => {
  writeFileSync(place.file("npm", "vitest.config.js"), CONFIG);
  for (let file = 0; file < FILES; file += 1)
    writeFileSync(place.file("npm", `shop-${file}.test.js`), suite(file));
  const { code, report, stdout } = await runVitest({}, "test.js");
  expect(failuresOf(report)).toEqual([]);
  expect({ code, passed: report.numPassedTests }).toEqual({ code: 0, passed: 200 });
  expect(stdout).toMatch(/^service-sim: coverage [0-9.]+ %, \d+ of \d+ items: operations 7\//m);
});

const BEHAVIOR = `
import { beforeEach } from "vitest";
import { expect, test, it } from "service-sim/vitest";
import { ApiError } from "service-sim";

const messageOf = (promise) => promise.then(() => "passed", ({ message }) => message);
const names = [];

test("matchers say what they found", async ({ sim }) => {
  const body = { customerType: "INDIVIDUAL" };
  const { id: customerId } = await sim.call.createCustomer({ body });
  const { data: [{ id: accountId }] } = await sim.call.listCustomerInternalAccounts({ query: { customerId } });
  await sim.call.fundInternalAccount({ params: { accountId }, body: { amount: 100 } });
  const message = await messageOf(expect(sim).toHaveReceived({ type: "TEST", timeoutMs: 1 }));
  expect(message.split("\\n").slice(0, 2)).toEqual([
    "Expected world " + sim.world + " to have received TEST but found 0.",
    "Its webhooks, newest first:",
  ]);
  await expect(sim).not.toHaveReceived("TEST");
  const { type } = (await sim.webhooks.list()).data[0];
  expect(await messageOf(expect(sim).toHaveReceived({ type, count: 5, timeoutMs: 1 }))).toContain(
    "to have received 5 × " + type + " but found 1");
  expect(await messageOf(expect(sim).not.toHaveReceived(type))).toContain(
    "not to have received " + type + " but found 1");
  expect(await messageOf(expect(sim).not.toBalance())).toContain("every total is 0");
  expect(await messageOf(expect(7).toBalance())).toBe(
    "toBalance expects a simulator: expect(sim).toBalance(…)");
});

test("errors are of the library's class", async ({ sim }) => {
  const read = sim.call.getQuote({ params: { quoteId: "Quote:none" } });
  await expect(read).rejects.toBeInstanceOf(ApiError);
});

test("a retry has a world of its own", { retry: 1 }, async ({ sim }) => {
  names.push(sim.world);
  if (names.length === 1) throw new Error("once");
  expect(names).toEqual([expect.stringMatching(/^t-[0-9a-f]{12}$/), names[0] + "-r1"]);
});

it("leaves no world behind", async ({ sim }) => {
  const listed = await (await sim.fetch(new Request(sim.controlUrl + "/worlds"))).json();
  expect(listed.data.map(({ name }) => name)).toEqual(["sandbox", sim.world]);
});

const ofBefore = [];
beforeEach(({ sim }) => void ofBefore.push(sim.world));

test("hooks have the same world", ({ sim }) => {
  expect(ofBefore.at(-1)).toBe(sim.world);
});
`;

const FAKED = `
import { vi, afterEach } from "vitest";
import { expect, test } from "service-sim/vitest";

afterEach(() => void vi.useRealTimers());

const pay = async ({ call }) => {
  const { id: customerId } = await call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  const accounts = await call.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } });
  const accountId = accounts.data[0].id;
  await call.fundInternalAccount({ params: { accountId }, body: { amount: 100_000 } });
  const payee = await call.createCustomerExternalAccount({ body: { customerId, currency: "MXN",
    accountInfo: { accountType: "MXN_ACCOUNT", clabeNumber: "646180110400000003",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" } } } });
  const { id: quoteId, transactionId } = await call.createQuote({ body: {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 } });
  await call.executeQuote({ params: { quoteId } });
  return { params: { transactionId } };
};

test("both clocks move, each timer at its instant", async ({ sim }) => {
  const read = await pay(sim);
  await sim.followFakeTimers(vi);
  expect(new Date().toISOString()).toBe("2026-01-05T09:00:00.000Z");
  const seen = [];
  const polls = setInterval(async () => {
    seen.push([new Date().toISOString(), await sim.clock.now(),
      (await sim.call.getTransaction(read)).status]);
  }, 120_000);
  await vi.advanceTimersByTimeAsync(360_000);
  clearInterval(polls);
  expect(seen).toEqual([
    ["2026-01-05T09:02:00.000Z", "2026-01-05T09:02:00.000Z", "PROCESSING"],
    ["2026-01-05T09:04:00.000Z", "2026-01-05T09:04:00.000Z", "PROCESSING"],
    ["2026-01-05T09:06:00.000Z", "2026-01-05T09:06:00.000Z", "COMPLETED"],
  ]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await sim.clock.now()).toBe("2026-01-05T09:06:00.500Z");
  vi.advanceTimersByTime(500);
  await vi.advanceTimersByTimeAsync(0);
  expect(await sim.clock.now()).toBe("2026-01-05T09:06:01.000Z");
});

test("functions that calls need are refused by name", async ({ sim }) => {
  vi.useFakeTimers();
  await expect(sim.followFakeTimers(vi)).rejects.toThrow(
    "Expected setImmediate to be real, since calls need it, but found it faked by vitest");
});

test("a clock that runs is refused", async ({ sim }) => {
  await sim.clock.set("real");
  await expect(sim.followFakeTimers(vi)).rejects.toThrow("Expected a world whose clock is manual");
});

test("a world that ends leaves the timers as they were", async ({ sim }) => {
  const { advanceTimersByTimeAsync } = vi;
  const fork = await sim.fork();
  await fork.followFakeTimers(vi);
  await fork.close();
  expect(vi.advanceTimersByTimeAsync).toBe(advanceTimersByTimeAsync);
});
`;

test("suites of users' tests pass, one after the other", async () => {
  writeFileSync(place.file("npm", "vitest.config.js"), CONFIG);
  writeFileSync(place.file("npm", "behavior.spec.js"), BEHAVIOR);
  writeFileSync(place.file("npm", "faked.spec.js"), FAKED);
  const names = ["behavior.spec.js", "faked.spec.js"];
  const { report } = await runVitest({}, "--no-file-parallelism", ...names);
  expect(failuresOf(report)).toEqual([]);
  expect(report.numPassedTests).toBe(9);
});

test("a failed test's world stays where SERVICE_SIM_KEEP asks for it, and is named", async () => {
  writeFileSync(place.file("npm", "vitest.config.js"), CONFIG);
  const text = `
    import { expect, test } from "service-sim/vitest";
    test("fails", async ({ sim }) => expect(sim.world).toBe("another"));
    test("passes", async ({ sim }) => expect(sim.world).not.toBe("another"));
  `;
  writeFileSync(place.file("npm", "kept.spec.js"), text);
  const { code, stderr } = await runVitest({ SERVICE_SIM_KEEP: "1" }, "kept.spec.js");
  expect(code).toBe(1);
  expect(stderr).toMatch(/service-sim: "fails" failed; its world stays: .*--world t-[0-9a-f]{12} /);
  expect(stderr).not.toContain('"passes" failed');
});
