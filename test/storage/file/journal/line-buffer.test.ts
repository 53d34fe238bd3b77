import { expect, test } from "vitest";
import { LineBuffer } from "../../../../src/storage/file/journal/line-buffer.ts";

const writtenOf = (lines: readonly string[]) => {
  const buffer = new LineBuffer();
  for (const line of lines) buffer.add(line);
  const text = buffer.whole()?.toString();
  buffer.clear();
  return text;
};

test.each([
  ["characters of one to four bytes", ["a\n", "é\n", "€\n", "🪙\n"]],
  ["one line longer than the first buffer", ["x".repeat(70_000)]],
  ["as many characters of three bytes as fill the first buffer", ["€".repeat(21_845), "€", "a"]],
  [
    "many lines, past what is kept",
    Array.from({ length: 3_000 }, (_, at) => `${at} ${"é".repeat(900)}`),
  ],
])("%s come out as they went in", (_name, lines) => {
  expect(writtenOf(lines)).toBe(lines.join(""));
});

test("a buffer that was kept starts empty, and two in use do not share one", () => {
  expect(writtenOf(["first\n"])).toBe("first\n");
  const [one, other] = [new LineBuffer(), new LineBuffer()];
  expect(one.whole()).toBeUndefined();
  one.add("one\n");
  other.add("other\n");
  expect([one.whole()?.toString(), other.whole()?.toString()]).toEqual(["one\n", "other\n"]);
});
