import { describe, expect, test } from "vitest";
import { goalOf } from "../../src/rows/advance-goal.ts";
import { bar, driftOf, ticking } from "../../src/rows/clock-face.ts";
import { matches, termsOf } from "../../src/rows/filter.ts";
import { span } from "../../src/rows/span.ts";
import { countMatching } from "../../src/rows/world.ts";
import { safeLine, safeLines, safeText } from "../../src/text/safe-text.ts";
import { cutEnd, cutMiddle, padTo, widthOf } from "../../src/text/text-width.ts";
import { previewOf } from "../../src/tui/advance-text.ts";
import { fitLine, plainOf } from "../../src/tui/line.ts";
import { ROWS, watchedWith } from "./setup/scenes.ts";

test.each([
  { text: "plain", shown: "plain" },
  { text: "\u001b[31mred", shown: "^[[31mred" },
  { text: "a\nb\tc", shown: "a^Jb^Ic" },
  { text: "\u007f", shown: "^?" },
  { text: "\u009b2J", shown: "^{9b}2J" },
  { text: "\u202egnp.exe", shown: "^{202e}gnp.exe" },
  { text: "日本", shown: "日本" },
])("$shown is how a hostile text is shown", ({ text, shown }) => {
  expect(safeText(text)).toBe(shown);
});

test("text of several lines keeps its lines, and one line has none", () => {
  expect(safeLines("a\tb\r\nc\u001b[2J\r\n")).toBe("a\tb\nc^[[2J\n");
  expect(safeLine("a \r\n  b\u0007\nc")).toBe("a b^G c");
});

test.each([
  { text: "abcdef", width: 6, end: "abcdef", middle: "abcdef" },
  { text: "abcdefg", width: 6, end: "abcde…", middle: "abc…fg" },
  { text: "日本語文字", width: 6, end: "日本…", middle: "日…字" },
  {
    text: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    width: 5,
    end: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…",
    middle: "👩‍👩‍👧‍👦…👩‍👩‍👧‍👦",
  },
  { text: "abc", width: 1, end: "…", middle: "…" },
  { text: "abc", width: 0, end: "", middle: "" },
])("$text in $width cells", ({ text, width, end, middle }) => {
  expect(cutEnd(text, width)).toBe(end);
  expect(cutMiddle(text, width)).toBe(middle);
  expect(widthOf(cutEnd(text, width))).toBeLessThanOrEqual(width);
});

test("texts are filled up by cells", () => {
  expect(padTo("日", 4)).toBe("日  ");
  expect(padTo("日", 4, "right")).toBe("  日");
});

test("a line is cut across its pieces", () => {
  expect(plainOf(fitLine([span("ab"), span("cdef")], 4))).toBe("abc…");
  expect(plainOf(fitLine([span("abcd"), span("ef")], 4))).toBe("abc…");
  expect(plainOf(fitLine([span("ab"), span("cd")], 4))).toBe("abcd");
});

test.each([
  { ms: 0, shown: "0:00" },
  { ms: -5_000, shown: "0:00" },
  { ms: 1, shown: "0:01" },
  { ms: 59_000, shown: "0:59" },
  { ms: 60_000, shown: "1:00" },
  { ms: 295_000, shown: "4:55" },
  { ms: 3_600_000, shown: "1:00:00" },
  { ms: 90_061_000, shown: "1d 01:01:01" },
])("$ms ms ticks as $shown", ({ ms, shown }) => {
  expect(ticking(ms)).toBe(shown);
});

test.each([
  { atMs: 0, shown: "▰▰▰▰▰▰▰▰▰▰" },
  { atMs: 50_000, shown: "▰▰▰▰▰▱▱▱▱▱" },
  { atMs: 99_999, shown: "▰▱▱▱▱▱▱▱▱▱" },
  { atMs: 100_000, shown: "▱▱▱▱▱▱▱▱▱▱" },
  { atMs: 200_000, shown: "▱▱▱▱▱▱▱▱▱▱" },
])("the bar at $atMs of 100000 ms is $shown", ({ atMs, shown }) => {
  expect(bar("1970-01-01T00:00:00Z", "1970-01-01T00:01:40Z", atMs)).toBe(shown);
});

test("drift is a word", () => {
  expect(driftOf({ mode: "manual", aheadMs: 5 })).toBe("frozen, moves only with advance");
  expect(driftOf({ mode: "real", aheadMs: 400 })).toBe("running, same as your computer");
  expect(driftOf({ mode: "real", aheadMs: 360_000 })).toBe("running, 6m ahead of your computer");
  expect(driftOf({ mode: "real", aheadMs: -60_000 })).toBe("running, 1m behind your computer");
});

describe("filters", () => {
  const fields = {
    id: "Quote:9f3c2e",
    status: "FAILED",
    type: "QUOTE",
    code: "409",
    isOpen: false,
    words: () => ["Lyon", undefined],
    amounts: () => [{ amount: 125_000, currency: "EUR" }],
  };

  test.each([
    { text: "", found: true },
    { text: "lyon", found: true },
    { text: "LYON failed", found: true },
    { text: "lyon paris", found: false },
    { text: "status:fail", found: true },
    { text: "1,250.00", found: true },
    { text: "1250", found: true },
    { text: "250.00", found: true },
    { text: "1,250.01", found: false },
    { text: "eur", found: true },
    { text: "usd", found: false },
    { text: "…9f3c2e", found: true },
    { text: "kind:quote", found: true },
    { text: "status:409", found: false },
    { text: "code:4xx", found: true },
    { text: "code:5xx", found: false },
    { text: "id:…9f3c2e", found: true },
    { text: "id:409", found: false },
    { text: "type:quote", found: true },
    { text: "is:open", found: false },
    { text: "is:closed", found: true },
    { text: "unknown:word", found: false },
  ])('"$text" finds it: $found', ({ text, found }) => {
    expect(matches(termsOf(text), fields)).toBe(found);
  });
});

test.each([
  { counts: {}, shown: "2" },
  { counts: { payments: 20_000 }, shown: "2" },
  { counts: { deliveries: 20_000 }, shown: "2+" },
  { counts: { deliveries: ROWS.deliveries.length }, shown: "2" },
])("accepted webhooks where $counts are not all here: $shown", ({ counts, shown }) => {
  const watched = watchedWith({ ...ROWS, counts });
  expect(countMatching(watched, "deliveries", ({ state }) => state === "ACCEPTED").text).toBe(
    shown,
  );
});

describe("the line that says how far", () => {
  const watched = watchedWith(ROWS);
  const nowMs = Date.parse("2026-01-05T09:02:41Z");

  test.each([
    { text: "6m", says: "to 09:08:41Z, 2 timers fire: webhook.retry, quote.expire" },
    { text: "by 30s", says: "to 09:03:11Z, no timer fires" },
    { text: "1m", says: "to 09:03:41Z, 1 timer fires: webhook.retry" },
    { text: "next", says: "to 09:05:15Z, 2 timers fire: webhook.retry, quote.expire" },
    {
      text: "1d",
      says: "to 2026-01-06 09:02:41Z, 2 timers fire: webhook.retry, quote.expire",
    },
    { text: "9f3c2e=COMPLETED", says: "until 9f3c2e is COMPLETED, 30 days at most" },
    { text: "2020-01-01T00:00:00Z", says: "this instant is in the past" },
  ])("$text: $says", ({ text, says }) => {
    expect(previewOf(text, watched, nowMs)).toBe(says);
  });

  test.each(["", "6x", "6", "a=b", "tomorrow"])("%j is no goal", (text) => {
    expect(goalOf(text)).toBeUndefined();
    expect(previewOf(text, watched, nowMs)).toMatch(/^a duration like 90s/);
  });
});
