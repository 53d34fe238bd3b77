import { expect, test } from "vitest";
import { slowPattern } from "./pattern-check.ts";
import { allPatterns, patternsMadeAtRunTime } from "./patterns.ts";

const patterns = allPatterns();

test("the patterns of sources and documents are found", () => {
  const places = new Set(patterns.map(({ at }) => at));
  expect(patterns.length).toBeGreaterThan(400);
  for (const at of ["src/http/log/redaction.ts", "src/console/views/diff.tsx", "openapi"])
    expect(places).toContain(at);
});

/** Longer ones take the checker many seconds each. */
const LONGEST_CHECKED = 120;

/** All patterns are checked by `npm run fuzz:patterns`, which takes minutes. */
const few = patterns.filter(
  ({ at, source }) => at.startsWith("src/http/") && source.length <= LONGEST_CHECKED,
);

test.each(few)(
  "/$source/$flags of $at takes no more than a multiple of a text's length",
  async (pattern) => {
    expect(await slowPattern(pattern)).toBeUndefined();
  },
);

test.each([
  { source: "^(a+)+$", complexity: /^exponential$/ },
  { source: "^(\\w+\\s?)*$", complexity: /^exponential$/ },
  { source: "^\\s*(true|false)?\\s*$", complexity: /^2nd degree polynomial/ },
  { source: "=+$", complexity: /^2nd degree polynomial/ },
])("a planted /$source/ is found", async ({ source, complexity }) => {
  const found = await slowPattern({ source, flags: "", at: "src/http/planted.ts" });
  expect(found?.complexity).toMatch(complexity);
  expect(found?.attack).toContain(".repeat(");
});

test.each([
  { at: "src/cli/planted.ts", source: "=+$", isAccepted: true },
  { at: "src/cli/planted.ts", source: "a.*a.*a.*b", isAccepted: false },
  { at: "src/cli/planted.ts", source: "^(a+)+$", isAccepted: false },
  { at: "src/domain/planted.ts", source: "=+$", isAccepted: false },
])("/$source/ in $at is accepted: $isAccepted", async ({ isAccepted, ...pattern }) => {
  expect((await slowPattern({ ...pattern, flags: "" })) === undefined).toBe(isAccepted);
});

/** The checker sees only what is written out: each of these is made of parts that it does see. */
test("patterns that are made at run time are known", () => {
  expect(patternsMadeAtRunTime()).toEqual([
    "src/conform/adapted-schemas.ts",
    "src/conform/alignment.ts",
    "src/contract/core/brand-words.ts",
    "src/contract/core/identifiers.ts",
    "src/contract/wallets/credentials.ts",
    "src/domain/platform/faults.ts",
    "src/http/body/sent-value.ts",
    "src/text/marks.ts",
  ]);
});
