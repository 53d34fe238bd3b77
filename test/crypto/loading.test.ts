import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "src/crypto";
const VALUE_IMPORT = /^import\s+(?!type\b)[^"]*"([^"]+)"/gm;

/** Every start loads these files, and cryptographic libraries load slowly. */
test("no library but a list of words and a small codec is loaded before it is asked for", () => {
  const imported = readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(join(FOLDER, file), "utf8").matchAll(VALUE_IMPORT)].map(([, name]) => name),
  );
  const libraries = new Set(imported.filter((name) => !name?.startsWith(".")));
  expect([...libraries].sort()).toEqual([
    // Invoices are made within a rule, which cannot wait; it loads in about a millisecond.
    "@scure/base",
    "@scure/bip39/wordlists/english.js",
    "node:crypto",
    "node:util",
  ]);
});
