import { expect, test } from "vitest";
import { CLUSTER_RULES } from "./checker/check-history.ts";
import { CLUSTER_BUGS, outdated } from "./planted-bugs.ts";

test("each bug of the list has its number, and the place that finds it is there", () => {
  expect(CLUSTER_BUGS.map(({ number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ]);
  expect(outdated(CLUSTER_BUGS)).toEqual([]);
});

test("a rule of the checker that a bug breaks is one", () => {
  const rules = CLUSTER_BUGS.flatMap(({ breaks }) => breaks ?? []);
  expect(rules).toHaveLength(6);
  for (const rule of rules) expect(Object.keys(CLUSTER_RULES)).toContain(rule);
});

test("a row whose text is gone is told", () => {
  const row = {
    number: 1,
    name: "x",
    foundBy: { file: "test/cluster/planted-bugs.ts", words: ["no", "such"].join(" ") },
    patch: { file: "storage/postgres/settings.ts", search: "no such text", replace: "" },
  };
  expect(outdated([row])).toEqual([
    '1: test/cluster/planted-bugs.ts does not have "no such"',
    "1: storage/postgres/settings.ts has it 0 times",
  ]);
});
