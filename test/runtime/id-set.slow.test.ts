import fc from "fast-check";
import { expect, test } from "vitest";
import { isIn, positionAfter, positionIn } from "../../src/domain/core/ids.ts";
import { type IdList, IdSet, type Owner, withId, withoutId } from "../../src/runtime/id-set.ts";

/** Ids of one length, so that numeric order is text order. */
const idOf = (n: number) => `Quote:${String(n).padStart(6, "0")}`;

/** A list with its owner, and a plain array to compare it with. */
interface Side {
  ids: IdList;
  owner: Owner;
  model: string[];
}

const sideOf = (count: number): Side => {
  const owner = {};
  const model = Array.from({ length: count }, (_, n) => idOf(2 * n));
  const ids = model.reduce<IdList>((list, id) => withId(list, id, owner), []);
  return { ids, owner, model };
};

const insert = (side: Side, id: string) => {
  side.ids = withId(side.ids, id, side.owner);
  side.model = [...new Set([...side.model, id])].sort();
};

const remove = (side: Side, id: string) => {
  side.ids = withoutId(side.ids, id, side.owner);
  side.model = side.model.filter((one) => one !== id);
};

/** A copy that continues separately: both sides get new owners. */
const fork = (side: Side): Side => {
  side.owner = {};
  return { ids: side.ids, owner: {}, model: [...side.model] };
};

const expectLikeModel = ({ ids, model }: Side, asked: readonly number[] = []) => {
  expect([...ids]).toEqual(model);
  expect(ids.length).toBe(model.length);
  expect(ids.at(0)).toBe(model[0]);
  expect(ids.at(-1)).toBe(model.at(-1));
  for (const n of asked) {
    const lower = model.filter((one) => one < idOf(n)).length;
    expect(positionIn(ids, idOf(n))).toBe(lower);
    expect(isIn(ids, idOf(n))).toBe(model.includes(idOf(n)));
    expect(positionAfter(ids, idOf(n))).toBe(lower + (model.includes(idOf(n)) ? 1 : 0));
    expect(ids.at(n)).toBe(model.at(n));
    expect(ids.at(-n)).toBe(model.at(-n));
    expect(ids.slice(n, n + 300)).toEqual(model.slice(n, n + 300));
    expect(ids.slice(-n)).toEqual(model.slice(-n));
    expect(ids.slice(0, -n)).toEqual(model.slice(0, -n));
  }
};

const number = fc.integer({ min: 0, max: 2200 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("insert" as const), n: number }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("remove" as const), n: number }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("remove oldest" as const), n: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("append many" as const), n: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("remove many" as const), n: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("fork" as const), n: number }) },
);

const take = (side: Side, { does, n }: { does: string; n: number }) => {
  if (does === "insert") insert(side, idOf(n));
  if (does === "remove") remove(side, idOf(n));
  if (does === "remove oldest") remove(side, side.model[0] ?? "");
  if (does === "append many")
    for (let more = 0; more < 300; more += 1) insert(side, idOf(3000 + n + 7 * more));
  if (does === "remove many") for (const id of side.model.slice(n, n + 400)) remove(side, id);
};

test("after any inserts, removals and forks, every side equals a sorted array of its own", () => {
  const run = fc.record({
    count: fc.constantFrom(0, 1, 7, 8, 9, 256, 257, 1100),
    steps: fc.array(fc.tuple(step, fc.nat()), { maxLength: 25 }),
    asked: fc.array(number, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(run, ({ count, steps, asked }) => {
      const sides = [sideOf(count)];
      for (const [one, which] of steps) {
        const side = sides[which % sides.length] as Side;
        if (one.does === "fork") sides.push(fork(side));
        else take(side, one);
        expectLikeModel(side);
      }
      for (const side of sides) expectLikeModel(side, asked);
    }),
    { numRuns: 60 },
  );
});

test("a kept list stays as it was while its owner writes", () => {
  const side = sideOf(1000);
  const kept = fork(side);
  for (const n of [1, 999, 1998, 5000]) insert(side, idOf(n));
  for (const n of [0, 2, 1000]) remove(side, idOf(n));
  expectLikeModel(side);
  expectLikeModel(kept, [0, 1, 999, 1998, 5000]);
});

test("up to 8 ids are a plain array, 9 are not", () => {
  expect(sideOf(8).ids).toEqual(Array.from({ length: 8 }, (_, n) => idOf(2 * n)));
  expect(sideOf(9).ids).toBeInstanceOf(IdSet);
});

test("a list that lost all its ids takes new ones", () => {
  const side = sideOf(600);
  for (const id of [...side.model]) remove(side, id);
  expectLikeModel(side, [0, 3]);
  insert(side, idOf(3));
  insert(side, idOf(1));
  expectLikeModel(side, [0, 1, 2, 3]);
});

/** Chunk arrays of a list, which writes replace. */
const chunksOf = (ids: IdList) => (ids as unknown as { chunks: { ids: string[] }[] }).chunks;

test("the first write after a fork copies one chunk, and the other side keeps all of its own", () => {
  const side = sideOf(100_000);
  const chunks = [...chunksOf(side.ids)];
  const other = fork(side);
  remove(side, idOf(0));
  const changed = chunksOf(side.ids).filter((chunk, at) => chunk !== chunks[at]);
  expect(changed.map(({ ids }) => ids.length)).toEqual([255]);
  expect(chunksOf(other.ids)).toEqual(chunks);
  expect(chunksOf(other.ids).every((chunk, at) => chunk === chunks[at])).toBe(true);
});

test("chunks that lost most of their ids are joined", () => {
  const side = sideOf(0);
  for (let n = 0; n < 12_800; n += 1) side.ids = withId(side.ids, idOf(n), side.owner);
  expect(chunksOf(side.ids)).toHaveLength(50);
  for (let n = 0; n < 12_800; n += 1)
    if (n % 32 !== 0) side.ids = withoutId(side.ids, idOf(n), side.owner);
  expect(side.ids.length).toBe(400);
  // Each chunk of 256 keeps 8 ids; joined chunks hold up to 128.
  expect(chunksOf(side.ids).length).toBeLessThanOrEqual(8);
});
