import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBank, from, justInTime, to, transferInput } from "../../setup/banks.ts";
import { createPayee, createPayer, type Payer } from "../../setup/platform.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import { type Greeted, startGreeted } from "../../webhooks/setup/greeted.ts";

let world: Greeted;
let payer: Payer;

beforeEach(async () => {
  world = await startGreeted();
  payer = await createPayer(world);
  outside = new Map();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.stop();
});

/** External accounts, by currency and ending: each can be made once. */
let outside: Map<string, Promise<string>>;

const once = (name: string, make: () => Promise<string>) => {
  const made = outside.get(name) ?? make();
  outside.set(name, made);
  return made;
};
const bank = (suffix: string) =>
  once(`USD ${suffix}`, () => createBank(world, payer.customerId, suffix));
const payee = (suffix: string) =>
  once(`MXN ${suffix}`, () => createPayee(world, payer.customerId, suffix));

const transfer = async (way: "in" | "out", suffix: string) => {
  const external = await bank(suffix);
  const ends = way === "in" ? [external, payer.accountId] : [payer.accountId, external];
  const [source = "", destination = ""] = ends;
  const input = transferInput(source, destination, 25_000);
  const { status, body } = await world.call("POST", `/transfer-${way}`, input);
  expect(status).toBe(201);
  return body.id as string;
};

const quote = async (source: object, destination: string) => {
  const { body } = await world.call("POST", "/quotes", {
    ...source,
    ...to(destination),
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  return body as { id: string; transactionId: string };
};

const pull = async (source: string, destination: string) => {
  const { id, transactionId } = await quote(from(await bank(source)), await payee(destination));
  await world.call("POST", `/quotes/${id}/execute`);
  return transactionId;
};

const send = async (currencyAmount: number, destination: string) => {
  const { id: quoteId, transactionId } = await quote(justInTime("USD"), await payee(destination));
  await world.call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount });
  return transactionId;
};

const storyOf = async (id: string) => {
  const { status, body } = await world.control("GET", `/why/${encodeURIComponent(id)}`);
  expect(status).toBe(200);
  return body;
};

/** Time, status and deciding row of each change. */
const outline = ({ chain }: Parsed) =>
  chain.map(({ at, status, effects }: Parsed) => [
    at.slice(11, -1),
    status,
    effects.find(({ kind }: Parsed) => kind === "rule")?.rule,
  ]);

const effectsOf = (step: Parsed, kind: string) =>
  step.effects.filter((effect: Parsed) => effect.kind === kind);

const PAYMENTS: { says: string; pay: () => Promise<string>; story: unknown[][] }[] = [
  {
    says: "a transfer out that waits and fails",
    pay: () => transfer("out", "005"),
    story: [
      ["09:00:00.000", "PENDING", "transferOut.005"],
      ["09:00:30.000", "FAILED", "transferOut.005"],
      ["09:00:30.000", "FAILED, refund PENDING", "transferOut.005"],
      ["09:00:31.000", "FAILED, refund COMPLETED", "transferOut.005"],
    ],
  },
  {
    says: "a transfer out that fails in its call",
    pay: () => transfer("out", "003"),
    story: [
      ["09:00:00.000", "FAILED, refund PENDING", "transferOut.003"],
      ["09:00:01.000", "FAILED, refund COMPLETED", "transferOut.003"],
    ],
  },
  {
    says: "a transfer in",
    pay: () => transfer("in", "999"),
    story: [
      ["09:00:00.000", "PENDING", "transferIn.otherwise"],
      ["09:00:00.000", "PROCESSING", "transferIn.otherwise"],
      ["09:00:00.000", "COMPLETED", "transferIn.otherwise"],
    ],
  },
  {
    says: "a transfer in that fails in its call",
    pay: () => transfer("in", "002"),
    story: [["09:00:00.000", "FAILED", "transferIn.002"]],
  },
  {
    says: "a pull that brings its money, and the delivery after it",
    pay: () => pull("999", "003"),
    story: [
      ["09:00:00.000", "PENDING", undefined],
      ["09:00:00.000", "PROCESSING", "pull.otherwise"],
      ["09:00:00.000", "PROCESSING", "pull.otherwise"],
      ["09:06:00.000", "COMPLETED", "quotedPayment.003"],
    ],
  },
  {
    says: "a pull that brings nothing",
    pay: () => pull("005", "003"),
    story: [
      ["09:00:00.000", "PENDING", undefined],
      ["09:00:00.000", "PROCESSING", "pull.005"],
      ["09:00:30.000", "FAILED", "pull.005"],
    ],
  },
  {
    says: "money that is not what was asked for",
    pay: () => send(1, "003"),
    story: [
      ["09:00:00.000", "PENDING", undefined],
      ["09:00:00.000", "PROCESSING", "funding.mismatch"],
      ["09:00:00.000", "FAILED", "funding.mismatch"],
      ["09:00:00.000", "FAILED, refund PENDING", "funding.mismatch"],
      ["09:00:01.000", "FAILED, refund COMPLETED", "funding.mismatch"],
    ],
  },
  {
    says: "money that is what was asked for",
    pay: () => send(25_000, "004"),
    story: [
      ["09:00:00.000", "PENDING", undefined],
      ["09:00:00.000", "PROCESSING", "quotedPayment.004"],
      ["09:00:00.000", "FAILED", "quotedPayment.004"],
      ["09:00:00.000", "FAILED, refund PENDING", "quotedPayment.004"],
      ["09:00:01.000", "FAILED, refund COMPLETED", "quotedPayment.004"],
    ],
  },
];

describe("the story of a payment names the row of each change", () => {
  test.each(PAYMENTS)("$says", async ({ pay, story }) => {
    const id = await pay();
    await world.sim.advance("10m");
    expect(outline(await storyOf(id))).toEqual(story);
  });
});

describe("the story of a transfer out that fails in its call", () => {
  test("has all of it in one change: debit, row, refund to come, and three webhooks", async () => {
    const id = await transfer("out", "002");
    await world.sim.advance("10m");
    const story = await storyOf(id);
    expect(story).toMatchObject({
      kind: "Transaction",
      type: "OUTGOING",
      status: "FAILED, refund COMPLETED",
      sends: { amount: 25_000, currency: "USD" },
      receives: { amount: 25_000, currency: "USD" },
      fees: { amount: 0, currency: "USD" },
      payee: { name: "Prueba SA", identifier: "accountNumber …3002" },
    });
    const [failed, refunded] = story.chain;
    expect(failed.because).toMatchObject({
      kind: "request",
      method: "POST",
      path: "/transfer-out",
    });
    expect(effectsOf(failed, "posting")).toMatchObject([
      { account: payer.accountId, amount: -25_000, leaves: 975_000 },
      { account: "Ledger:clearing", amount: 25_000 },
    ]);
    expect(effectsOf(failed, "rule")).toEqual([
      {
        kind: "rule",
        rule: "transferOut.002",
        says: "test rule 002: insufficient funds, fails immediately",
      },
    ]);
    expect(effectsOf(failed, "timer")).toEqual([
      { kind: "timer", timer: "refund.settle", dueAt: "2026-01-05T09:00:01.000Z" },
    ]);
    expect(effectsOf(failed, "webhook").map(({ type }: Parsed) => type)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.FAILED",
      "OUTGOING_PAYMENT.REFUND_PENDING",
    ]);
    expect(refunded.because).toMatchObject({ kind: "timer", timer: "refund.settle", subject: id });
    expect(effectsOf(refunded, "posting")).toMatchObject([
      { account: "Ledger:clearing", amount: -25_000 },
      { account: payer.accountId, amount: 25_000, leaves: 1_000_000 },
    ]);
  });
});

test("the story of a transfer in says what it receives, and is told once", async () => {
  const id = await transfer("in", "999");
  await world.sim.advance("1s");
  const story = await storyOf(id);
  expect(story).toMatchObject({
    type: "INCOMING",
    status: "COMPLETED",
    receives: { amount: 25_000, currency: "USD" },
    payee: { id: payer.accountId },
  });
  expect(story).not.toHaveProperty("sends");
  const told = story.chain.flatMap((step: Parsed) => effectsOf(step, "webhook"));
  expect(told.map(({ type }: Parsed) => type)).toEqual(["INCOMING_PAYMENT.COMPLETED"]);
});

/** Names of rows in running text. */
const ROWS_IN_WORDS = [
  {
    pay: () => transfer("out", "004"),
    says: "test rule 004: rejected by the bank",
  },
  {
    pay: () => transfer("in", "005"),
    says: "test rule 005: stays pending about 30 seconds, then fails",
  },
  {
    pay: () => pull("999", "999"),
    says: "no test rule: the money is collected",
  },
  {
    pay: () => send(1, "999"),
    says: "test rule mismatch: the amount received differs from the amount requested",
  },
];

test.each(ROWS_IN_WORDS)("a row is told in words: $says", async ({ pay, says }) => {
  const id = await pay();
  await world.sim.advance("10m");
  const { chain } = await storyOf(id);
  const words = chain.flatMap((step: Parsed) => effectsOf(step, "rule"));
  expect(words[0].says).toBe(says);
});

describe("the timers", () => {
  test("name the row they stand in, of each kind of payment", async () => {
    const [out, into] = [await transfer("out", "005"), await transfer("in", "005")];
    const failing = await pull("005", "999");
    const slow = await pull("998", "003");
    const sent = await send(25_000, "003");
    const { body } = await world.control("GET", "/timers");
    const shown = body.data.map((row: Parsed) => [
      row.inMs,
      row.timer,
      row.subject,
      row.then,
      row.rule,
    ]);
    expect(shown).toEqual([
      [30_000, "payment.refuse", out, "FAILED", "transferOut.005"],
      [30_000, "incoming.refuse", into, "FAILED", "transferIn.005"],
      [30_000, "payment.fail", failing, "FAILED", "pull.005"],
      [360_000, "payment.settle", slow, "COMPLETED", "quotedPayment.003"],
      [360_000, "payment.settle", sent, "COMPLETED", "quotedPayment.003"],
    ]);
  });

  test("are all there is to tell: what an advance fires has the same rows", async () => {
    const out = await transfer("out", "005");
    const into = await transfer("in", "005");
    const { body } = await world.control("POST", "/clock/advance", { by: "1m" });
    const fired = body.fired.map((one: Parsed) => [
      one.at.slice(11, -1),
      one.timer,
      one.subject,
      one.from,
      one.to,
      one.rule,
    ]);
    expect(fired).toEqual([
      ["09:00:30.000", "payment.refuse", out, "PENDING", "FAILED", "transferOut.005"],
      ["09:00:30.000", "incoming.refuse", into, "PENDING", "FAILED", "transferIn.005"],
      ["09:00:30.000", "refund.start", out, "NONE", "PENDING", "transferOut.005"],
      ["09:00:31.000", "refund.settle", out, "PENDING", "COMPLETED", "transferOut.005"],
    ]);
  });
});
