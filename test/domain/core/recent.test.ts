import { expect, test } from "vitest";
import { Recent } from "../../../src/domain/core/recent.ts";

test("a value is made once while its key is among those asked for last", () => {
  const made: number[] = [];
  const recent = new Recent<number, string>(2, () => new Map());
  const ask = (key: number) => recent.of(key, (n) => `${made.push(n)}:${n}`);
  expect([1, 1, 2, 1, 3, 2, 1].map(ask)).toEqual(["1:1", "1:1", "2:2", "1:1", "3:3", "2:2", "1:1"]);
  expect(made).toEqual([1, 2, 3]);
});

test("a key that many others followed is made again", () => {
  const made: number[] = [];
  const recent = new Recent<number, number>(2, () => new Map());
  for (const key of [1, 2, 3, 4, 5, 1]) recent.of(key, (n) => made.push(n));
  expect(made).toEqual([1, 2, 3, 4, 5, 1]);
});

test("objects are told apart by identity", () => {
  const recent = new Recent<object, object>(8, () => new WeakMap());
  const [one, other] = [{}, {}];
  const made = recent.of(one, () => ({}));
  expect(recent.of(one, () => ({}))).toBe(made);
  expect(recent.of(other, () => ({}))).not.toBe(made);
});
