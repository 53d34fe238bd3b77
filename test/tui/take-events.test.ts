import { expect, test } from "vitest";
import type { ChangedRows } from "../../src/contract/control/feed-rows.ts";
import { armedIn } from "../../src/rows/armed-faults.ts";
import { nowOn } from "../../src/rows/clock-face.ts";
import { takeEvents } from "../../src/rows/take-events.ts";
import { initialWorld } from "../../src/rows/world.ts";
import { strikeText } from "../../src/tui/armed-faults.ts";
import { ACTION, EMPTY, NOW, QUOTE, ROWS, WALL_MS, WEBHOOK, watchedWith } from "./setup/scenes.ts";

const rows = (data: ChangedRows) => ({ event: "rows", data });

const take = (...events: { event: string; data: unknown }[]) =>
  takeEvents(watchedWith(ROWS), events, WALL_MS);

const [quote, processing] = ROWS.payments;
const [approval] = ROWS.approvals;
const [, webhook] = ROWS.deliveries;
if (!quote || !processing || !approval || !webhook) throw new Error("Expected the mock-ups' rows");

test("a row that changes stays where it stands; new ones come first", () => {
  const { lists } = take(
    rows({ payments: [{ ...processing, status: "COMPLETED" }] }),
    rows({ payments: [{ ...quote, id: "Quote:new" }] }),
  );
  expect(lists.payments.map(({ id }) => id.slice(-6))).toEqual([
    "te:new",
    "8e4b17",
    "1c07ab",
    "40d7c2",
    "a96e38",
    "77d0b4",
  ]);
  expect(lists.payments[2]?.status).toBe("COMPLETED");
});

test("a new approval comes first, and one that is decided stays where it is", () => {
  const watched = take(
    rows({ approvals: [{ ...approval, id: "AgentAction:new" }] }),
    rows({ approvals: [{ ...approval, status: "APPROVED" }] }),
  );
  expect(watched.lists.approvals.map(({ id, status }) => [id, status])).toEqual([
    ["AgentAction:new", "PENDING_APPROVAL"],
    [ACTION, "APPROVED"],
  ]);
});

test("a payment without a quote stays when it is over", () => {
  const transfer = { ...quote, id: "Transaction:1", kind: "TRANSFER" as const };
  const watched = take(
    rows({ payments: [transfer] }),
    rows({ payments: [{ ...transfer, status: "COMPLETED" }] }),
  );
  expect(watched.lists.payments[0]).toMatchObject({ id: "Transaction:1", status: "COMPLETED" });
});

test("a row that is older than the kept ones is not taken for a new one", () => {
  const id = (at: number) => `Customer:019b8d62-b518-7000-8000-${String(at).padStart(12, "0")}`;
  const [customer] = ROWS.customers;
  if (!customer) throw new Error("Expected a customer");
  const of = (at: number) => ({ ...customer, id: id(at) });
  const many = { ...ROWS, customers: Array.from({ length: 1_000 }, (_, at) => of(2_000 - at)) };
  const after = (...customers: (typeof customer)[]) =>
    takeEvents(watchedWith(many), [rows({ customers })], WALL_MS).lists.customers;
  expect(after(of(7))).toHaveLength(1_000);
  expect(after(of(7)).map((row) => row.id)).not.toContain(id(7));
  expect(after(of(2_001), of(7)).map((row) => row.id)).toEqual(
    Array.from({ length: 1_000 }, (_, at) => id(2_001 - at)),
  );
});

test("timers stand in the order they fire, and go when they are gone", () => {
  const timer = { timer: "payment.settle", subject: "Transaction:1", then: "COMPLETED" };
  const dueAt = "2026-01-05T09:04:00.000Z";
  const watched = take(
    rows({ timers: [{ ...timer, id: "payment.settle Transaction:1", dueAt }] }),
    rows({ gone: [`webhook.retry ${WEBHOOK}`] }),
  );
  expect(watched.lists.timers.map(({ timer: name }) => name)).toEqual([
    "payment.settle",
    "quote.expire",
  ]);
});

test("a timer that is cleared and set again in one batch is there", () => {
  const [retry] = ROWS.timers;
  if (!retry) throw new Error("Expected a timer");
  const { lists } = take(rows({ gone: [retry.id] }), rows({ timers: [retry] }));
  expect(lists.timers.map(({ id }) => id)).toContain(retry.id);
});

test("postings move the sums; the ledger's own accounts hold nothing for anybody", () => {
  const posting = { at: NOW, cause: "req-1-1", currency: "USD" };
  const watched = take(
    rows({
      postings: [
        { ...posting, id: "10.0", account: "InternalAccount:1", amount: 500 },
        { ...posting, id: "10.1", account: "Ledger:funding", amount: -500 },
      ],
    }),
  );
  expect(watched.totals).toEqual({ EUR: 0, USD: 0 });
  expect(watched.held).toEqual({ EUR: 91_704, USD: 225_500 });
});

test("the endpoint comes and goes", () => {
  expect(take(rows({ webhookEndpoint: "http://a/" })).webhookEndpoint).toBe("http://a/");
  expect(take(rows({ isWithoutEndpoint: true })).webhookEndpoint).toBeUndefined();
});

test("a struck call is counted by its switch; a limited one that is used up is armed no more", () => {
  const fault = {
    id: "Fault:1",
    match: { operation: "getQuote", times: 2 },
    fault: { status: 503 },
    seen: 0,
    struck: 0,
    createdAt: NOW,
  };
  const struck = (id: string) => ({
    event: "request",
    data: { ...ROWS.requests[0], id, status: 503, fault: "Fault:1" },
  });
  const armed = (...events: { event: string; data: unknown }[]) =>
    armedIn(take(rows({ faults: [fault] }), ...events), Date.parse(NOW)).map((one) => one.struck);
  expect(armed()).toEqual([0]);
  expect(armed(struck("req-1-200"))).toEqual([1]);
  expect(armed(struck("req-1-200"), struck("req-1-201"))).toEqual([]);
  expect(armed(rows({ gone: ["Fault:1"] }))).toEqual([]);
  const watched = take(rows({ faults: [fault] }));
  expect(strikeText(watched, [struck("req-1-200")])).toBe(
    `the fault changed req-1-200, GET /quotes/${QUOTE}: it answered 503`,
  );
  expect(strikeText(watched, [{ event: "request", data: ROWS.requests[0] }])).toBeUndefined();
});

test.each([
  { match: {}, struck: 5, armed: true, told: false },
  { match: { until: "2026-01-05T09:00:00.000Z" }, struck: 0, armed: false, told: false },
  { match: { nth: 1 }, struck: 0, armed: true, told: true },
  { match: { nth: 1 }, struck: 1, armed: false, told: true },
  { match: { times: 3 }, struck: 2, armed: true, told: true },
])("a switch with $match that struck $struck calls: armed $armed, told $told", (row) => {
  const { match, struck, armed, told } = row;
  const fault = { id: "Fault:1", match, fault: { closeSocket: true as const }, createdAt: NOW };
  const watched = take(rows({ faults: [{ ...fault, seen: struck, struck }] }));
  expect(armedIn(watched, Date.parse(NOW))).toHaveLength(armed ? 1 : 0);
  const call = { event: "request", data: { ...ROWS.requests[0], fault: "Fault:1" } };
  expect(strikeText(watched, [call])?.endsWith("no answer was sent") ?? false).toBe(told);
});

test("customers and cards change in place; new ones come first", () => {
  const [customer] = ROWS.customers;
  const [card] = ROWS.cards;
  if (!customer || !card) throw new Error("Expected the mock-ups' rows");
  const { lists } = take(
    rows({
      customers: [{ ...customer, status: "APPROVED" }],
      cards: [{ ...card, id: "Card:new" }],
    }),
  );
  expect(lists.customers.map(({ status }) => status)).toEqual(["APPROVED", "APPROVED"]);
  expect(lists.cards.map(({ id }) => id.slice(-6))).toEqual(["rd:new", "c4a7d1", "0b33f8"]);
});

test("the greeting of an earlier version has no customers, cards and faults", () => {
  const { customers: _c, cards: _k, faults: _f, ...earlier } = ROWS;
  const hello = { world: "sandbox", now: NOW, clock: { mode: "real", aheadMs: 0 }, rows: earlier };
  const watched = takeEvents(initialWorld(WALL_MS), [{ event: "hello", data: hello }], WALL_MS);
  expect(watched.lists).toMatchObject({ customers: [], cards: [] });
  expect(watched.faults).toEqual([]);
});

test("the clock runs from what was told, and rests when it is manual", () => {
  const now = "2026-01-05T10:00:00.000Z";
  const real = take({ event: "clock", data: { now, mode: "real", aheadMs: 60_000 } }).clock;
  const manual = take({ event: "clock", data: { now, mode: "manual", aheadMs: 0 } }).clock;
  if (!real || !manual) throw new Error("Expected a clock");
  expect(nowOn(real, WALL_MS + 5_000)).toBe(Date.parse(now) + 5_000);
  expect(nowOn(manual, WALL_MS + 5_000)).toBe(Date.parse(now));
});

test("a greeting with rows replaces everything, requests of before it too", () => {
  const request = { ...ROWS.requests[0], id: "req-1-500" };
  const hello = { world: "sandbox", now: NOW, clock: { mode: "real", aheadMs: 0 } };
  const anew = take(
    { event: "request", data: request },
    { event: "hello", data: { ...hello, rows: EMPTY } },
  );
  expect(anew.lists.requests).toEqual([]);
  expect(anew.lists.payments).toEqual([]);
});

test("a greeting without rows leaves what is known: the feed resumes", () => {
  const request = { ...ROWS.requests[0], id: "req-1-500" };
  const hello = { world: "sandbox", now: NOW, clock: { mode: "real", aheadMs: 0 } };
  const resumed = take({ event: "request", data: request }, { event: "hello", data: hello });
  expect(resumed.lists.requests[0]?.id).toBe("req-1-500");
  expect(resumed.lists.payments).toHaveLength(5);
});

test("a world that stopped says why; one that missed something is counted", () => {
  expect(take({ event: "stopped", data: { why: "it broke" } }).stopped).toBe("it broke");
  expect(take({ event: "start-over", data: { why: "too slow" } }).link.missed).toBe(1);
});

test("events that say nothing new about rows change nothing", () => {
  const watched = watchedWith(ROWS);
  expect(takeEvents(watched, [{ event: "change", data: {} }], WALL_MS)).toBe(watched);
});
