import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const page = readFileSync("src/docs/decisions/dependencies.md", "utf8");

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
  devDependencies: Record<string, string>;
};

/** Tests need the optional packages too: they are installed here, or in test/foreign. */
const { peerDependencies: optional, devDependencies } = manifest;
const others = Object.fromEntries(
  Object.entries(devDependencies).filter(([name]) => !(name in optional)),
);

const ROW = /^\| (?!Package |-)([^|]+) \| ([^|]+) \|$/gm;

/** The rows of a table: package and reason. */
const rowsBelow = (heading: string) => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(ROW)].map(([, name = "", reason = ""]) => ({ name, reason }));
};

describe.each([
  { heading: "Optional", packages: optional },
  { heading: "Bundled, or for development", packages: others },
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
  const packages = new Set([...Object.keys(devDependencies), ...Object.keys(optional)]);
  expect([...page.matchAll(ROW)].length).toBe(packages.size);
});

test("installing the package installs no other", () => {
  expect(manifest).not.toHaveProperty("dependencies");
  const { peerDependenciesMeta } = manifest;
  for (const name of Object.keys(optional)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(devDependencies).toHaveProperty(name);
  }
});
