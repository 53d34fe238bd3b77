import { expect, test } from "vitest";
import { inGroups } from "../../../src/contract/core/digit-groups.ts";

test.each([
  { count: 0, text: "0" },
  { count: 999, text: "999" },
  { count: 1000, text: "1,000" },
  { count: 12_345, text: "12,345" },
  { count: 123_456, text: "123,456" },
  { count: 1_234_567, text: "1,234,567" },
  { count: -1000, text: "-1,000" },
  { count: -100_000, text: "-100,000" },
  { count: Number.MAX_SAFE_INTEGER, text: "9,007,199,254,740,991" },
])("$count is shown as $text", ({ count, text }) => {
  expect(inGroups(count)).toBe(text);
  expect(count.toLocaleString("en-US")).toBe(text);
});
