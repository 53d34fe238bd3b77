import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Figure, Pair } from "./figure.ts";
import { wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const TESTS = 200;
const LIMIT_MS = 5;
const ROUNDS = 2;
const VITEST = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));

/** The world that each test forks: a customer with a dollar account, who pays somebody in Mexico. */
const FIXTURE = {
  name: "one-payee",
  steps: [
    {
      name: "payer",
      request: { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } },
    },
    {
      request: {
        method: "POST",
        path: "/customers/external-accounts",
        body: {
          customerId: "${payer.id}",
          currency: "MXN",
          accountInfo: {
            accountType: "MXN_ACCOUNT",
            clabeNumber: "646180110400000003",
            beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
          },
        },
      },
    },
  ],
};

const CONFIG = `
export default {
  test: {
    globalSetup: "service-sim/vitest/setup",
    provide: { serviceSim: { fixture: ${JSON.stringify(FIXTURE)} } },
    maxWorkers: 1,
    include: ["*.test.mjs"],
  },
};
`;

const EMPTY = `
import { test } from "service-sim/vitest";
for (let at = 0; at < ${TESTS}; at += 1) test("payment " + at, () => {});
`;

const PAYMENTS = `
import { expect, test } from "service-sim/vitest";
let ids;
// Every fork has the ids of the default world, so the first test looks them up for all.
const payment = async (sim) => {
  const { data: accounts } = await sim.call.listCustomerInternalAccounts({ query: { currency: "USD" } });
  const { data: payees } = await sim.call.listCustomerExternalAccounts({});
  return { accountId: accounts[0].id, payeeId: payees[0].id };
};
for (let at = 0; at < ${TESTS}; at += 1)
  test("payment " + at, async ({ sim }) => {
    ids ??= await payment(sim);
    const { accountId, payeeId } = ids;
    await sim.call.fundInternalAccount({ params: { accountId }, body: { amount: 100_000 } });
    const { id: quoteId, transactionId: about } = await sim.call.createQuote({ body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: payeeId },
      lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 } });
    await sim.call.executeQuote({ params: { quoteId } });
    await sim.advance("6m");
    await expect(sim).toHaveReceived({ type: "OUTGOING_PAYMENT.PROCESSING", about, count: 1 });
    await expect(sim).toHaveReceived({ type: "OUTGOING_PAYMENT.COMPLETED", about, count: 1 });
  });
`;

/** A folder with a suite of one file, and the build as a package that is installed there. */
const project = (workplace: Workplace, tests: string): string => {
  const directory = workplace.directory();
  const modules = join(directory, "node_modules");
  mkdirSync(modules);
  // A copy, not a link: the package finds vitest from where it really is.
  cpSync(dirname(dirname(workplace.build.library)), join(modules, "service-sim"), {
    recursive: true,
  });
  symlinkSync(VITEST, join(modules, "vitest"));
  writeFileSync(join(directory, "vitest.config.mjs"), CONFIG);
  writeFileSync(join(directory, "payments.test.mjs"), tests);
  return directory;
};

/** A suite whose tests each fork a world and make a payment in it, beyond a suite of empty tests. */
export const suiteFigure: Figure = {
  name: `a vitest suite of ${TESTS} payments, each test`,
  floor: `${LIMIT_MS} ms beyond an empty test`,
  unit: "ms",
  target: { atMost: 1 },
  measure: async (workplace) => {
    const args = [join(VITEST, "vitest.mjs"), "run"];
    const payments = { args, cwd: project(workplace, PAYMENTS) };
    const empty = { args, cwd: project(workplace, EMPTY) };
    const pairs: Pair[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const emptyMs = await wholeProcessMs(workplace, empty);
      const tookMs = await wholeProcessMs(workplace, payments);
      if (round >= 0) pairs.push({ measured: (tookMs - emptyMs) / TESTS, floor: LIMIT_MS });
    }
    return pairs;
  },
};
