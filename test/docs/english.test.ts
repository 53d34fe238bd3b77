import { describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { REFUSALS } from "../../src/contract/refusals.ts";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { pagesBelow, sourcesBelow } from "./setup/citations.ts";
import { commentsOf, complaintsAbout, complaintsAboutText, paragraphsOf } from "./setup/prose.ts";

const FOLDERS = ["src", "test"];

describe.each(FOLDERS)("comments in %s", (folder) => {
  test("open with a verb or a noun, in short sentences and plain words", () => {
    const complaints = sourcesBelow(folder)
      .flatMap(commentsOf)
      .flatMap((comment) =>
        complaintsAbout(comment).map((one) => `${comment.file}:${comment.line} ${one}`),
      );
    expect(complaints).toEqual([]);
  });
});

test("the pages of the documents use plain words", () => {
  const pages = ["README.md", "src/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"];
  const all = [...pages, ...pagesBelow("src/docs").map((name) => `src/docs/${name}`)];
  const complaints = all
    .flatMap(paragraphsOf)
    .flatMap(({ file, text }) => complaintsAboutText(text).map((one) => `${file} ${one}`));
  expect(complaints).toEqual([]);
});

test("refusals say in plain words what was found and what to do next", () => {
  const complaints = Object.entries(REFUSALS).flatMap(([word, { says, next }]) =>
    [says, ...(typeof next === "string" ? [next] : Object.values(next))].flatMap((text) =>
      complaintsAboutText(String(text)).map((one) => `${word} ${one}`),
    ),
  );
  expect(complaints).toEqual([]);
});

test("summaries of operations open with a verb or a noun, in short sentences", () => {
  const complaints = [...PLATFORM_ENDPOINTS, ...CONTROL_ENDPOINTS].flatMap(
    ({ operationId, summary }) =>
      complaintsAbout(passage(summary)).map((one) => `${operationId} ${one}`),
  );
  expect(complaints).toEqual([]);
});

const passage = (text: string) => ({ file: "x.ts", line: 1, text, isDocstring: true });

test.each([
  ["What a client signs.", 'opens with "What"'],
  ["Whether it runs, and how it is.", undefined],
  ["Whether the world accepts writes.", undefined],
  ["Whether it runs. It may stop.", 'opens with "Whether"'],
  ["The key less its last byte.", 'says "less its"'],
  ["Returns the serialised colour.", 'says "'],
  [`Fires ${"every ".repeat(30)}timer.`, "a sentence of 32 words"],
  ["Fires every timer that is due.", undefined],
])("%s", (text, complaint) => {
  const [first] = complaintsAbout(passage(text));
  if (complaint === undefined) expect(first).toBeUndefined();
  else expect(first).toContain(complaint);
});
