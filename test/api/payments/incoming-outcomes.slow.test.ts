import { describe, expect, test } from "vitest";
import {
  UMA_DEPOSIT_OUTCOMES,
  UMA_SENDER_OUTCOMES,
} from "../../../src/domain/outcomes/outcomes.ts";
import {
  accountIn,
  answered,
  answering,
  createDeposit,
  createRecipient,
  receive,
  senderAt,
  takePesos,
  toldBy,
} from "../setup/incoming.ts";
import { recipientPerTest } from "../setup/recipient-per-test.ts";
import { balanceOf, goTo, ledgerOwn } from "../setup/told.ts";

const { world, receiver, recipient } = recipientPerTest(takePesos);

const transaction = async (id: string) => (await world().call("GET", `/transactions/${id}`)).body;

type Told = readonly [at: string, event: string, says: string | number];

interface OutcomeCase {
  moments: (readonly [at: string, status: string, balance: number])[];
  ends: { failureReason?: string; settledAt?: string };
  /** Events after the request at 09:00:10. */
  told: Told[];
  ledger: Record<string, number>;
}

/** Checks a payment at each moment, and everything that remains at the end. */
const follow = async (id: string, account: string, row: OutcomeCase) => {
  for (const [at, ...stands] of row.moments) {
    await goTo(world(), at);
    expect([at, (await transaction(id)).status, await balanceOf(world(), account)]).toEqual([
      at,
      ...stands,
    ]);
    const { body } = await world().control("GET", "/ledger");
    expect(Object.values(body.totals).filter((total) => total !== 0)).toEqual([]);
  }
  await goTo(world(), "21:00:00.000");
  const { failureReason, settledAt, status } = await transaction(id);
  expect({ failureReason, settledAt, status }).toEqual({
    failureReason: undefined,
    settledAt: undefined,
    status: row.moments.at(-1)?.[1],
    ...row.ends,
  });
  expect(toldBy(receiver())).toEqual([["09:00:10.000", "PENDING", "PENDING"], ...row.told]);
  expect(await ledgerOwn(world())).toEqual(row.ledger);
  expect((await world().control("GET", "/timers")).body.data).toEqual([]);
};

const CREDITED: OutcomeCase = {
  moments: [["09:00:10.000", "COMPLETED", 8_800]],
  ends: { settledAt: "2026-01-05T09:00:10.000Z" },
  told: [
    ["09:00:10.000", "COMPLETED", "COMPLETED"],
    ["09:00:10.000", "BALANCE_UPDATED", 8_800],
  ],
  ledger: { "Ledger:funding USD": -8_836, "Ledger:fees USD": 36 },
};

/** Result of an approved payment, by its sender (spec/uma-payments.md#uma-senders). */
const SENDERS: ({ name: string } & OutcomeCase)[] = [
  { name: "$success.usd", ...CREDITED },
  { name: "$success.eur", ...CREDITED },
  { name: "$success.mxn", ...CREDITED },
  {
    name: "$pending.long.usd",
    moments: [
      ["09:00:10.000", "PROCESSING", 0],
      ["09:06:09.999", "PROCESSING", 0],
      ["09:06:10.000", "COMPLETED", 8_800],
    ],
    ends: { settledAt: "2026-01-05T09:06:10.000Z" },
    told: [
      ["09:06:10.000", "COMPLETED", "COMPLETED"],
      ["09:06:10.000", "BALANCE_UPDATED", 8_800],
    ],
    ledger: CREDITED.ledger,
  },
  {
    name: "$fail.compliance.usd",
    moments: [["09:00:10.000", "FAILED", 0]],
    ends: { failureReason: "PAY_REQUEST_FAILED" },
    told: [["09:00:10.000", "FAILED", "FAILED"]],
    ledger: {},
  },
];

// spec/uma-payments.md#approved-payment, spec/ledger.md#receipt
describe("an approved payment", () => {
  test.each(SENDERS)("from $name", async ({ name, ...row }) => {
    const { body } = await receive(world(), recipient(), { senderUmaAddress: senderAt(name) });
    await follow(body.id, recipient().accountId, row);
  });

  test("has a case for every sender of the table", () => {
    expect(SENDERS.map(({ name }) => name).sort()).toEqual(Object.keys(UMA_SENDER_OUTCOMES).sort());
  });

  test("finds its sender in upper or lower case, and keeps the address as sent", async () => {
    const senderUmaAddress = "$Fail.Compliance.USD@Sandbox.UMA.test";
    const { body } = await receive(world(), recipient(), { senderUmaAddress });
    await goTo(world(), "09:00:10.000");
    expect(await transaction(body.id)).toMatchObject({
      status: "FAILED",
      source: { sourceType: "UMA_ADDRESS", umaAddress: senderUmaAddress },
    });
  });
});

const DELIVERED = {
  "Ledger:funding MXN": -8_836,
  "Ledger:fees MXN": 36,
  "Ledger:payouts MXN": 8_800,
};

const payoutFailed: OutcomeCase = {
  moments: [["09:00:10.000", "FAILED", 0]],
  ends: { failureReason: "OFFRAMP_FAILED" },
  told: [["09:00:10.000", "FAILED", "FAILED"]],
  ledger: {},
};

const paidOut: OutcomeCase = {
  moments: [["09:00:10.000", "COMPLETED", 0]],
  ends: { settledAt: "2026-01-05T09:00:10.000Z" },
  told: [["09:00:10.000", "COMPLETED", "COMPLETED"]],
  ledger: DELIVERED,
};

/**
 * Results by the suffix of a default deposit account; no internal balance moves
 * (spec/uma-payments.md#deposit-rows).
 */
const DEPOSITS: ({ suffix: string } & OutcomeCase)[] = [
  { suffix: "002", ...payoutFailed },
  { suffix: "003", ...payoutFailed },
  { suffix: "004", ...payoutFailed },
  {
    suffix: "005",
    moments: [
      ["09:00:10.000", "COMPLETED", 0],
      ["09:00:14.999", "COMPLETED", 0],
      ["09:00:15.000", "REFUNDED", 0],
    ],
    ends: { settledAt: "2026-01-05T09:00:10.000Z" },
    told: [["09:00:10.000", "COMPLETED", "COMPLETED"]],
    ledger: {},
  },
  { suffix: "999", ...paidOut },
];

const PESOS = { receivingCurrencyCode: "MXN" };

// spec/uma-payments.md#deposit-account
describe("a payment into a default deposit account", () => {
  test.each(DEPOSITS)("ending $suffix", async ({ suffix, ...row }) => {
    await createDeposit(world(), recipient().customerId, suffix);
    const { body } = await receive(world(), recipient(), PESOS);
    const pesos = await accountIn(world(), recipient().customerId, "MXN");
    await follow(body.id, pesos, row);
  });

  test("has a case for every ending of the table", () => {
    const rows = DEPOSITS.map(({ suffix }) => (suffix === "999" ? "otherwise" : suffix));
    expect(rows.sort()).toEqual(Object.keys(UMA_DEPOSIT_OUTCOMES).sort());
  });

  test.each(["000", "001", "006", "007", "102", "103", "104", "106", "107"])(
    "ending %s arrives",
    async (suffix) => {
      await createDeposit(world(), recipient().customerId, suffix);
      const { body } = await receive(world(), recipient(), PESOS);
      const pesos = await accountIn(world(), recipient().customerId, "MXN");
      await follow(body.id, pesos, paidOut);
    },
  );

  /** The sender's row comes first; the account's row follows only if the money gets through. */
  test.each([
    { name: "$pending.long.usd", suffix: "002", at: "09:06:10", ends: "OFFRAMP_FAILED" },
    { name: "$pending.long.usd", suffix: "005", at: "09:06:15", ends: "REFUNDED" },
    { name: "$pending.long.usd", suffix: "999", at: "09:06:10", ends: "COMPLETED" },
    { name: "$fail.compliance.usd", suffix: "002", at: "09:00:10", ends: "PAY_REQUEST_FAILED" },
    { name: "$fail.compliance.usd", suffix: "005", at: "09:00:10", ends: "PAY_REQUEST_FAILED" },
    { name: "$success.mxn", suffix: "004", at: "09:00:10", ends: "OFFRAMP_FAILED" },
  ])("ending $suffix from $name: $ends at $at", async ({ name, suffix, at, ends }) => {
    await createDeposit(world(), recipient().customerId, suffix);
    const from = { senderUmaAddress: senderAt(name) };
    const { body } = await receive(world(), recipient(), { ...PESOS, ...from });
    await goTo(world(), "21:00:00.000");
    const { status, failureReason, updatedAt } = await transaction(body.id);
    expect({ ends: failureReason ?? status, updatedAt }).toEqual({
      ends,
      updatedAt: `2026-01-05T${at}.000Z`,
    });
    expect(status === "FAILED").toBe(failureReason !== undefined);
  });

  test("of another currency is passed over: the internal account is credited", async () => {
    await createDeposit(world(), recipient().customerId, "002");
    const { body } = await receive(world(), recipient());
    await follow(body.id, recipient().accountId, CREDITED);
  });

  test("without the default flag is passed over", async () => {
    await createDeposit(world(), recipient().customerId, "002");
    await createDeposit(world(), recipient().customerId, "999"); // it replaces the first one
    const { body } = await receive(world(), recipient(), PESOS);
    await follow(body.id, await accountIn(world(), recipient().customerId, "MXN"), paidOut);
  });

  test("of another customer has no effect", async () => {
    const other = await createRecipient(world(), { umaAddress: "$omar@pay.example" });
    await createDeposit(world(), other.customerId, "002");
    const { body } = await receive(world(), recipient(), PESOS);
    await goTo(world(), "09:00:10.000");
    expect((await transaction(body.id)).status).toBe("COMPLETED");
    const pesos = await accountIn(world(), recipient().customerId, "MXN");
    expect(await balanceOf(world(), pesos)).toBe(8_800);
  });

  test("is chosen when the payment is approved", async () => {
    receiver().behaviour = answering(answered(202));
    const { body: early } = await receive(world(), recipient(), PESOS);
    const deposit = await createDeposit(world(), recipient().customerId, "002");
    const { body: late } = await receive(world(), recipient(), PESOS);
    await goTo(world(), "09:00:11.000");
    await world().call("POST", `/transactions/${early.id}/approve`);
    await world().call("DELETE", `/customers/external-accounts/${deposit}`);
    await world().call("POST", `/transactions/${late.id}/approve`);
    await goTo(world(), "09:00:11.000");
    expect((await transaction(early.id)).failureReason).toBe("OFFRAMP_FAILED");
    expect((await transaction(late.id)).status).toBe("COMPLETED");
    const pesos = await accountIn(world(), recipient().customerId, "MXN");
    expect(await balanceOf(world(), pesos)).toBe(8_800);
  });

  test("that is deleted while the money is in transit is still paid", async () => {
    const deposit = await createDeposit(world(), recipient().customerId, "999");
    const from = { senderUmaAddress: senderAt("$pending.long.usd") };
    const { body } = await receive(world(), recipient(), { ...PESOS, ...from });
    await goTo(world(), "09:00:10.000");
    await world().call("DELETE", `/customers/external-accounts/${deposit}`);
    await goTo(world(), "09:06:10.000");
    expect((await transaction(body.id)).status).toBe("COMPLETED");
    expect(await ledgerOwn(world())).toEqual(DELIVERED);
  });
});

/**
 * Changes of a customer or an account between the request and the credit
 * (spec/transactions.md#late-failures).
 */
const MEANWHILE: { says: string; act(): Promise<unknown>; deposit?: string; reason: string }[] = [
  {
    says: "the account is frozen",
    act: () => setStatus("FROZEN"),
    reason: "QUOTE_EXECUTION_FAILED",
  },
  {
    says: "the account is closed",
    act: () => setStatus("CLOSED"),
    reason: "QUOTE_EXECUTION_FAILED",
  },
  {
    says: "the customer is deleted",
    act: () => world().call("DELETE", `/customers/${recipient().customerId}`),
    reason: "QUOTE_EXECUTION_FAILED",
  },
  {
    says: "the customer, who has a deposit account, is deleted",
    act: () => world().call("DELETE", `/customers/${recipient().customerId}`),
    deposit: "005",
    reason: "OFFRAMP_FAILED",
  },
];

const setStatus = async (status: string) => {
  const account = await accountIn(world(), recipient().customerId, "MXN");
  return world().control("PATCH", `/internal-accounts/${account}`, { status });
};

const WAYS = ["approved by the answer", "approved by a call", "already under way"] as const;

describe.each(MEANWHILE)("when $says meanwhile", ({ act, deposit, reason }) => {
  test.each(WAYS)("a payment %s fails and moves nothing", async (way) => {
    if (deposit) await createDeposit(world(), recipient().customerId, deposit);
    receiver().behaviour = answering(async (_event, response) => {
      if (way === "approved by the answer") await act();
      response.writeHead(way === "approved by a call" ? 202 : 200).end();
    });
    const sender = way === "already under way" ? "$pending.long.usd" : "$success.usd";
    const from = { senderUmaAddress: senderAt(sender) };
    const { body: payment } = await receive(world(), recipient(), { ...PESOS, ...from });
    await goTo(world(), "09:00:10.000");
    if (way !== "approved by the answer") await act();
    if (way === "approved by a call") {
      const approval = await world().call("POST", `/transactions/${payment.id}/approve`);
      expect(approval).toMatchObject({ status: 200, body: { status: "PROCESSING" } });
    }
    await goTo(world(), "09:06:10.000");
    expect(await transaction(payment.id)).toMatchObject({
      status: "FAILED",
      failureReason: reason,
    });
    expect(await ledgerOwn(world())).toEqual({});
    expect((await world().control("GET", "/timers")).body.data).toEqual([]);
  });
});
