import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAG_ROWS, placeFlags } from "../../src/console/time/flags.tsx";
import { barHeightPx, gather, WORST_FIRST } from "../../src/console/time/gather.ts";
import { snapped } from "../../src/console/time/head.tsx";
import {
  axisLabels,
  axisStepMs,
  firstSpanMs,
  instantAt,
  PRESETS,
  shareOf,
  windowOf,
} from "../../src/console/time/scale.ts";
import { HISTORY_MARKS } from "../../src/contract/control/history.ts";

const NOW = Date.parse("2026-01-05T10:18:40Z");
const MINUTE = 60_000;

describe("the scale", () => {
  test("now stands at its place, and a share leads to its instant and back", () => {
    const window = windowOf(NOW, { spanMs: 30 * MINUTE, nowAt: 0.56 });
    expect(shareOf(window, NOW)).toBeCloseTo(0.56, 6);
    expect(instantAt(window, shareOf(window, NOW + 5 * MINUTE))).toBe(NOW + 5 * MINUTE);
  });

  test.each([
    [undefined, "10m"],
    [4 * MINUTE, "10m"],
    [6 * MINUTE, "30m"],
    [14 * MINUTE, "2h"],
    [10 * 60 * MINUTE, "1d"],
    [300 * 60 * MINUTE, "30d"],
    [1e11, "30d"],
  ])("with the next timer in %s ms it begins with %s", (inMs, says) => {
    const spanMs = firstSpanMs(NOW, inMs === undefined ? undefined : NOW + inMs, 0.56);
    expect(PRESETS.find((one) => one.spanMs === spanMs)?.says).toBe(says);
  });

  test("labels are round, at least 70 pixels apart, and name the day at midnight", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 400 * 24 * 60 * MINUTE }),
        fc.integer({ min: 300, max: 2560 }),
        (spanMs, widthPx) => {
          const window = windowOf(NOW, { spanMs, nowAt: 0.56 });
          expect((axisStepMs(window, widthPx) / spanMs) * widthPx).toBeGreaterThanOrEqual(70);
          for (const { atMs } of axisLabels(window, widthPx))
            expect(atMs % axisStepMs(window, widthPx)).toBe(0);
        },
      ),
    );
    const day = windowOf(NOW, { spanMs: 24 * 60 * MINUTE, nowAt: 0.9 });
    expect(axisLabels(day, 1200).map(({ says }) => says)).toContain("01-05");
  });
});

describe("gathering", () => {
  test("the marks are those of the history, in its order", () => {
    expect(WORST_FIRST).toEqual(HISTORY_MARKS);
  });

  test.each([
    [1, 1, 6],
    [1, 1000, 6],
    [1000, 1000, 22],
    [32, 1024, 14],
  ])("%s of at most %s is a bar of %s pixels", (count, most, px) => {
    expect(barHeightPx(count, most)).toBe(px);
  });

  test("nothing is lost, what is near stands together, and the worst is seen", () => {
    const part = fc.record({
      atMs: fc.integer({ min: 0, max: 100_000 }),
      count: fc.integer({ min: 1, max: 50 }),
      worst: fc.constantFrom(...WORST_FIRST),
    });
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 1, max: 9000 }), (given, nearMs) => {
        const parts = given.toSorted((a, b) => a.atMs - b.atMs);
        const groups = gather(parts, nearMs);
        expect(groups.flatMap((one) => one.parts)).toEqual(parts);
        for (const group of groups) {
          expect(group.count).toBe(group.parts.reduce((sum, one) => sum + one.count, 0));
          const ranks = group.parts.map((one) => WORST_FIRST.indexOf(one.worst));
          expect(WORST_FIRST.indexOf(group.worst as never)).toBe(Math.min(...ranks));
        }
        for (const [at, group] of groups.entries())
          expect(group.atMs - (groups[at - 1]?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(nearMs);
      }),
    );
  });
});

test("of flags the earliest has the lowest row, so that no stem crosses a label", () => {
  const flags = [10, 20, 30, 40, 50].map((xPx) => ({ id: `${xPx}`, xPx, widthPx: 200 }));
  const placed = placeFlags(flags, 560);
  expect(placed).toHaveLength(FLAG_ROWS);
  expect(placed.map(({ row }) => row)).toEqual([3, 2, 1, 0]);
});

test("a flag without room at its right stands left of its place, where that has room", () => {
  const [far, near] = placeFlags(
    [
      { id: "far", xPx: 500, widthPx: 200 },
      { id: "near", xPx: 100, widthPx: 600 },
    ],
    560,
  );
  expect([far?.isBack, near?.isBack]).toEqual([true, false]);
});

describe("a dragged head", () => {
  const window = { fromMs: 0, toMs: 1000 * 1000 };
  const track = { window, widthPx: 1000, stops: [500_000, 800_000], earliestMs: 100_000 };

  test.each([
    { place: "on a timer within six pixels", xPx: 494, isFree: false, atMs: 500_000 },
    { place: "between timers", xPx: 600, isFree: false, atMs: 600_000 },
    { place: "near a timer with alt", xPx: 497, isFree: true, atMs: 497_000 },
    { place: "right of what a rewind reaches", xPx: 20, isFree: false, atMs: 100_000 },
  ])("stands $place", ({ xPx, isFree, atMs }) => {
    expect(snapped(track, xPx, { isFree })).toBe(atMs);
  });
});
