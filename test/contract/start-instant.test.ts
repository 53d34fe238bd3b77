import { expect, test } from "vitest";
import { startInstantOf } from "../../src/contract/core/start-instant.ts";

const FORM = "an instant like 2026-01-05T09:00:00Z";
const YEARS = "an instant in the years 1970 to 2200";

// spec/clock.md#modes
test.each<[string, number | string]>([
  ["2026-01-05T09:00:00Z", 1_767_603_600_000],
  ["2026-01-05T09:00:00.250Z", 1_767_603_600_250],
  ["2026-01-05T10:00:00+01:00", 1_767_603_600_000],
  ["2026-01-05T03:30:00-05:30", 1_767_603_600_000],
  ["2026-01-05T09:00Z", 1_767_603_600_000],
  ["1970-01-01T00:00:00Z", 0],
  ["2200-12-31T23:59:59.999Z", 7_289_654_399_999],
  ["1969-12-31T23:59:59.999Z", YEARS],
  ["1970-01-01T00:00:00+00:01", YEARS],
  ["2201-01-01T00:00:00Z", YEARS],
  ["9999-01-01T00:00:00Z", YEARS],
  [
    "2026-01-01T00:00:00",
    "an instant with Z or an offset, like 2026-01-01T00:00:00Z or 2026-01-01T00:00:00+02:00,",
  ],
  ["2026-01-01", FORM],
  ["2026-02-31T00:00:00Z", FORM],
  ["2026-01-01T25:00:00Z", FORM],
  ["2026-01-01T00:00:00+2", FORM],
  ["2026-01-01T00:00:00 02:00", FORM],
  ["now", FORM],
  ["", FORM],
  ["1767603600000", FORM],
  ["-000001-01-01T00:00:00Z", FORM],
  ["+012026-01-01T00:00:00Z", FORM],
])("%s is %s", (text, found) => {
  expect(startInstantOf(text)).toBe(found);
});
