import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventRecord } from "../../src/domain/records.ts";
import { TABLES } from "../../src/domain/tables.ts";
import { Table } from "../../src/runtime/table.ts";

// An index with any number of keys, repeated ones too, which no record has for good yet.
const words = ({ body }: EventRecord) => body.split(" ").filter((word) => word !== "");

beforeAll(() => {
  TABLES.Event.indexes.byWord = words;
});

afterAll(() => {
  delete TABLES.Event.indexes.byWord;
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

test("a record that changes its keys moves, one that is taken out leaves everywhere", () => {
  const table = filled(event("1", "a b"), event("2", "a"));
  table.apply("1", event("1", "b c"));
  expect(["a", "b", "c"].map((word) => table.ids("byWord", word))).toEqual([["2"], ["1"], ["1"]]);
  table.apply("1", undefined);
  expect(["a", "b", "c"].map((word) => table.ids("byWord", word))).toEqual([["2"], [], []]);
  expect(table.ids("all", "")).toEqual(["2"]);
  expect(table.records.has("1")).toBe(false);
});

test("a record with the same key twice is listed once", () => {
  const table = filled(event("1", "a"), event("2", "a a"), event("3", "a"));
  expect(table.ids("byWord", "a")).toEqual(["1", "2", "3"]);
  table.apply("2", undefined);
  expect(table.ids("byWord", "a")).toEqual(["1", "3"]);
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

test("after any puts and removals the indexes are what a scan of the records says", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const table = new Table("Event");
      const model = new Map<string, EventRecord>();
      for (const { id, body } of sequence) {
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
      expect(table.records).toEqual(model);
      expect(table.ids("all", "")).toEqual(scan(() => true));
      for (const word of WORDS)
        expect(table.ids("byWord", word)).toEqual(scan((record) => words(record).includes(word)));
    }),
  );
});
