import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startShared } from "../../src/runners/shared-start.ts";
import { runsOf } from "../setup/campaign.ts";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";

/** One for each worker. */
const FILES = 2;
const TESTS_IN_FILE = runsOf(100, 15);

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
  const left = listed.data.filter(({ name }) => ofBefore.slice(0, -1).includes(name));
  // SERVICE_SIM_KEEP is set here: what failed is kept.
  expect(left.map(({ name }) => name)).toEqual(names.slice(0, 1));
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

const KEPT = `
import { expect, test } from "service-sim/vitest";
test("fails and stays", async ({ sim }) => expect(sim.world).toBe("another"));
test("passes", async ({ sim }) => expect(sim.world).not.toBe("another"));
`;

test("tests in worlds of their own, in two workers on one simulator, never meet", async () => {
  const files: Record<string, string> = {
    "vitest.config.js": CONFIG,
    "behavior.test.js": BEHAVIOR,
    "faked.test.js": FAKED,
    "kept.test.js": KEPT,
  };
  for (let file = 0; file < FILES; file += 1) files[`shop-${file}.test.js`] = suite(file);
  for (const [name, text] of Object.entries(files)) writeFileSync(place.file("npm", name), text);
  const command = [process.execPath, ours("vitest", "vitest.mjs"), "run"];
  const env = { SERVICE_SIM_KEEP: "1" };
  const { code, stdout, stderr } = await place.spawn(command, { folder: "npm", env }).ended;
  const report = JSON.parse(readFileSync(place.file("npm", "report.json"), "utf8")) as Report;
  expect(failuresOf(report)).toEqual([expect.stringContaining("to be 'another'")]);
  expect({ code, passed: report.numPassedTests }).toEqual({
    code: 1,
    passed: FILES * TESTS_IN_FILE + 10,
  });
  expect(stdout).toMatch(/^service-sim: coverage [0-9.]+ %, \d+ of \d+ items: operations \d+\//m);
  expect(stderr).toMatch(
    /service-sim: "fails and stays" failed; its world is kept: .*--world t-[0-9a-f]{12} /,
  );
  expect(stderr).not.toContain('"passes" failed');
});

test("a simulator that the environment names and that is gone is told of", async () => {
  vi.stubEnv("SERVICE_SIM_URL", "http://127.0.0.1:9");
  await expect(startShared({})).rejects.toThrow("which SERVICE_SIM_URL names, but found none");
  vi.unstubAllEnvs();
});
