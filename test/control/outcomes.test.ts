import { afterEach, beforeEach, expect, test } from "vitest";
import { PAYMENT_OUTCOMES } from "../../src/domain/outcomes/outcomes.ts";
import { createBank, from, justInTime, to, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, type Payer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

interface Row {
  match: string;
  ends: string;
  afterMs: number;
  timeline: { atMs: number; timer: string; then: string; failureReason?: string }[];
}

let world: TestSimulator;
let fired: { timer: string; atMs: number }[];

beforeEach(async () => {
  fired = [];
  world = await startTestSimulator({
    onActivity: (activity) => {
      if (activity.kind === "timer") fired.push(activity);
    },
  });
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const rowsOf = async (group: string): Promise<Row[]> => {
  const { body } = await world.control("GET", "/outcomes");
  return body.data.find((one: { group: string }) => one.group === group).rows;
};

test("every ending of a quoted payment is listed with how it ends and when", async () => {
  const rows = await rowsOf("quotedPayment");
  expect(rows.map(({ match, ends, afterMs }) => [match, ends, afterMs])).toEqual([
    ["002", "FAILED", 0],
    ["003", "COMPLETED", 360_000],
    ["004", "FAILED", 0],
    ["005", "FAILED", 5000],
    ["006", "COMPLETED", 1000],
    ["007", "FAILED", 0],
    ["otherwise", "COMPLETED", 0],
  ]);
});

test("every one of the sandbox's people is listed with what becomes of a payment", async () => {
  const rows = await rowsOf("umaPayment");
  expect(rows.map(({ match, ends, afterMs }) => [match, ends, afterMs])).toEqual([
    ["$success.usd", "COMPLETED", 0],
    ["$success.eur", "COMPLETED", 0],
    ["$success.mxn", "COMPLETED", 0],
    ["$pending.long.usd", "COMPLETED", 360_000],
    ["$fail.compliance.usd", "FAILED", 0],
  ]);
});

test("the four texts that stand for proofs are listed", async () => {
  const rows = await rowsOf("walletProof");
  expect(rows.map(({ match, ends }) => [match, ends])).toEqual([
    ["000000", "accepted"],
    ["sandbox-valid-oidc-token", "accepted"],
    ["sandbox-valid-passkey-signature", "accepted"],
    ["sandbox-valid-signature", "accepted"],
    ["otherwise", "verified"],
  ]);
});

test("every ending of a beneficiary's account is listed", async () => {
  const rows = await rowsOf("beneficiaryVerification");
  expect(rows.map(({ match }) => match)).toEqual([
    "102",
    "103",
    "104",
    "105",
    "106",
    "107",
    "otherwise",
  ]);
});

test("every table that decides about money is listed, row by row", async () => {
  const { body } = await world.control("GET", "/outcomes");
  const listed = body.data.map(({ group, rows }: { group: string; rows: Row[] }) => [
    group,
    rows.map(({ match }) => match),
  ]);
  const tables = Object.entries(PAYMENT_OUTCOMES).map(([table, rows]) => [
    table,
    Object.keys(rows),
  ]);
  expect(listed).toEqual(expect.arrayContaining(tables));
  for (const { title, reads, rows } of body.data) {
    expect(title).toBe(title.toUpperCase());
    expect(reads).toMatch(/^\S.*\S$/);
    for (const row of rows as Row[]) expect(row.timeline.length).toBeGreaterThan(0);
  }
});

/** Ending and time of each payment to a magic value (spec/sandbox.md#magic-values). */
const ENDINGS: Record<string, [match: string, ends: string, afterMs: number][]> = {
  transferOut: [
    ["002", "FAILED", 0],
    ["003", "FAILED", 0],
    ["004", "FAILED", 0],
    ["005", "FAILED", 30_000],
    ["otherwise", "COMPLETED", 0],
  ],
  transferIn: [
    ["002", "FAILED", 0],
    ["003", "FAILED", 0],
    ["004", "FAILED", 0],
    ["005", "FAILED", 30_000],
    ["otherwise", "COMPLETED", 0],
  ],
  pull: [
    ["002", "FAILED", 0],
    ["003", "FAILED", 0],
    ["004", "FAILED", 0],
    ["005", "FAILED", 30_000],
    ["otherwise", "COMPLETED", 0],
  ],
  funding: [
    ["mismatch", "FAILED", 0],
    ["otherwise", "COMPLETED", 0],
  ],
};

test.each(Object.keys(ENDINGS))("every row of %s is listed with how it ends", async (group) => {
  const rows = await rowsOf(group);
  expect(rows.map(({ match, ends, afterMs }) => [match, ends, afterMs])).toEqual(ENDINGS[group]);
});

test("every answer to an approval request is listed with where it leaves the payment", async () => {
  const rows = await rowsOf("approval");
  const listed = rows.map(({ match, ends, afterMs, timeline }) => [
    match,
    ends,
    afterMs,
    timeline[0]?.failureReason,
  ]);
  expect(listed).toEqual([
    ["200", "PROCESSING", 0, undefined],
    ["202", "PENDING", 0, undefined],
    ["403", "REJECTED", 0, undefined],
    ["422", "FAILED", 0, "PAY_REQUEST_FAILED"],
    ["incomplete", "FAILED", 0, "MISSING_MANDATORY_PAYEE_DATA"],
    ["silence", "FAILED", 5000, "PAYMENT_APPROVAL_TIMED_OUT"],
    ["timeout", "FAILED", 0, "PAYMENT_APPROVAL_TIMED_OUT"],
    ["otherwise", "FAILED", 0, "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
  ]);
});

/** Starts a payment that follows a row. */
type Pay = (payer: Payer, match: string) => Promise<unknown>;

const suffixOf = (match: string) => (match === "otherwise" ? "999" : match);

const quoteTo = async (source: object, payee: string) => {
  const locked = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };
  const { body } = await world.call("POST", "/quotes", { ...source, ...to(payee), ...locked });
  return body.id as string;
};

const payeeOf = ({ customerId }: Payer) => createPayee(world, customerId, "999");

const PAYMENTS: Record<string, Pay> = {
  quotedPayment: async (payer, match) => {
    const payee = await createPayee(world, payer.customerId, suffixOf(match));
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.call("POST", `/quotes/${body.id}/execute`);
  },
  transferOut: async ({ customerId, accountId }, match) => {
    const bank = await createBank(world, customerId, suffixOf(match));
    await world.call("POST", "/transfer-out", transferInput(accountId, bank, 5));
  },
  transferIn: async ({ customerId, accountId }, match) => {
    const bank = await createBank(world, customerId, suffixOf(match));
    await world.call("POST", "/transfer-in", transferInput(bank, accountId, 5));
  },
  pull: async (payer, match) => {
    const bank = await createBank(world, payer.customerId, suffixOf(match));
    const quoteId = await quoteTo(from(bank), await payeeOf(payer));
    await world.call("POST", `/quotes/${quoteId}/execute`);
  },
  funding: async (payer, match) => {
    const quoteId = await quoteTo(justInTime("USD", payer.customerId), await payeeOf(payer));
    const currencyAmount = match === "mismatch" ? 1 : 25_000;
    await world.call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount });
  },
};

/** Effects of a refused transfer within its own call, which needs no timer. */
const IN_CALL: Record<string, number> = {
  "transferOut 002": 2,
  "transferOut 003": 2,
  "transferIn 002": 1,
  "transferIn 003": 1,
};

test.each(Object.keys(PAYMENTS))("what is listed of %s is what happens to one", async (group) => {
  for (const { match, timeline } of await rowsOf(group)) {
    const payer = await createPayer(world);
    const { body: clock } = await world.control("GET", "/clock");
    fired.length = 0;
    await PAYMENTS[group]?.(payer, match);
    await world.sim.advance("10m");
    const waited = timeline.slice(IN_CALL[`${group} ${match}`] ?? 0);
    expect(fired.map(({ timer, atMs }) => [timer, atMs - Date.parse(clock.now)])).toEqual(
      waited.map(({ timer, atMs }) => [timer, atMs]),
    );
  }
});
