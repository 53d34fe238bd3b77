import fc from "fast-check";
import { expect, test } from "vitest";
import { PersistentMap } from "../../src/runtime/persistent-map.ts";
import { runsOf } from "../setup/campaign.ts";

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

/** Keys of which many have equal ends, or equal counters in their UUIDs: their hashes are equal. */
const keyOf = (n: number) => {
  if (n % 7 === 0) return `${n}-the same last characters`;
  if (n % 7 === 1) return `Quote:${hex(n, 8)}-0000-7000-8000-00000000000a`;
  if (n % 7 < 4)
    return `Quote:01a2090d-22b6-7000-8${hex(n >> 6, 3)}-${hex((n & 63) << 2, 2)}f3ac3dcb02`;
  return `Quote:${n * 37}`;
};

interface Side {
  dict: PersistentMap<number>;
  model: Map<string, number>;
}

const expectLikeModel = ({ dict, model }: Side) => {
  expect(dict.size).toBe(model.size);
  expect([...dict.keys()].sort()).toEqual([...model.keys()].sort());
  expect([...dict.values()].sort()).toEqual([...model.values()].sort());
  for (const [key, value] of model) expect(dict.get(key)).toBe(value);
};

const expectDifferences = (mine: Side, theirs: Side) => {
  const keys = [...new Set([...mine.model.keys(), ...theirs.model.keys()])];
  const expected = keys
    .map((key) => ({ key, mine: mine.model.get(key), theirs: theirs.model.get(key) }))
    .filter((one) => one.mine !== one.theirs);
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  expect([...mine.dict.differences(theirs.dict)].sort(byKey)).toEqual(expected.sort(byKey));
};

const set = ({ dict, model }: Side, key: string, value: number) => {
  dict.set(key, value);
  model.set(key, value);
};

const remove = ({ dict, model }: Side, key: string) => {
  dict.delete(key);
  model.delete(key);
};

const fork = ({ dict, model }: Side): Side => ({ dict: dict.fork(), model: new Map(model) });

test("it holds what was set last, and nothing that was deleted", () => {
  const side = { dict: new PersistentMap<number>(), model: new Map<string, number>() };
  for (let n = 0; n < 5000; n += 1) set(side, keyOf(n), n);
  for (let n = 0; n < 5000; n += 3) set(side, keyOf(n), -n);
  for (let n = 0; n < 5000; n += 2) remove(side, keyOf(n));
  expectLikeModel(side);
  expect(side.dict.get("nothing")).toBeUndefined();
  for (let n = 0; n < 5000; n += 1) remove(side, keyOf(n));
  expect([side.dict.size, [...side.dict.keys()]]).toEqual([0, []]);
});

const KEYS: Record<string, (n: number) => string> = {
  ids: (n) => `Quote:01a2090d-22b6-7000-8${hex(n >> 6, 3)}-${hex((n & 63) << 2, 2)}f3ac3dcb02`,
  "addresses at one domain": (n) => `$person${n}@pay.sandbox.test`,
  "texts that differ in the middle": (n) => `customer-with-${n}-and-the-same-end`,
};

interface Shape {
  entries?: Map<string, number>;
  kids?: (Shape | undefined)[];
}

/** Entries of the largest leaf: the first write after a fork copies one leaf. */
const largestLeaf = ({ entries, kids = [] }: Shape): number =>
  Math.max(entries?.size ?? 0, ...kids.map((kid) => (kid ? largestLeaf(kid) : 0)));

test.each(Object.keys(KEYS))("no leaf of %s becomes large", (what) => {
  const dict = new PersistentMap<number>();
  for (let n = 0; n < 8_000; n += 1) dict.set(KEYS[what]?.(n) ?? "", n);
  const { root } = dict as unknown as { root: Shape };
  expect(largestLeaf(root)).toBeLessThanOrEqual(200);
  for (let n = 0; n < 8_000; n += 1) expect(dict.get(KEYS[what]?.(n) ?? "")).toBe(n);
  for (let n = 0; n < 8_000; n += 1) dict.delete(KEYS[what]?.(n) ?? "");
  expect([dict.size, [...dict.keys()]]).toEqual([0, []]);
});

const leafSizes = ({ entries, kids = [] }: Shape): number[] => [
  ...(entries ? [entries.size] : []),
  ...kids.flatMap((kid) => (kid ? leafSizes(kid) : [])),
];

test("ids of all kinds in a row share leaves: one for each record or two takes more memory", () => {
  const dict = new PersistentMap<number>();
  for (let n = 0; n < 8_000; n += 1) if (n % 3 !== 0) dict.set(KEYS.ids?.(n) ?? "", n);
  const { root } = dict as unknown as { root: Shape };
  const sizes = leafSizes(root);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
  expect(dict.size / sizes.length).toBeGreaterThan(8);
});

test.each(["__proto__", "constructor", "", "\ud800"])("the key %j is a key like others", (key) => {
  const dict = new PersistentMap<number>();
  expect(dict.get(key)).toBeUndefined();
  dict.set(key, 1);
  expect(dict.get(key)).toBe(1);
  dict.delete(key);
  expect(dict.get(key)).toBeUndefined();
});

const number = fc.integer({ min: 0, max: 400 });
const side = fc.nat(7);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("set" as const), side, n: number }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("delete" as const), side, n: number }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("set many" as const), side, n: number }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("fork" as const), side, n: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("clear" as const), side, n: number }) },
);

test("after any forks no side sees what another writes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const sides: Side[] = [{ dict: new PersistentMap(), model: new Map() }];
      for (const [at, { does, side, n }] of steps.entries()) {
        const one = sides[side % sides.length] as Side;
        if (does === "set") set(one, keyOf(n), at);
        if (does === "delete") remove(one, keyOf(n));
        if (does === "set many") for (let k = 0; k < 90; k += 1) set(one, keyOf(n + k), at);
        if (does === "fork" && sides.length < 6) sides.push(fork(one));
        if (does === "clear") {
          one.dict.clear();
          one.model.clear();
        }
      }
      for (const one of sides) expectLikeModel(one);
      for (const one of sides) for (const other of sides) expectDifferences(one, other);
    }),
    { numRuns: runsOf(100, 40) },
  );
});

test("what two forks share is passed over", () => {
  const side = { dict: new PersistentMap<number>(), model: new Map<string, number>() };
  for (let n = 0; n < 10_000; n += 1) set(side, `Quote:${n * 37}`, n);
  const twin = fork(side);
  set(twin, "Quote:37", -1);
  remove(twin, "Quote:74");
  set(side, "Quote:new", 7);
  const found = [...side.dict.differences(twin.dict)].sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(found).toEqual([
    { key: "Quote:37", mine: 1, theirs: -1 },
    { key: "Quote:74", mine: 2, theirs: undefined },
    { key: "Quote:new", mine: 7, theirs: undefined },
  ]);
});
