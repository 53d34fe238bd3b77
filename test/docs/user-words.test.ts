import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { sourcesBelow } from "./setup/citations.ts";
import { type UserText, userTextsIn, userTextsOf } from "./setup/user-texts.ts";
import { complaintsAboutUserText } from "./setup/user-words.ts";

const complaintsIn = (texts: readonly UserText[]) =>
  texts.flatMap(({ file, line, text }) =>
    complaintsAboutUserText(text).map((one) => `${file}:${line} ${one}`),
  );

const TEXTS = sourcesBelow("src").flatMap(userTextsOf);

const FACES = ["cli", "tui", "rows", "console", "contract", "control", "api", "domain"] as const;

const isOf = (face: string) => {
  const folder = `src/${face}/`;
  return ({ file }: UserText) => file.startsWith(folder);
};

describe("texts for people", () => {
  test.each(FACES)("of src/%s are found", (face) => {
    expect(TEXTS.filter(isOf(face)).length).toBeGreaterThan(40);
  });

  test("say what a colleague would say", () => {
    expect(complaintsIn(TEXTS)).toEqual([]);
  });
});

/** Every summary and description within a document, each once. */
const describedIn = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    typeof inside === "string" && (name === "summary" || name === "description")
      ? [inside]
      : describedIn(inside),
  );
};

test.each([
  ["openapi", openApiDocument("test")],
  ["openapi --control", controlOpenApiDocument("test")],
])("summaries and descriptions of %s say it too", (_name, document) => {
  const texts = new Set(describedIn(document));
  expect(texts.size).toBeGreaterThan(400);
  expect([...texts].flatMap(complaintsAboutUserText)).toEqual([]);
});

test.each([
  {
    face: "the console, between tags",
    file: "src/console/views/x.tsx",
    source: "export const X = () => <p>{count} of them <b>Belongs\n  together</b></p>;",
    found: ["related"],
  },
  {
    face: "the console, in a property",
    file: "src/console/views/x.tsx",
    source: 'export const X = () => <Act label="Keep the present state">Keep</Act>;',
    found: ["current"],
  },
  {
    face: "the screen",
    file: "src/tui/x.ts",
    source: "export const line = `${count} webhooks are collected, none is sent`;",
    found: ["not sent, no endpoint", "not …"],
  },
  {
    face: "a row",
    file: "src/rows/x.ts",
    source: 'export const drift = isManual ? "manual, standing still" : "";',
    found: ["frozen"],
  },
  {
    face: "a command, in a text of two parts",
    file: "src/cli/x.ts",
    source: 'export const summary = "copy the starting " + "world";',
    found: ["default world"],
  },
  {
    face: "an error",
    file: "src/contract/x.ts",
    source:
      'export const R = { X: { says: "{field} names no account", next: "Use one of those there are" } };',
    found: ["list, is not the id of", "existing"],
  },
  {
    face: "a summary",
    file: "src/control/x.ts",
    source: 'export const e = endpoint({ summary: "Keep the world in place of an earlier one" });',
    found: ["instead of"],
  },
  {
    face: "a sentence that is too long",
    file: "src/cli/x.ts",
    source: `export const says = "Show ${"every ".repeat(25)}timer";`,
    found: ["two sentences"],
  },
  {
    face: "an import, a type and a comparison, which nobody reads",
    file: "src/cli/x.ts",
    source:
      'import { a } from "in place of"; type B = "of which"; export const c: B | undefined = a;',
    found: [],
  },
])("a planted text of $face", ({ file, source, found }) => {
  const complaints = userTextsIn(file, source).flatMap(({ text }) => complaintsAboutUserText(text));
  expect(complaints.map((one) => one.replace(/^.*: write /, ""))).toEqual(found);
});
