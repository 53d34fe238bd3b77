import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALL_OPERATIONS, Counts } from "./setup/counts.ts";

const FOLDER = "test/simulation/setup";

/** Words in quotes and names of members, of the files that say what clients of histories call. */
const WORDS = new Set(
  readdirSync(FOLDER)
    .filter((name) => /(calls|steps|going-back|recovery|play)\.ts$/.test(name))
    .flatMap((name) => readFileSync(`${FOLDER}/${name}`, "utf8").match(/"\w+"|\w+(?=:)/g) ?? [])
    .map((word) => word.replaceAll('"', "")),
);

test("clients of histories call every operation of both documents", () => {
  expect(ALL_OPERATIONS.length).toBeGreaterThan(190);
  const operations = ALL_OPERATIONS.map((name) => name.split(" ")[1] ?? "");
  expect(operations.filter((operation) => !WORDS.has(operation))).toEqual([]);
});

test("what no history had is named", () => {
  const counts = new Counts();
  counts.note("forks");
  const unmet = counts.neverMet();
  expect(unmet).toHaveLength(19);
  expect(unmet).toContain("power cuts");
  expect(unmet).not.toContain("forks");
});
