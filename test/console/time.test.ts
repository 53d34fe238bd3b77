import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAG_ROWS, placeFlags } from "../../src/console/time/flags.tsx";
import { barHeightPx, gather, WORST_FIRST } from "../../src/console/time/gather.ts";
import { snapped } from "../../src/console/time/head.tsx";
import { saysOf } from "../../src/console/time/lanes.tsx";
import {
  axisLabels,
  axisStepMs,
  firstSpanMs,
  instantAt,
  PRESETS,
  type Scale,
  scaleIn,
  shareOf,
  windowOf,
  zoomedTo,
} from "../../src/console/time/scale.ts";
import { HISTORY_MARKS } from "../../src/contract/control/history.ts";

const NOW = Date.parse("2026-01-05T10:18:40Z");
const MINUTE = 60_000;

/** A span around now, on a wide line of an empty world. */
const spanAt = (spanMs: number, nowAt: number) =>
  windowOf(
    { kind: "span", spanMs },
    { nowMs: NOW, nowAt, nextMs: undefined, firstMs: undefined, lastMs: undefined },
  );

describe("the scale", () => {
  test("now stands at its place, and a share leads to its instant and back", () => {
    const window = spanAt(30 * MINUTE, 0.56);
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
          const window = spanAt(spanMs, 0.56);
          expect((axisStepMs(window, widthPx) / spanMs) * widthPx).toBeGreaterThanOrEqual(70);
          for (const { atMs } of axisLabels(window, widthPx)) {
            expect(atMs % axisStepMs(window, widthPx)).toBe(0);
            const xPx = shareOf(window, atMs) * widthPx;
            expect(Math.min(xPx, widthPx - xPx)).toBeGreaterThanOrEqual(31);
          }
        },
      ),
    );
    const day = spanAt(24 * 60 * MINUTE, 0.9);
    expect(axisLabels(day, 1200).map(({ says }) => says)).toContain("01-05");
  });

  const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);
  const known = {
    nowMs: at("10:00:00"),
    nowAt: 0.5,
    nextMs: at("10:04:00"),
    firstMs: at("09:00:00"),
    lastMs: at("10:40:00"),
  };

  test.each<{ scale: Scale; from: string; to: string }>([
    { scale: { kind: "auto" }, from: "09:55:00", to: "10:05:00" },
    { scale: { kind: "span", spanMs: 30 * MINUTE }, from: "09:45:00", to: "10:15:00" },
    {
      scale: { kind: "fixed", fromMs: at("07:00:00"), spanMs: 20 * MINUTE },
      from: "07:00:00",
      to: "07:20:00",
    },
    // 100 minutes, with 4 at each end.
    { scale: { kind: "all" }, from: "08:56:00", to: "10:44:00" },
  ])("the window of $scale.kind is from $from to $to", ({ scale, from, to }) => {
    expect(windowOf(scale, known)).toEqual({ fromMs: at(from), toMs: at(to) });
  });

  test("all of a world without events and timers is a minute around now", () => {
    const empty = { ...known, firstMs: undefined, lastMs: undefined };
    expect(windowOf({ kind: "all" }, empty)).toEqual({
      fromMs: at("09:59:30"),
      toMs: at("10:00:30"),
    });
  });

  test("a zoom has its instant in the middle, and is not narrower than ten seconds", () => {
    const window = { fromMs: at("09:00:00"), toMs: at("09:08:00") };
    expect(zoomedTo(at("09:02:00"), window)).toEqual({
      kind: "fixed",
      fromMs: at("09:01:30"),
      spanMs: MINUTE,
    });
    const least = { fromMs: at("09:00:00"), toMs: at("09:00:10") };
    expect(zoomedTo(at("09:00:05"), least)).toMatchObject({ spanMs: 10_000 });
  });

  test.each([
    { text: '{"kind":"all"}', scale: { kind: "all" } },
    { text: '{"kind":"span","spanMs":600000}', scale: { kind: "span", spanMs: 600_000 } },
    { text: '{"kind":"span","spanMs":"x"}', scale: { kind: "auto" } },
    { text: '{"kind":"other"}', scale: { kind: "auto" } },
    { text: "null", scale: { kind: "auto" } },
    { text: "", scale: { kind: "auto" } },
    { text: null, scale: { kind: "auto" } },
  ])("a kept scale $text is read as $scale.kind", ({ text, scale }) => {
    expect(scaleIn(text)).toEqual(scale);
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

const lane = (
  at: string,
  facts: { count: number; failed: number; lane?: "requests" | "timers" },
) => ({
  at: `2026-01-05T${at}Z`,
  atMs: Date.parse(`2026-01-05T${at}Z`),
  worst: facts.failed > 0 ? ("failed" as const) : ("done" as const),
  lane: "requests" as const,
  first: { id: "req-1-1", says: "GET /quotes 503" },
  ...facts,
});

test.each([
  { parts: [lane("09:00:00", { count: 1, failed: 1 })], says: "09:00:00 GET /quotes 503, failed" },
  {
    parts: [lane("09:00:00", { count: 38, failed: 2 }), lane("09:00:01", { count: 2, failed: 1 })],
    says: "09:00:00, 3 of 40 requests failed",
  },
  { parts: [lane("09:00:00", { count: 1200, failed: 0 })], says: "09:00:00, 1,200 requests" },
  {
    parts: [
      lane("09:00:00", { count: 1, failed: 1 }),
      lane("09:00:01", { count: 1, failed: 0, lane: "timers" }),
    ],
    says: "09:00:00, 1 of 2 events failed",
  },
])("a mark says $says", ({ parts, says }) => {
  const [gathered] = gather(parts, 60_000);
  expect(gathered && saysOf(gathered)).toBe(says);
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
  // Neither leaves the future: what does not fit is cut, and stands in its title.
  expect([far?.roomPx, near?.roomPx]).toEqual([500, 460]);
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
