import { expect } from "vitest";
import type { Received } from "../../setup/receiver.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import { allEnded } from "../../webhooks/setup/greeted.ts";
import { ENDS_BY_SUFFIX } from "./outcome-cases.ts";
import { checkReceipts } from "./receipt-checks.ts";
import type { MadeQuote, SequenceWorld } from "./sequence-world.ts";

/**
 * Statuses that a payment can reach, by an earlier status (spec/transactions.md#outgoing-lifecycle,
 * spec/transactions.md#incoming-lifecycle, spec/transactions.md#refund-lifecycle).
 */
const LATER: Record<string, Record<string, readonly string[]>> = {
  OUTGOING: {
    PENDING: ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"],
    PROCESSING: ["PROCESSING", "COMPLETED", "FAILED"],
    COMPLETED: ["COMPLETED", "FAILED"],
    FAILED: ["FAILED"],
    EXPIRED: ["EXPIRED"],
  },
  INCOMING: {
    PENDING: ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "REJECTED", "REFUNDED"],
    PROCESSING: ["PROCESSING", "COMPLETED", "FAILED", "REFUNDED"],
    COMPLETED: ["COMPLETED", "REFUNDED"],
    FAILED: ["FAILED"],
    REJECTED: ["REJECTED"],
    REFUNDED: ["REFUNDED"],
  },
  refund: {
    NONE: ["NONE", "PENDING", "COMPLETED", "FAILED"],
    PENDING: ["PENDING", "COMPLETED", "FAILED"],
    COMPLETED: ["COMPLETED"],
    FAILED: ["FAILED"],
  },
};

const REFUNDED = ["FAILED REFUND_PENDING REFUND_COMPLETED", "FAILED REFUND_PENDING REFUND_FAILED"];

/**
 * All possible sequences of events of one payment (spec/quotes.md#quoted-payments,
 * spec/transfers.md#transfer-events).
 */
const STORIES: Record<string, readonly string[]> = {
  OUTGOING: [
    "PENDING EXPIRED",
    "PENDING PROCESSING COMPLETED",
    "PENDING PROCESSING FAILED", // a pull that brought nothing
    "PENDING PROCESSING REFUND_PENDING REFUND_COMPLETED COMPLETED",
    "PENDING PROCESSING REFUND_PENDING REFUND_FAILED COMPLETED",
    ...REFUNDED.flatMap((end) => [
      `PENDING ${end}`,
      `PENDING PROCESSING ${end}`,
      `PENDING PROCESSING COMPLETED ${end}`,
    ]),
  ],
  "transfer in": ["COMPLETED", "FAILED"],
  "UMA payment in": ["PENDING COMPLETED", "PENDING FAILED"],
};

const MEMBERS_THAT_STAY = [
  "type",
  "source",
  "destination",
  "customerId",
  "platformCustomerId",
  "sentAmount",
  "receivedAmount",
  "fees",
  "exchangeRate",
  "rateDetails",
  "counterpartyInformation",
  "quoteId",
  "createdAt",
  "reconciliationInstructions",
];

const allTransactions = async ({ sim }: SequenceWorld): Promise<Parsed[]> => {
  const found: Parsed[] = [];
  for (let cursor = "", page = 0; page < 20; page += 1) {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await sim.call("GET", `/transactions?sortOrder=asc&limit=100${next}`);
    found.push(...body.data);
    if (!body.hasMore) return found;
    cursor = body.nextCursor;
  }
  throw new Error("Expected the list to end");
};

const refundOf = ({ refund }: Parsed): string => refund?.status ?? "NONE";

/** Asserts that nothing moves back, changes its amounts or disappears. */
const checkMoves = ({ seen }: SequenceWorld, now: readonly Parsed[]) => {
  const ids = new Set(now.map(({ id }) => id));
  for (const id of seen.keys()) expect(ids).toContain(id);
  for (const transaction of now) {
    const { id, type, status, updatedAt, settledAt, failureReason } = transaction;
    const before = seen.get(id);
    expect(failureReason !== undefined).toBe(status === "FAILED");
    if (type === "INCOMING") expect(transaction).not.toHaveProperty("refund");
    if (before) {
      expect(LATER[type]?.[before.status]).toContain(status);
      expect(LATER.refund?.[refundOf(before)]).toContain(refundOf(transaction));
      for (const member of MEMBERS_THAT_STAY) expect(transaction[member]).toEqual(before[member]);
      expect(updatedAt >= before.updatedAt).toBe(true);
      if (before.settledAt !== undefined) expect(settledAt).toBe(before.settledAt);
      if (before.refund) expect(transaction.refund.reference).toBe(before.refund.reference);
    }
    seen.set(id, transaction);
  }
};

const accountOf = ({ umaAccounts }: SequenceWorld, party: Parsed): string | undefined =>
  party?.accountId ?? umaAccounts.get(`${party?.umaAddress} ${party?.currency}`);

/** The internal account that a payment credits; `undefined` if the money leaves the platform. */
const creditedBy = (world: SequenceWorld, { id, destination }: Parsed): string | undefined => {
  if (world.receipts.get(id)?.deposit !== undefined) return undefined;
  const account = accountOf(world, destination);
  return account?.startsWith("InternalAccount:") ? account : undefined;
};

/** Effects of a payment on internal accounts so far, read from its public fields. */
const effectsOf = (
  world: SequenceWorld,
  one: Parsed,
): [account: string | undefined, by: number][] => {
  const { type, status, source, quoteId, sentAmount, receivedAmount } = one;
  const gained: [string | undefined, number][] =
    status === "COMPLETED" ? [[creditedBy(world, one), receivedAmount.amount]] : [];
  if (type === "INCOMING") return gained;
  const isTaken = quoteId === undefined || (status !== "PENDING" && status !== "EXPIRED");
  const isBack = refundOf(one) === "COMPLETED";
  return [
    ...gained,
    ...(isTaken ? [[source.accountId, -sentAmount.amount] as [string, number]] : []),
    ...(isBack ? [[source.accountId, sentAmount.amount] as [string, number]] : []),
  ];
};

/** Asserts fees and payouts: those of each delivered payment, and no others. */
const checkOwnBooks = (world: SequenceWorld, now: readonly Parsed[], ledger: Parsed) => {
  const expected: Record<string, number> = {};
  const add = (account: string, by: number) => {
    if (by !== 0) expected[account] = (expected[account] ?? 0) + by;
  };
  for (const one of now.filter(({ status }) => status === "COMPLETED")) {
    const { sentAmount, receivedAmount, fees } = one;
    add(`Ledger:fees ${(sentAmount ?? receivedAmount).currency.code}`, fees ?? 0);
    if (creditedBy(world, one) === undefined)
      add(`Ledger:payouts ${receivedAmount.currency.code}`, receivedAmount.amount);
  }
  const found = ledger.balances
    .filter(({ account, amount }: Parsed) => /fees|payouts/.test(account) && amount !== 0)
    .map(({ account, currency, amount }: Parsed) => [`${account} ${currency}`, amount]);
  expect(Object.fromEntries(found)).toEqual(expected);
};

/**
 * Asserts that every balance is its funding plus the effects of payments, and is never below zero.
 */
const checkBalances = async (world: SequenceWorld, now: readonly Parsed[]) => {
  const { body: ledger } = await world.sim.control("GET", "/ledger?limit=1");
  expect(Object.entries(ledger.totals).filter(([, total]) => total !== 0)).toEqual([]);
  const expected = new Map(world.funded);
  for (const one of now)
    for (const [account, by] of effectsOf(world, one))
      if (account?.startsWith("InternalAccount:"))
        expected.set(account, (expected.get(account) ?? 0) + by);
  const inside = ledger.balances.filter(({ account }: Parsed) => !account.startsWith("Ledger:"));
  const found = inside.map(({ account, amount }: Parsed) => [account, amount]);
  const nonZero = (entries: Iterable<[string, number]>) =>
    [...entries].filter(([, amount]) => amount !== 0).sort();
  expect(nonZero(found)).toEqual(nonZero(expected));
  checkOwnBooks(world, now, ledger);
  for (const { account, amount } of ledger.balances)
    if (account === "Ledger:clearing" || !account.startsWith("Ledger:"))
      expect({ account, isBelowZero: amount < 0 }).toEqual({ account, isBelowZero: false });
};

/** Asserts that no due timer waits, none is poisoned, and the world is healthy. */
const checkTimers = async ({ sim }: SequenceWorld) => {
  const { body } = await sim.control("GET", "/timers");
  for (const { inMs, poisoned } of body.data) {
    expect(inMs).toBeGreaterThan(0);
    expect(poisoned).toBeUndefined();
  }
  expect((await sim.control("GET", "/status")).body).not.toHaveProperty("stopped");
  expect(sim.alarms).toEqual([]);
  return body.data as Parsed[];
};

/** Each event once; only an event in transit at a kill may have come again, unchanged. */
const eventsOf = ({ receiver, kills }: SequenceWorld) => {
  const events = new Map<string, Received>();
  for (const event of receiver.received) {
    const before = events.get(event.id);
    if (before) expect({ kills, body: event.body }).toEqual({ kills, body: before.body });
    else events.set(event.id, event);
  }
  if (kills === 0) expect(events.size).toBe(receiver.received.length);
  return [...events.values()];
};

const toldOf = (world: SequenceWorld) => {
  const told = new Map<string, Received[]>();
  for (const event of eventsOf(world)) {
    const { id } = event.data;
    if (/_PAYMENT\./.test(event.type)) told.set(id, [...(told.get(id) ?? []), event]);
  }
  return told;
};

const nameOf = ({ type, data }: Received) => type.replace(`${data.type}_PAYMENT.`, "");

/** The possible sequences of events of a payment. */
const storiesOf = ({ type, source }: Parsed): readonly string[] => {
  const kind = source.sourceType === "UMA_ADDRESS" ? "UMA payment in" : "transfer in";
  return STORIES[type === "INCOMING" ? kind : type] ?? [];
};

/** The status in the last event; an incoming payment does not send an event for every status. */
const lastTold = (transaction: Parsed, last: Received | undefined) => {
  const { type, status } = transaction;
  if (type === "OUTGOING" || /^(COMPLETED|FAILED|REJECTED)$/.test(status)) return transaction;
  const { settledAt, updatedAt: _later, ...rest } = transaction;
  // REFUNDED sends nothing: the last event is that of the delivery.
  if (status === "REFUNDED")
    return { ...rest, status: "COMPLETED", settledAt, updatedAt: settledAt };
  const isUma = transaction.source.sourceType === "UMA_ADDRESS";
  return isUma ? { ...rest, status: "PENDING", updatedAt: transaction.createdAt } : last?.data;
};

/**
 * Asserts that the events of each payment begin a possible sequence, with each status once. An
 * OUTGOING payment must have sent all of its statuses.
 */
const checkTold = (world: SequenceWorld, now: readonly Parsed[]) => {
  const told = toldOf(world);
  for (const transaction of now) {
    const events = told.get(transaction.id) ?? [];
    const story = events.map(nameOf).join(" ");
    const fits = storiesOf(transaction).some((one) => `${one} `.startsWith(`${story} `));
    if (events.length > 0) expect({ story, fits }).toEqual({ story, fits: true });
    const last = events.at(-1);
    expect(last?.data).toEqual(lastTold(transaction, last));
  }
};

/** Asserts everything that must hold while no call is running. */
export const checkSequence = async (world: SequenceWorld) => {
  // The answer to an event may decide about a payment.
  await allEnded(world.sim);
  await checkTimers(world);
  const now = await allTransactions(world);
  checkReceipts(world, now);
  checkMoves(world, now);
  await checkBalances(world, now);
  checkTold(world, now);
  return now;
};

const QUOTED_ENDS: Record<string, string> = {
  ...ENDS_BY_SUFFIX,
  "$fail.compliance.usd": "FAILED COMPLETED",
};
const PULL_FAILS = ["002", "003", "004", "005"];

/**
 * Final status and refund of a quoted payment (spec/quotes.md#outcome-rows,
 * spec/sandbox.md#sending-funds).
 */
const endOfQuote = ({ kind, from, to, isMismatch, starts }: MadeQuote) => {
  if (starts === 0) return "EXPIRED NONE";
  if (isMismatch) return "FAILED COMPLETED";
  if (kind === "pull" && PULL_FAILS.includes(from ?? "")) return "FAILED NONE";
  return QUOTED_ENDS[to ?? ""] ?? "COMPLETED NONE";
};

/** Lets everything end, and compares each end with the row that decides it. */
export const checkEnds = async (world: SequenceWorld) => {
  await world.sim.control("POST", "/clock/advance", { by: "1h" });
  const now = await checkSequence(world);
  expect(await checkTimers(world)).toEqual([]);
  const byId = new Map(now.map((one) => [one.id, one]));
  const told = toldOf(world);
  for (const made of world.quotes) {
    const transaction = byId.get(made.transactionId);
    const { body: quote } = await world.sim.call("GET", `/quotes/${made.id}`);
    expect(quote.status).toBe(transaction.status);
    const end = `${transaction.status} ${refundOf(transaction)}`;
    expect({ ...made, end }).toEqual({ ...made, end: endOfQuote(made) });
    expect(made.starts).toBeLessThanOrEqual(1);
  }
  for (const [id, wanted] of world.ends) {
    const transaction = byId.get(id);
    const end = `${transaction.status} ${refundOf(transaction)}`;
    expect({ id, type: transaction.type, end }).toEqual({
      id,
      type: transaction.type,
      end: wanted,
    });
  }
  for (const id of world.receipts.keys()) expect([...world.ends.keys()]).toContain(id);
  for (const one of now)
    expect(storiesOf(one)).toContain((told.get(one.id) ?? []).map(nameOf).join(" "));
  const { body: ledger } = await world.sim.control("GET", "/ledger?limit=1");
  const clearing = ledger.balances.filter(({ account }: Parsed) => account === "Ledger:clearing");
  expect(clearing.filter(({ amount }: Parsed) => amount !== 0)).toEqual([]);
  return now;
};
