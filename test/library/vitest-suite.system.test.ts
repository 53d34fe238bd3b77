import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { installWith, ours, pack } from "../setup/packed.ts";

const FILES = 4;
const TESTS_IN_FILE = 50;

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await pack(place);
  await installWith(place, "npm", { name: "shop", private: true, type: "module" });
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
    reporters: [["json", { outputFile: "report.json" }]],
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
    assertionResults: { title: string; duration: number; failureMessages: string[] }[];
  }[];
}

const runVitest = async (env: Record<string, string> = {}) => {
  const command = [process.execPath, ours("vitest", "vitest.mjs"), "run"];
  const ended = await place.spawn(command, { folder: "npm", env }).ended;
  const report = JSON.parse(readFileSync(place.file("npm", "report.json"), "utf8")) as Report;
  return { ...ended, report };
};

test("200 tests in worlds of their own, in two workers on one simulator, never meet", async () => {
  writeFileSync(place.file("npm", "vitest.config.js"), CONFIG);
  for (let file = 0; file < FILES; file += 1)
    writeFileSync(place.file("npm", `shop-${file}.test.js`), suite(file));
  const { code, report } = await runVitest();
  const failures = report.testResults.flatMap(({ message, assertionResults }) => [
    message,
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ]);
  expect(failures.filter((text) => text !== "")).toEqual([]);
  expect({ code, passed: report.numPassedTests }).toEqual({ code: 0, passed: 200 });
});
