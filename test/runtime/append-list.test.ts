import fc from "fast-check";
import { expect, test } from "vitest";
import { AppendList } from "../../src/runtime/append-list.ts";

const trailOf = (count: number) => {
  const trail = new AppendList<number>();
  for (let n = 0; n < count; n += 1) trail.push(n);
  return trail;
};

test("slices count like those of an array", () => {
  const trail = trailOf(2500);
  const model = Array.from({ length: 2500 }, (_, n) => n);
  for (const [from, to] of [
    [0, 2500],
    [0, 0],
    [1000, 1030],
    [-3, undefined],
    [-9000, 2],
    [2047, 2049],
    [5, -2400],
    [2499, 9000],
  ] as const)
    expect(trail.slice(from, to)).toEqual(model.slice(from, to));
  expect([...trail]).toEqual(model);
  expect([...trail.reversed()]).toEqual(model.toReversed());
});

test("nothing is in an empty one", () => {
  const trail = new AppendList<number>();
  expect([trail.length, trail.slice(), [...trail.reversed()]]).toEqual([0, [], []]);
});

const step = fc.record({
  does: fc.constantFrom("push" as const, "push many" as const, "fork" as const, "replace" as const),
  side: fc.nat(5),
});

test("after any forks no side sees what another adds", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const sides = [{ trail: new AppendList<number>(), model: [] as number[] }];
      for (const [at, { does, side }] of steps.entries()) {
        const one = sides[side % sides.length] as (typeof sides)[number];
        const count = { push: 1, "push many": 700, fork: 0, replace: 0 }[does];
        for (let n = 0; n < count; n += 1) {
          one.trail.push(at + n);
          one.model.push(at + n);
        }
        if (does === "fork" && sides.length < 5)
          sides.push({ trail: one.trail.fork(), model: [...one.model] });
        if (does === "replace") {
          one.model = one.model.slice(-1500);
          one.trail.replace(one.model);
        }
      }
      for (const { trail, model } of sides) {
        expect(trail.length).toBe(model.length);
        expect([...trail]).toEqual(model);
      }
    }),
  );
});
