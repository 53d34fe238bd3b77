import { beforeEach, describe, expect, test } from "vitest";
import { createBank, justInTime, to, transferInput } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import { createParties, type Parties } from "../setup/payment-parties.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

let parties: Parties;
let failingBank: string;
/** Ids of transactions, by the name that a test gives them. */
let made: Record<string, string>;

const transfer = async (way: "in" | "out", from: string, destination: string) =>
  (await world().call("POST", `/transfer-${way}`, transferInput(from, destination, 1_000))).body.id;

const quoteJustInTime = async (customerId?: string) => {
  const { body } = await world().call("POST", "/quotes", {
    ...justInTime("USD", customerId),
    ...to(parties.mexican),
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  return body as { id: string; transactionId: string };
};

/** Of each type and status one or two, over half an hour. */
const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
  const { payer, other, bank, otherBank, platform, platformBank } = parties;
  failingBank = await createBank(world(), payer.customerId, "004");
  const slowBank = await createBank(world(), payer.customerId, "005");
  const unpaid = await quoteJustInTime(payer.customerId);
  await goTo(world(), "09:10:00.000");
  const cameIn = await transfer("in", bank, payer.accountId);
  const wentOut = await transfer("out", payer.accountId, bank);
  const otherIn = await transfer("in", otherBank, other.accountId);
  await goTo(world(), "09:20:00.000");
  const failedIn = await transfer("in", failingBank, payer.accountId);
  const failedOut = await transfer("out", payer.accountId, failingBank);
  const ours = await transfer("in", platformBank, platform);
  const paid = await quoteJustInTime();
  await world().call("POST", "/sandbox/send", { quoteId: paid.id, currencyCode: "USD" });
  await goTo(world(), "09:30:00.000");
  const pendingIn = await transfer("in", slowBank, payer.accountId);
  const { body: quote } = await world().call(
    "POST",
    "/quotes",
    quoteInput(payer.accountId, parties.mexican),
  );
  made = {
    expired: unpaid.transactionId,
    cameIn,
    wentOut,
    otherIn,
    failedIn,
    failedOut,
    ours,
    paid: paid.transactionId,
    pendingIn,
    quoted: quote.transactionId,
  };
});

const listed = async (query: string): Promise<{ names: string[]; totalCount: number }> => {
  const { status, body } = await world().call("GET", `/transactions?limit=100&${query}`);
  expect(status).toBe(200);
  const nameOf = (id: string) => Object.keys(made).find((name) => made[name] === id) ?? id;
  return {
    names: body.data.map(({ id }: { id: string }) => nameOf(id)),
    totalCount: body.totalCount,
  };
};

const ALL = [
  "quoted",
  "pendingIn",
  "paid",
  "ours",
  "failedOut",
  "failedIn",
  "otherIn",
  "wentOut",
  "cameIn",
  "expired",
];
const only = (...wanted: string[]) => ALL.filter((name) => wanted.includes(name));

const place = (query: string) =>
  query
    .replace("{payer}", parties.payer.customerId)
    .replace("{account}", parties.payer.accountId)
    .replace("{bank}", parties.bank)
    .replace("{failing}", failingBank)
    .replace("{mexican}", parties.mexican);

// spec/transactions.md#list-filters
describe("the list of transactions of both types", () => {
  test.each([
    { query: "", found: ALL },
    { query: "sortOrder=asc", found: [...ALL].reverse() },
    {
      query: "type=INCOMING",
      found: only("pendingIn", "ours", "failedIn", "otherIn", "cameIn"),
    },
    {
      query: "type=OUTGOING",
      found: only("quoted", "paid", "failedOut", "wentOut", "expired"),
    },
    { query: "type=INCOMING&status=COMPLETED", found: only("ours", "otherIn", "cameIn") },
    { query: "type=OUTGOING&status=COMPLETED", found: only("paid", "wentOut") },
    { query: "status=FAILED", found: only("failedOut", "failedIn") },
    { query: "type=INCOMING&status=FAILED", found: only("failedIn") },
    { query: "status=PENDING", found: only("quoted", "pendingIn") },
    { query: "status=EXPIRED", found: only("expired") },
    { query: "type=INCOMING&status=EXPIRED", found: [] },
    { query: "status=CREATED", found: [] },
    { query: "status=REFUNDED", found: [] },
    { query: "status=REJECTED", found: [] },
    { query: "status=PROCESSING", found: [] },
    {
      query: "customerId={payer}",
      found: only("quoted", "pendingIn", "failedOut", "failedIn", "wentOut", "cameIn", "expired"),
    },
    {
      query: "customerId={payer}&type=INCOMING",
      found: only("pendingIn", "failedIn", "cameIn"),
    },
    { query: "senderAccountIdentifier={bank}", found: only("cameIn") },
    { query: "receiverAccountIdentifier={bank}", found: only("wentOut") },
    { query: "accountIdentifier={bank}", found: only("wentOut", "cameIn") },
    {
      query: "senderAccountIdentifier={account}",
      found: only("quoted", "failedOut", "wentOut"),
    },
    {
      query: "receiverAccountIdentifier={account}",
      found: only("pendingIn", "failedIn", "cameIn"),
    },
    {
      query: "accountIdentifier={account}&status=FAILED",
      found: only("failedOut", "failedIn"),
    },
    {
      query: "senderAccountIdentifier={failing}&receiverAccountIdentifier={account}",
      found: only("failedIn"),
    },
    { query: "receiverAccountIdentifier={mexican}", found: only("quoted", "paid", "expired") },
    { query: "accountIdentifier=REALTIME_FUNDING", found: [] },
    {
      query: "type=INCOMING&startDate=2026-01-05T09:20:00Z&endDate=2026-01-05T09:29:59.999Z",
      found: only("ours", "failedIn"),
    },
    { query: "endDate=2026-01-05T09:09:59.999Z", found: only("expired") },
  ])("for '$query' is $found", async ({ query, found }) => {
    expect(await listed(place(query))).toEqual({ names: found, totalCount: found.length });
  });

  test("of the platform itself is found by the platform's id", async () => {
    const { body: config } = await world().call("GET", "/config");
    const found = only("paid", "ours");
    expect((await listed(`customerId=${config.id}`)).names).toEqual(found);
    expect((await listed(`platformCustomerId=${config.id}`)).names).toEqual(found);
  });

  test("finds each by its reference, and a failed transfer by that of its refund", async () => {
    const references = new Set<string>();
    for (const name of ALL) {
      const { body } = await world().call("GET", `/transactions/${made[name]}`);
      const { reference } = body.reconciliationInstructions;
      references.add(reference);
      expect((await listed(`reference=${reference}`)).names).toEqual([name]);
      if (name !== "failedOut") expect(body).not.toHaveProperty("refund");
      else expect((await listed(`reference=${body.refund.reference}`)).names).toEqual([name]);
    }
    expect(references.size).toBe(ALL.length);
  });

  test("shows each as a single read does, also in pages of two", async () => {
    const walked: string[] = [];
    let cursor = "";
    for (let page = 0; page < ALL.length; page += 1) {
      const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await world().call("GET", `/transactions?limit=2${next}`);
      for (const shown of body.data) {
        walked.push(shown.id);
        expect((await world().call("GET", `/transactions/${shown.id}`)).body).toEqual(shown);
      }
      if (!body.hasMore) break;
      cursor = body.nextCursor;
    }
    expect(walked).toEqual(ALL.map((name) => made[name]));
  });
});
