import { expect, test } from "vitest";
import { aheadOf, countsOf } from "../../src/console/time/ahead.ts";

const row = (dueAt: string, timer = "quote.expire") =>
  ({
    id: dueAt,
    timer,
    subject: "Quote:1",
    dueAt: `2026-01-05T${dueAt}Z`,
  }) as never;

const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);

test("while all are known, those behind the named ones stand at their own instants", () => {
  const rows = [row("09:01:00"), row("09:02:00", "payment.settle"), row("09:03:00")];
  expect(aheadOf(rows, 2, undefined)).toEqual([
    {
      atMs: at("09:03:00"),
      count: 1,
      worst: "clock",
      timers: { "quote.expire": 1 },
      isExact: true,
    },
  ]);
});

test("where there are more than are known, counts stand for them, without the named ones", () => {
  const buckets = [
    { at: "2026-01-05T09:00:00Z", count: 1, first: "x", timers: { "quote.expire": 1 } },
    {
      at: "2026-01-05T09:05:00Z",
      count: 500,
      first: "x",
      timers: { "quote.expire": 499, "payment.settle": 1 },
    },
    { at: "2026-01-05T09:10:00Z", count: 7, first: "x", timers: { "quote.expire": 7 } },
  ];
  const ahead = aheadOf([row("09:00:01"), row("09:05:02")], 2, buckets);
  expect(ahead.map(({ atMs, count, isExact }) => [atMs, count, isExact])).toEqual([
    [at("09:05:00"), 499, false],
    [at("09:10:00"), 7, false],
  ]);
  expect(countsOf(ahead)).toBe("505 × quote.expire, 1 × payment.settle");
});
