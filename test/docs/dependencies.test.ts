import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const page = readFileSync("src/docs/decisions/dependencies.md", "utf8");

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

const ROW = /^\| (?!Package |-)([^|]+) \| ([^|]+) \|$/gm;

/** The rows of a table: package and reason. */
const rowsBelow = (heading: string) => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(ROW)].map(([, name = "", reason = ""]) => ({ name, reason }));
};

describe.each([
  { heading: "Installed", packages: manifest.dependencies },
  { heading: "Bundled, or for development", packages: manifest.devDependencies },
])("$heading", ({ heading, packages }) => {
  test("every package has exactly one row, and no other has one", () => {
    const names = rowsBelow(heading).map(({ name }) => name);
    expect(names.sort()).toEqual(Object.keys(packages).sort());
  });

  test("every reason is a sentence", () => {
    const unfinished = rowsBelow(heading).filter(({ reason }) => !/^[A-Z].*\.$/.test(reason));
    expect(unfinished).toEqual([]);
  });
});

test("no row stands outside of the two tables", () => {
  const count = Object.keys(manifest.dependencies).length;
  const all = [...page.matchAll(ROW)].length;
  expect(all).toBe(count + Object.keys(manifest.devDependencies).length);
});
