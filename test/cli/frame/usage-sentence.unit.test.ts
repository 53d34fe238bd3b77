import { describe, expect, test } from "vitest";
import { usageSentence } from "../../../src/cli/frame/usage-sentence.ts";

describe("commander's failures in our own form", () => {
  test.each([
    { says: "error: unknown option '--prot'", ours: "no option --prot here" },
    { says: "error: option '-p, --port <n>' argument missing", ours: "--port needs a value" },
    { says: "error: option '--token' argument missing", ours: "--token needs a value" },
    {
      says: "error: option '--clock <mode>' argument 'fast' is invalid. Allowed choices are real, manual.",
      ours: 'Expected --clock to be one of real, manual but found "fast"',
    },
    {
      says: "error: option '--clock <mode>' argument 'it's' is invalid. Allowed choices are real, manual.",
      ours: `Expected --clock to be one of real, manual but found "it's"`,
    },
    {
      says: "error: option '--clock <mode>' value 'x' from env 'SIM_CLOCK' is invalid. Allowed choices are real, manual.",
      ours: 'Expected SIM_CLOCK to be one of real, manual but found "x"',
    },
    { says: "error: too many arguments", ours: "Too many arguments" },
  ])("$says", ({ says, ours }) => {
    expect(usageSentence(says)).toBe(ours);
  });

  test("a value of 50,000 characters that was made to be slow is answered in a second", () => {
    const found = "' argument '".repeat(4_000);
    const startedMs = performance.now();
    usageSentence(`error: option '--n${"'".repeat(4_000)}' is invalid${found}`);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
