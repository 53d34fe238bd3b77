import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyRow } from "../setup/every-row.ts";

const FOLDER = "src/docs/decisions";

const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

const files = readdirSync(FOLDER).filter((file) => file !== "README.md");

const records = files.filter((file) => file !== "dependencies.md");

/** The text of a section of second level, without its heading. */
const sectionOf = (text: string, heading: string) =>
  text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";

test("every record is a short page with a title, a date, its choice, why, and what it ruled out", () =>
  everyRow(records, (file) => {
    expect(file).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    const text = textOf(file);
    const [title, date, choice] = text.split("\n\n");
    expect(title).toMatch(/^# \S/);
    expect(date).toMatch(/^Date: 20\d\d-[01]\d-[0-3]\d$/);
    expect(choice).toMatch(/^[A-Z][^#]*\.$/);
    expect(sectionOf(text, "Why")).toMatch(/\w+\./);
    expect(sectionOf(text, "Ruled out")).toMatch(/^- \S/m);
    const lines = text.trimEnd().split("\n").length;
    expect(lines).toBeGreaterThanOrEqual(8);
    expect(lines).toBeLessThanOrEqual(30);
  }));

test("the list names every record once, and nothing else", () => {
  const listed = [...textOf("README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file);
  expect(listed.sort()).toEqual([...files].sort());
});
