import { describe, expect, test } from "vitest";
import { newUsage, showUsage, usageAt, usageWith } from "../../../src/domain/agents/agent-usage.ts";
import type { AgentUsageRecord } from "../../../src/domain/records/agent-records.ts";

const at = (text: string) => Date.parse(text);

/** Three transactions on one day: 700 of the month's spend on that day, 900 before. */
const usedOn = (day: string): AgentUsageRecord => ({
  day,
  dailyTransactionCount: 3,
  dailySpendMinor: 700,
  monthlySpendMinor: 1_600,
});

/** Days end at 00:00 UTC, months with their last day (spec/agent-policy.md#usage-windows). */
describe("counters that were moved on a day", () => {
  test.each([
    ["the same day", "2026-01-05", "2026-01-05T09:00:00.000Z"],
    ["its first millisecond", "2026-01-05", "2026-01-05T00:00:00.000Z"],
    ["its last millisecond", "2026-01-05", "2026-01-05T23:59:59.999Z"],
    ["the last millisecond of a month", "2026-01-31", "2026-01-31T23:59:59.999Z"],
    ["the last millisecond of a leap day", "2028-02-29", "2028-02-29T23:59:59.999Z"],
    ["the last millisecond of a year", "2026-12-31", "2026-12-31T23:59:59.999Z"],
  ])("all count on %s", (_, day, now) => {
    expect(usageAt({ usage: usedOn(day) }, at(now))).toEqual({
      day,
      dailyTransactionCount: 3,
      dailySpendMinor: 700,
      monthlySpendMinor: 1_600,
    });
  });

  test.each([
    ["the first millisecond of the next day", "2026-01-05", "2026-01-06T00:00:00.000Z"],
    ["a day later in the same month", "2026-01-05", "2026-01-31T23:59:59.999Z"],
    ["the day after several skipped ones", "2026-03-01", "2026-03-17T12:00:00.000Z"],
    ["a leap day", "2028-02-28", "2028-02-29T00:00:00.000Z"],
    ["the last day of a year", "2026-12-30", "2026-12-31T00:00:00.000Z"],
  ])("count for the month alone on %s", (_, day, now) => {
    expect(usageAt({ usage: usedOn(day) }, at(now))).toEqual({
      day: now.slice(0, 10),
      dailyTransactionCount: 0,
      dailySpendMinor: 0,
      monthlySpendMinor: 1_600,
    });
  });

  test.each([
    ["the first millisecond of the next month", "2026-01-31", "2026-02-01T00:00:00.000Z"],
    ["the end of a month of 30 days", "2026-04-30", "2026-05-01T00:00:00.000Z"],
    ["the end of a February without leap day", "2027-02-28", "2027-03-01T00:00:00.000Z"],
    ["a leap day", "2028-02-29", "2028-03-01T00:00:00.000Z"],
    ["a February whose leap day was skipped", "2028-02-28", "2028-03-01T00:00:00.000Z"],
    ["the first millisecond of the next year", "2026-12-31", "2027-01-01T00:00:00.000Z"],
    ["several skipped months", "2026-01-05", "2026-06-05T09:00:00.000Z"],
    ["a year, to the day", "2026-01-05", "2027-01-05T09:00:00.000Z"],
    ["a century that is a leap year, and one month", "2000-02-29", "2000-03-29T00:00:00.000Z"],
  ])("no longer count after %s", (_, day, now) => {
    expect(usageAt({ usage: usedOn(day) }, at(now))).toEqual({
      day: now.slice(0, 10),
      dailyTransactionCount: 0,
      dailySpendMinor: 0,
      monthlySpendMinor: 0,
    });
  });

  test("stay as they were stored: reading them changes nothing", () => {
    const usage = usedOn("2026-01-05");
    usageAt({ usage }, at("2026-02-01T00:00:00.000Z"));
    expect(usage).toEqual(usedOn("2026-01-05"));
  });
});

test("a new agent has moved nothing, on the day in UTC", () => {
  expect(newUsage(at("2026-01-05T23:30:00.000-02:00"))).toEqual({
    day: "2026-01-06",
    dailyTransactionCount: 0,
    dailySpendMinor: 0,
    monthlySpendMinor: 0,
  });
});

describe("one more action", () => {
  test("adds one to the count, and its amount to both sums", () => {
    const usage = usedOn("2026-01-05");
    expect(usageWith(usage, 250)).toEqual({
      day: "2026-01-05",
      dailyTransactionCount: 4,
      dailySpendMinor: 950,
      monthlySpendMinor: 1_850,
    });
    expect(usage).toEqual(usedOn("2026-01-05"));
  });

  test("is the first of a day that has just begun", () => {
    const fresh = usageAt({ usage: usedOn("2026-01-05") }, at("2026-01-06T00:00:00.000Z"));
    expect(usageWith(fresh, 250)).toEqual({
      day: "2026-01-06",
      dailyTransactionCount: 1,
      dailySpendMinor: 250,
      monthlySpendMinor: 1_850,
    });
  });
});

describe("published usage", () => {
  test.each([
    { day: "2026-01-05", resetDate: "2026-01-06", resetMonth: "2026-02" },
    { day: "2026-01-31", resetDate: "2026-02-01", resetMonth: "2026-02" },
    { day: "2026-09-30", resetDate: "2026-10-01", resetMonth: "2026-10" },
    { day: "2026-11-30", resetDate: "2026-12-01", resetMonth: "2026-12" },
    { day: "2027-02-28", resetDate: "2027-03-01", resetMonth: "2027-03" },
    { day: "2028-02-28", resetDate: "2028-02-29", resetMonth: "2028-03" },
    { day: "2028-02-29", resetDate: "2028-03-01", resetMonth: "2028-03" },
    { day: "2026-12-01", resetDate: "2026-12-02", resetMonth: "2027-01" },
    { day: "2026-12-31", resetDate: "2027-01-01", resetMonth: "2027-01" },
    { day: "2100-02-28", resetDate: "2100-03-01", resetMonth: "2100-03" },
  ])("of $day starts again on $resetDate and in $resetMonth", ({ day, resetDate, resetMonth }) => {
    expect(showUsage(usedOn(day))).toEqual({
      dailyTransactionCount: 3,
      dailySpend: 700,
      dailyResetDate: resetDate,
      monthlySpend: 1_600,
      monthlyResetMonth: resetMonth,
    });
  });
});
