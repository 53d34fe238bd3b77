import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonProblem } from "../../src/http/body/json-problem.ts";
import { runsOf } from "../setup/campaign.ts";

test.each([
  {
    text: "{",
    says: `expected a member's name in double quotes at line 1, column 2 but found the end of the text`,
  },
  { text: "", says: "expected a value at line 1, column 1 but found the end of the text" },
  { text: '{"a":}', says: 'expected a value at line 1, column 6 but found "}"' },
  { text: '{"a" 1}', says: 'expected a ":" at line 1, column 6 but found "1"' },
  {
    text: '{"a":1,}',
    says: `expected a member's name in double quotes at line 1, column 8 but found "}"`,
  },
  { text: "[1,]", says: 'expected a value at line 1, column 4 but found "]"' },
  { text: "[1 2]", says: 'expected a "," or a "]" at line 1, column 4 but found "2"' },
  {
    text: '{\n  "a": 1\n  "b": 2\n}',
    says: 'expected a "," or a "}" at line 3, column 3 but found "\\""',
  },
  {
    text: "{'a':1}",
    says: `expected a member's name in double quotes at line 1, column 2 but found "'"`,
  },
  { text: "[undefined]", says: 'expected a value at line 1, column 2 but found "undefined"' },
  {
    text: '"a',
    says: "expected the closing quote of a text at line 1, column 3 but found the end of the text",
  },
  {
    text: '"a\nb"',
    says: 'expected the closing quote of a text at line 1, column 3 but found "\\n"',
  },
  { text: '"\\x"', says: 'expected a known escape at line 1, column 2 but found "\\\\"' },
  { text: "{} {}", says: 'expected the end of the text at line 1, column 4 but found "{"' },
  { text: "01", says: 'expected the end of the text at line 1, column 2 but found "1"' },
  { text: "[😀]", says: 'expected a value at line 1, column 2 but found "😀"' },
])("$text: $says", ({ text, says }) => {
  expect(jsonProblem(text)).toBe(says);
});

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON with a few characters dropped, doubled or replaced. */
const nearJson = fc
  .tuple(
    fc.json({ maxDepth: 5 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]:,"\\ \n0-.eu1tnf')), {
      maxLength: 3,
    }),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [place, kind, other]) => {
      const at = text.length === 0 ? 0 : place % text.length;
      const kept = kind === 0 ? "" : kind === 1 ? `${text[at] ?? ""}${other}` : other;
      return text.slice(0, at) + kept + text.slice(at + 1);
    }, json),
  );

test("a problem is told exactly of what no parser takes", () => {
  let broken = 0;
  fc.assert(
    fc.property(nearJson, (text) => {
      expect(jsonProblem(text) === undefined, text).toBe(parses(text));
      if (!parses(text)) broken += 1;
    }),
    { numRuns: runsOf(20_000, 2_000) },
  );
  expect(broken).toBeGreaterThan(200);
});
