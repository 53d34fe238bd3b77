import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { EventRecord } from "../../src/domain/records/records.ts";
import { TABLES } from "../../src/domain/records/tables.ts";
import { Table } from "../../src/runtime/table.ts";

// An index with any number of keys, including repeated ones; no real kind has such an index yet.
const words = ({ body }: EventRecord) => body.split(" ").filter((word) => word !== "");

const declared = TABLES.Event;

beforeEach(() => {
  TABLES.Event = { indexes: { byWord: words } };
});

afterAll(() => {
  TABLES.Event = declared;
});

const event = (id: string, body: string): EventRecord => Object.freeze({ id, body });

const filled = (...records: EventRecord[]) => {
  const table = new Table("Event");
  for (const record of records) table.apply(record.id, record);
  return table;
};

test("an index lists ids in ascending order, however they came in", () => {
  const table = filled(event("3", "a"), event("1", "a"), event("2", "a b"));
  expect(table.ids("all", "")).toEqual(["1", "2", "3"]);
  expect(table.ids("byWord", "a")).toEqual(["1", "2", "3"]);
  expect(table.ids("byWord", "b")).toEqual(["2"]);
});

test("a record that changes its keys moves, a removed one leaves every index", () => {
  const table = filled(event("1", "a b"), event("2", "a"));
  table.apply("1", event("1", "b c"));
  expect(["a", "b", "c"].map((word) => table.ids("byWord", word))).toEqual([["2"], ["1"], ["1"]]);
  table.apply("1", undefined);
  expect(["a", "b", "c"].map((word) => table.ids("byWord", word))).toEqual([["2"], [], []]);
  expect(table.ids("all", "")).toEqual(["2"]);
  expect(table.get("1")).toBeUndefined();
});

test("a record with the same key twice is listed once", () => {
  const table = filled(event("1", "a"), event("2", "a a"), event("3", "a"));
  expect(table.ids("byWord", "a")).toEqual(["1", "2", "3"]);
  table.apply("2", undefined);
  expect(table.ids("byWord", "a")).toEqual(["1", "3"]);
});

test.each([3, 500])("a kept list of %d ids is unaffected by later writes", (count) => {
  const idOf = (n: number) => `${1000 + n}`;
  const table = filled(...Array.from({ length: count }, (_, n) => event(idOf(n), "a")));
  const kept = table.keptIds("all", "");
  table.apply(idOf(0), undefined);
  table.apply(idOf(count), event(idOf(count), "a"));
  table.apply("0", event("0", "a"));
  expect([...kept]).toEqual(Array.from({ length: count }, (_, n) => idOf(n)));
  expect(table.ids("all", "").length).toBe(count + 1);
  expect(table.ids("all", "").at(0)).toBe("0");
});

test("an index that a fork was asked for is built at once by the next fork", () => {
  const made: string[] = [];
  TABLES.Event = {
    indexes: {
      byWord: (record) => {
        made.push(record.id);
        return words(record);
      },
    },
  };
  const origin = filled(event("1", "a"), event("2", "b"));
  const first = origin.fork();
  expect(made).toEqual([]);
  expect(first.ids("byWord", "b")).toEqual(["2"]);
  expect(made).toEqual(["1", "2"]);
  const second = origin.fork();
  expect(made).toEqual(["1", "2", "1", "2"]);
  expect(second.ids("byWord", "b")).toEqual(["2"]);
  expect(origin.fork().ids("byWord", "a")).toEqual(["1"]);
  second.apply("3", event("3", "b"));
  expect(second.ids("byWord", "b")).toEqual(["2", "3"]);
  expect(origin.ids("byWord", "b")).toEqual(["2"]);
  expect(made).toEqual(["1", "2", "1", "2", "3"]);
});

test("an unknown index and an unknown key list nothing", () => {
  const table = filled(event("1", "a"));
  expect([table.ids("byNothing", "a"), table.ids("byWord", "z")]).toEqual([[], []]);
});

const WORDS = ["a", "b", "c"];
const bodies = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((list) => list.join(" "));
const steps = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 12 }).map(String),
    body: fc.option(bodies, { nil: undefined }),
  }),
  { maxLength: 50 },
);

test("after any puts and removals the indexes equal a scan of the records", () => {
  fc.assert(
    fc.property(steps, fc.nat(20), (sequence, askedAt) => {
      const table = new Table("Event");
      const model = new Map<string, EventRecord>();
      for (const [at, { id, body }] of sequence.entries()) {
        // From here on the index is kept; before, it is built at the end.
        if (at === askedAt) table.ids("byWord", "a");
        const after = body === undefined ? undefined : event(id, body);
        table.apply(id, after);
        if (after) model.set(id, after);
        else model.delete(id);
      }
      const scan = (fits: (record: EventRecord) => boolean) =>
        [...model.values()]
          .filter(fits)
          .map(({ id }) => id)
          .sort();
      expect(new Map([...table.values()].map((record) => [record.id, record]))).toEqual(model);
      // Spread, as a list of many ids is no array.
      expect([...table.ids("all", "")]).toEqual(scan(() => true));
      for (const word of WORDS)
        expect([...table.ids("byWord", word)]).toEqual(
          scan((record) => words(record).includes(word)),
        );
    }),
  );
});

/** A table of the even ids up to 24, in parts of `size` records; `read` is called for each part. */
const inParts = (size: number, read: (first: string) => void = () => {}) => {
  const table = new Table("Event", { isLoading: true });
  const records = Array.from({ length: 12 }, (_, at) => event(`${2 * at + 12}`, "a"));
  for (let at = 0; at < records.length; at += size) {
    const part = records.slice(at, at + size);
    const first = part[0]?.id ?? "";
    table.loadLater({
      first,
      last: part.at(-1)?.id ?? "",
      count: part.length,
      read: () => {
        read(first);
        return part;
      },
    });
  }
  return { table, records };
};

test("a part is read once, when a record in it is first asked for", () => {
  const read: string[] = [];
  const { table, records } = inParts(4, (first) => read.push(first));
  expect(table.size).toBe(12);
  expect(table.get("99")).toBeUndefined();
  expect(read).toEqual([]);
  expect(table.get("22")).toBe(records[5]);
  expect(table.get("24")).toBe(records[6]);
  expect(table.get("21")).toBeUndefined();
  expect(read).toEqual(["20"]);
  expect(table.size).toBe(12);
  table.apply("30", undefined);
  expect(read).toEqual(["20", "28"]);
  expect(table.size).toBe(11);
  expect(table.readPart()).toBe(true);
  expect(table.readPart()).toBe(false);
  expect(read).toEqual(["20", "28", "12"]);
});

test.each(["ids", "values"] as const)("%s include all parts and later writes", (asked) => {
  const { table } = inParts(5);
  table.apply("12", undefined);
  table.apply("13", event("13", "b"));
  const ids =
    asked === "ids"
      ? table.ids("byWord", "a")
      : [...table.values()].filter(({ body }) => body === "a").map(({ id }) => id);
  expect([...ids].sort()).toEqual("14 16 18 20 22 24 26 28 30 32 34".split(" "));
});

test("a table in parts behaves like one that was read whole", () => {
  const step = fc.record({
    id: fc.integer({ min: 10, max: 38 }).map(String),
    body: fc.option(bodies, { nil: undefined }),
    looksAt: fc.integer({ min: 10, max: 38 }).map(String),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step), (size, sequence) => {
      const { table, records } = inParts(size);
      const whole = new Table("Event", { isLoading: true });
      whole.load(records);
      for (const { id, body, looksAt } of sequence) {
        const after = body === undefined ? undefined : event(id, body);
        for (const one of [table, whole]) one.apply(id, after);
        expect(table.get(looksAt)).toEqual(whole.get(looksAt));
        expect(table.size).toBe(whole.size);
      }
      expect(table.ids("all", "")).toEqual(whole.ids("all", ""));
      for (const word of WORDS)
        expect(table.ids("byWord", word)).toEqual(whole.ids("byWord", word));
    }),
  );
});
