import fc from "fast-check";
import { expect, test } from "vitest";
import { DELIVERY_STATES } from "../../src/contract/webhooks/delivery-states.ts";
import type { EmittedEvent } from "../../src/domain/core/draft.ts";
import { InvariantViolation } from "../../src/domain/core/invariant.ts";
import type {
  DeliveryRecord,
  DeliveryState,
  EventRecord,
} from "../../src/domain/records/records.ts";
import { KINDS } from "../../src/domain/records/tables.ts";
import type { Change } from "../../src/runtime/change.ts";
import { WorldDraft } from "../../src/runtime/world-draft.ts";
import { WorldState } from "../../src/runtime/world-state.ts";

const CHANGE: Change = { v: 5, seq: 1, at: 7, cause: "req-1-1", by: "test", n: 3 };

const event = (id: string, body = ""): EventRecord => Object.freeze({ id, body });

const delivery = (id: string, lane = "x", state: DeliveryState = "WAITING"): DeliveryRecord =>
  Object.freeze({
    id,
    type: "TEST",
    lane,
    cause: "req-1-1",
    bornAtMs: 7,
    state,
    attemptCount: 0,
    attempts: [],
  });

/** A world after some changes, each passed through JSON as by the journal. */
const worldOf = (...changes: Partial<Change>[]) => {
  const world = new WorldState();
  for (const [at, change] of changes.entries())
    world.apply(JSON.parse(JSON.stringify({ ...CHANGE, seq: at + 1, ...change })));
  return world;
};

/** Everything visible of a world. */
const dump = (world: WorldState) => ({
  records: KINDS.map((kind) =>
    [...world.ids(kind, "all", "")].map((id) => structuredClone(world.get(kind, id))),
  ),
  lanes: ["x", "y"].map((lane) => [...world.ids("Delivery", "byLane", lane)]),
  states: DELIVERY_STATES.map((state) => [...world.ids("Delivery", "byState", state)]),
  balances: structuredClone(world.allBalances()),
  postings: structuredClone(world.postings.slice()),
  counters: [world.seq, world.counter, world.atMs, world.branch, world.seed],
});

test("a draft's ids share all chunks with the world's except those it writes", () => {
  const idOf = (n: number) => `${10_000 + n}`;
  const world = new WorldState();
  const records = Array.from({ length: 5_120 }, (_, n) => event(idOf(2 * n)));
  world.loadRecords("Event", records);
  const draft = new WorldDraft(world);
  draft.put("Event", event(idOf(2_561)));
  draft.del("Event", idOf(0));
  draft.put("Event", event(idOf(2), "changed"));
  const chunksOf = (view: WorldState | WorldDraft) =>
    (view.ids("Event", "all", "") as unknown as { chunks: object[] }).chunks;
  const shared = new Set(chunksOf(world));
  const seen = chunksOf(draft);
  expect(shared.size).toBe(20);
  // The chunk that got one id more was full and is now split.
  expect(seen.filter((chunk) => !shared.has(chunk))).toHaveLength(3);
  expect(seen).toHaveLength(21);
  const ids = draft.ids("Event", "all", "");
  expect([ids.length, ids.at(0), ids.at(1_280)]).toEqual([5_120, idOf(2), idOf(2_561)]);
  expect([...world.ids("Event", "all", "")]).toEqual(records.map(({ id }) => id));
});

test("a draft sees its own writes, the world sees none of them", () => {
  const world = worldOf({
    put: [
      ["Event", event("1", "old")],
      ["Event", event("2", "old")],
    ],
  });
  const draft = new WorldDraft(world);
  draft.put("Event", event("1", "new"));
  draft.put("Event", event("3", "new"));
  draft.del("Event", "2");
  const seen = ["1", "2", "3"].map((id) => draft.get("Event", id)?.body);
  expect(seen).toEqual(["new", undefined, "new"]);
  expect(draft.ids("Event", "all", "")).toEqual(["1", "3"]);
  expect(["1", "2", "3"].map((id) => world.get("Event", id)?.body)).toEqual([
    "old",
    "old",
    undefined,
  ]);
});

test("a draft finds what it changed under its new keys, in order of ids", () => {
  const world = worldOf({
    put: [
      ["Delivery", delivery("1")],
      ["Delivery", delivery("3")],
      ["Delivery", delivery("5", "y")],
    ],
  });
  const draft = new WorldDraft(world);
  draft.put("Delivery", delivery("3", "x", "ACCEPTED"));
  draft.put("Delivery", delivery("5", "x"));
  draft.put("Delivery", delivery("2", "x"));
  expect(draft.ids("Delivery", "byLane", "x")).toEqual(["1", "2", "5"]);
  expect(draft.ids("Delivery", "byLane", "y")).toEqual([]);
  expect(draft.ids("Delivery", "byProgress", "ended")).toEqual(["3"]);
});

test("a record put back after its removal exists", () => {
  const draft = new WorldDraft(worldOf({ put: [["Event", event("1", "old")]] }));
  draft.del("Event", "1");
  draft.put("Event", event("1", "again"));
  expect(draft.close()).toEqual({ put: [["Event", { id: "1", body: "again" }]] });
});

test("a balance includes what the draft posted", () => {
  const world = worldOf({
    post: [
      ["a", "USD", "70"],
      ["Ledger:funding", "USD", "-70"],
    ],
  });
  const draft = new WorldDraft(world);
  draft.post({ account: "a", currency: "USD", amountMinor: -30n });
  draft.post({ account: "b", currency: "USD", amountMinor: 30n });
  expect(["a", "b"].map((account) => draft.balanceMinor(account, "USD"))).toEqual([40n, 30n]);
  expect(draft.balanceMinor("a", "EUR")).toBe(0n);
  expect(world.balanceMinor("a", "USD")).toBe(70n);
});

test("a draft's writes are its change; without writes there is none", () => {
  const draft = new WorldDraft(worldOf({ put: [["Event", event("1")]] }));
  expect(new WorldDraft(new WorldState()).close()).toBeUndefined();
  draft.put("Event", event("2"));
  draft.del("Event", "1");
  draft.del("Event", "never there");
  draft.post({ account: "a", currency: "USD", amountMinor: 5n });
  draft.post({ account: "Ledger:funding", currency: "USD", amountMinor: -5n });
  draft.decidedBy("quotedPayment.003");
  expect(draft.close()).toEqual({
    put: [["Event", { id: "2", body: "" }]],
    del: [["Event", "1"]],
    post: [
      ["a", "USD", "5"],
      ["Ledger:funding", "USD", "-5"],
    ],
    row: "quotedPayment.003",
  });
});

const unbalanced: { what: string; post: [string, string, bigint][]; found: RegExp }[] = [
  { what: "a posting without its other side", post: [["a", "USD", 5n]], found: /sum to zero/ },
  {
    what: "two sides in different currencies",
    post: [
      ["a", "USD", 5n],
      ["Ledger:funding", "EUR", -5n],
    ],
    found: /sum to zero/,
  },
  {
    what: "an account below zero",
    post: [
      ["a", "USD", -71n],
      ["b", "USD", 71n],
    ],
    found: /below zero.*"balance":"-1"/,
  },
];

test.each(unbalanced)("a draft with $what is not closed", ({ post, found }) => {
  const world = worldOf({
    post: [
      ["a", "USD", "70"],
      ["Ledger:funding", "USD", "-70"],
    ],
  });
  const before = dump(world);
  const draft = new WorldDraft(world);
  for (const [account, currency, amountMinor] of post)
    draft.post({ account, currency, amountMinor });
  expect(() => draft.close()).toThrow(InvariantViolation);
  expect(() => draft.close()).toThrow(found);
  expect(dump(world)).toEqual(before);
});

// spec/webhooks.md#missing-endpoint
test("an emitted event becomes its bytes and a delivery that waits, or can never be sent", () => {
  const emitted: EmittedEvent[] = [
    { id: "1", type: "TEST", lane: "1", body: "{}", deliverable: true },
    { id: "2", type: "TEST", lane: "x", about: "x", body: "{ }", deliverable: false },
  ];
  const world = worldOf({ emit: emitted, row: "quotedPayment.003" });
  expect(world.get("Event", "1")).toEqual({ id: "1", body: "{}" });
  expect(world.get("Delivery", "1")).toEqual({
    ...delivery("1", "1"),
    rule: "quotedPayment.003",
  });
  expect(world.get("Delivery", "2")).toEqual({
    ...delivery("2", "x", "UNDELIVERABLE"),
    about: "x",
    rule: "quotedPayment.003",
  });
  expect(world.ids("Delivery", "byLane", "x")).toEqual([]);
});

test("applying the same change again leaves every record and index as it was", () => {
  const change: Partial<Change> = {
    put: [
      ["Event", event("2")],
      ["Delivery", delivery("1", "y", "ACCEPTED")],
    ],
    del: [["Event", "1"]],
    emit: [{ id: "3", type: "TEST", lane: "x", body: "{}", deliverable: true }],
  };
  const first = {
    put: [
      ["Event", event("1")],
      ["Delivery", delivery("1")],
    ],
  } as Partial<Change>;
  const once = worldOf(first, { ...change, seq: 2 });
  const twice = worldOf(first, { ...change, seq: 2 }, { ...change, seq: 2 });
  expect(dump(twice)).toEqual(dump(once));
});

test("opening a world drops everything before", () => {
  const opens = { world: "sandbox", seed: "s", branch: 2 };
  const past = { put: [["Event", event("1")]], post: [["Ledger:a", "USD", "1"]] };
  const world = worldOf(past as Partial<Change>, { opens, put: [["Event", event("2")]], n: 9 });
  expect(dump(world)).toEqual(dump(worldOf({ seq: 2, opens, put: [["Event", event("2")]], n: 9 })));
});

const lanes = fc.constantFrom("x", "y");
const ids = fc.integer({ min: 1, max: 9 }).map(String);
const operations = fc.array(
  fc.oneof(
    fc.record({ id: ids, lane: lanes, state: fc.constantFrom(...DELIVERY_STATES) }),
    fc.record({ id: ids }),
  ),
  { maxLength: 12 },
);

/** The same questions, answered by scanning a plain map. */
const scan = (model: Map<string, DeliveryRecord>) => {
  const where = (fits: (record: DeliveryRecord) => boolean) =>
    [...model.values()]
      .filter(fits)
      .map(({ id }) => id)
      .sort();
  return {
    all: where(() => true),
    lanes: ["x", "y"].map((lane) => where((one) => one.lane === lane && one.state === "WAITING")),
    states: DELIVERY_STATES.map((state) => where((one) => one.state === state)),
  };
};

const ask = (view: WorldDraft | WorldState) => ({
  all: [...view.ids("Delivery", "all", "")],
  lanes: ["x", "y"].map((lane) => [...view.ids("Delivery", "byLane", lane)]),
  states: DELIVERY_STATES.map((state) => [...view.ids("Delivery", "byState", state)]),
});

test("over any run of drafts, draft and world answer like a scan of all records", () => {
  fc.assert(
    fc.property(fc.array(operations, { maxLength: 6 }), (drafts) => {
      const world = new WorldState();
      const model = new Map<string, DeliveryRecord>();
      for (const [at, steps] of drafts.entries()) {
        const before = structuredClone(ask(world));
        const draft = new WorldDraft(world);
        for (const step of steps) {
          if ("state" in step) {
            const record = delivery(step.id, step.lane, step.state);
            draft.put("Delivery", record);
            model.set(step.id, record);
          } else {
            draft.del("Delivery", step.id);
            model.delete(step.id);
          }
          expect(ask(draft)).toEqual(scan(model));
        }
        expect(ask(world)).toEqual(before);
        world.apply(JSON.parse(JSON.stringify({ ...CHANGE, seq: at + 1, ...draft.close() })));
        expect(ask(world)).toEqual(scan(model));
        for (const [id, record] of model) expect(world.get("Delivery", id)).toEqual(record);
      }
    }),
  );
});
