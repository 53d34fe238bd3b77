import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const FOLDER = "src/docs/decisions";

const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

const files = readdirSync(FOLDER).filter((file) => file !== "README.md");

const records = files.filter((file) => file !== "dependencies.md");

/** The text of a section of second level, without its heading. */
const sectionOf = (text: string, heading: string) =>
  text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";

describe.each(records)("%s", (file) => {
  const text = textOf(file);

  test("is named in kebab-case", () => {
    expect(file).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*\.md$/);
  });

  test("has a title, a date and its choice in one sentence", () => {
    const [title, date, choice] = text.split("\n\n");
    expect(title).toMatch(/^# \S/);
    expect(date).toMatch(/^Date: 20\d\d-[01]\d-[0-3]\d$/);
    expect(choice).toMatch(/^[A-Z][^#]*\.$/);
  });

  test("says why, and what the choice ruled out", () => {
    expect(sectionOf(text, "Why")).toMatch(/\w+\./);
    expect(sectionOf(text, "Ruled out")).toMatch(/^- \S/m);
  });

  test("is a short page", () => {
    const lines = text.trimEnd().split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(8);
    expect(lines).toBeLessThanOrEqual(30);
  });
});

test("the list names every record once, and nothing else", () => {
  const listed = [...textOf("README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file);
  expect(listed.sort()).toEqual([...files].sort());
});
