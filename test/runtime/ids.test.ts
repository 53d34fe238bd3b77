import { expect, test } from "vitest";
import { BASE32, HEX } from "../../src/domain/core/draft.ts";
import { QUOTED_PAYMENT_OUTCOMES } from "../../src/domain/outcomes/outcomes.ts";
import { type IdSource, lastOrderOf, momentAt } from "../../src/runtime/ids.ts";

const AT_MS = 1_767_603_600_000; // 2026-01-05T09:00:00Z, 019b8d627a80 in hexadecimal
const SOURCE: IdSource = { seed: "test", branch: 1, counter: 0 };
const UUID_V7 = /^Quote:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const idsFrom = (source: IdSource, count: number, atMs = AT_MS) => {
  const moment = momentAt(atMs, source);
  return Array.from({ length: count }, () => moment.newId("Quote"));
};

test("an id is its kind and a uuid v7 of simulated time", () => {
  const [id = ""] = idsFrom(SOURCE, 1);
  expect(id).toMatch(UUID_V7);
  expect(id.startsWith("Quote:019b8d62-7a80-7")).toBe(true);
});

test("100,000 ids of one millisecond rise strictly, are well formed, and end in nothing that an ending means", () => {
  const ids = idsFrom(SOURCE, 100_000);
  for (const [at, id] of ids.entries()) {
    const isPlain = !/00[0-7]$/.test(id) && !Object.hasOwn(QUOTED_PAYMENT_OUTCOMES, id.slice(-3));
    const isGood = UUID_V7.test(id) && isPlain && (at === 0 || id > ids[at - 1]!);
    if (!isGood)
      throw new Error(`Expected a good id at ${at} but found ${id} after ${ids[at - 1]}`);
  }
});

test("ids rise wherever the counter carries over into the next field", () => {
  for (const edge of [2 ** 6, 2 ** 18, 2 ** 20, 2 ** 31]) {
    const ids = idsFrom({ ...SOURCE, counter: edge - 3 }, 5);
    expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(5);
  }
});

test("a later millisecond gives a higher id, whatever the counter", () => {
  const [early = ""] = idsFrom({ ...SOURCE, counter: 5_000_000 }, 1);
  const [late = ""] = idsFrom({ ...SOURCE, counter: 1 }, 1, AT_MS + 1);
  expect(late > early).toBe(true);
});

const others: { what: string; source: Partial<IdSource> }[] = [
  { what: "seed", source: { seed: "other" } },
  { what: "branch", source: { branch: 2 } },
];

test.each(others)("another $what gives other ids, the same one the same", ({ source }) => {
  const ids = idsFrom(SOURCE, 100);
  expect(idsFrom(SOURCE, 100)).toEqual(ids);
  const different = idsFrom({ ...SOURCE, ...source }, 100);
  expect(different.filter((id) => ids.includes(id))).toEqual([]);
});

test("ids and draws share one counter, which the next change continues from", () => {
  const moment = momentAt(AT_MS, { ...SOURCE, counter: 41 });
  moment.newId("Quote");
  moment.draw("reference", 9, BASE32);
  expect(moment.counter()).toBe(43);
});

test("orders rise within a change and from change to change, and leave the ids alone", () => {
  const orders = [7, 8].flatMap((seq) => {
    const moment = momentAt(AT_MS, { ...SOURCE, seq });
    const given = [moment.nextOrder(), moment.nextOrder()];
    expect(moment.counter()).toBe(SOURCE.counter);
    return given;
  });
  expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  expect(new Set(orders).size).toBe(4);
  expect(orders[1]).toBeLessThanOrEqual(lastOrderOf(7));
  expect(orders[2]).toBeGreaterThan(lastOrderOf(7));
});

test("a draw has the length and letters asked for and repeats under the same history", () => {
  const draw = (source: Partial<IdSource>, purpose = "reference") =>
    momentAt(AT_MS, { ...SOURCE, ...source }).draw(purpose, 100, HEX);
  expect(draw({})).toMatch(/^[0-9a-f]{100}$/);
  expect(draw({})).toBe(draw({}));
  const others = [draw({ seed: "other" }), draw({ branch: 2 }), draw({ counter: 1 })];
  expect(new Set([draw({}), draw({}, "code"), ...others]).size).toBe(5);
});
