import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  anchorsOf,
  CHECKS,
  citationsIn,
  DOCS,
  foreignIn,
  ruleAnchors,
  sourcesBelow,
} from "./setup/citations.ts";

const FILES = [...sourcesBelow("src"), ...sourcesBelow("test")].filter(
  (file) => !CHECKS.includes(file),
);

const CITATIONS = FILES.flatMap(citationsIn);

const isThere = (to: string) => {
  const [page = "", anchor] = to.split("#");
  return (
    existsSync(`${DOCS}/${page}`) && (anchor === undefined || anchorsOf(page).includes(anchor))
  );
};

describe("citations", () => {
  test("lead to a page of the documents, and to a heading of it", () => {
    const dead = CITATIONS.filter(({ to }) => !isThere(to));
    expect(dead.map(({ file, line, to }) => `${file}:${line} ${to}`)).toEqual([]);
  });

  test("name no document that a reader of the repository cannot open", () => {
    expect(FILES.flatMap(foreignIn)).toEqual([]);
  });

  test("reach every rule of the specification: a table, a rule or a test carries it", () => {
    const cited = new Set(CITATIONS.map(({ to }) => to));
    expect(ruleAnchors().filter((anchor) => !cited.has(anchor))).toEqual([]);
  });
});

test("citations are found, and so is what is not in the house", () => {
  expect(CITATIONS.length).toBeGreaterThan(500);
  expect(isThere("spec/quotes.md#expiry")).toBe(true);
  expect(isThere("spec/quotes.md#no-such-rule")).toBe(false);
  expect(isThere("spec/no-such-page.md")).toBe(false);
});
