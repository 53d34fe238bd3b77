import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CoverageReport } from "../../src/contract/control/coverage.ts";
import { CoverageCounts } from "../../src/coverage/coverage-counts.ts";
import {
  contractHash,
  coverageFileIn,
  coverageFilesOf,
  mergedCoverage,
} from "../../src/coverage/coverage-file.ts";
import { coverageReport } from "../../src/coverage/coverage-report.ts";
import { CoverageTotals } from "../../src/coverage/world-coverage.ts";
import { hostTime } from "../../src/machine/host-time.ts";

let folder: string;
let ticks: (() => void)[];

const { setInterval } = hostTime;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coverage-"));
  ticks = [];
  hostTime.setInterval = ((run: () => void, ms: number) => {
    expect(ms).toBe(5000);
    ticks.push(run);
    return setInterval(() => {}, ms);
  }) as typeof setInterval;
});

afterEach(() => {
  hostTime.setInterval = setInterval;
  rmSync(folder, { recursive: true });
});

const countsIn = (counts: CoverageCounts) => counts.image();

// spec/coverage.md#files
test("every five seconds the file has the counts of all simulators, and once more at a close", () => {
  const one = new CoverageTotals(folder);
  const other = new CoverageTotals(folder);
  const first = one.opened();
  const second = other.opened();
  expect(ticks).toHaveLength(1);
  first.counts.meet("operations", "getConfig");
  second.counts.meet("operations", "getConfig");
  ticks[0]?.();
  const [name = "", ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(new RegExp(`^${process.pid}-[0-9a-f]{8}\\.json$`));
  expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual({
    coverage: 1,
    contract: contractHash(),
    counts: { operations: { getConfig: 2 }, worlds: { all: 2 } },
  });
  second.counts.meet("timers", "quote.expire");
  other.closed(second);
  first.counts.meet("errors", "CONFLICT");
  one.closed(first);
  const { counts, files, skipped } = mergedCoverage(coverageFilesOf(folder));
  expect({ counts: countsIn(counts), files, skipped }).toEqual({
    counts: {
      operations: { getConfig: 2 },
      errors: { CONFLICT: 1 },
      timers: { "quote.expire": 1 },
      worlds: { all: 2 },
    },
    files: 1,
    skipped: [],
  });
});

test("without the variable there is neither a timer nor a file", () => {
  const totals = new CoverageTotals(undefined);
  totals.closed(totals.opened());
  expect(ticks).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written is tried once, without a word, and nothing fails", () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const place = join(folder, "taken");
  writeFileSync(place, "a file");
  const totals = new CoverageTotals(place);
  const world = totals.opened();
  world.counts.meet("operations", "getConfig");
  ticks[0]?.();
  totals.closed(world);
  rmSync(place);
  totals.opened().counts.meet("operations", "getConfig");
  ticks[0]?.();
  expect(warned).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
  warned.mockRestore();
});

test("the counts of removed worlds stay in the sum", () => {
  const totals = new CoverageTotals(undefined);
  const [one, other] = [totals.opened(), totals.opened()];
  one.counts.meet("operations", "getConfig");
  totals.closed(one);
  other.counts.meet("operations", "getConfig", 2);
  expect(countsIn(totals.merged())).toEqual({
    operations: { getConfig: 3 },
    worlds: { all: 2 },
  });
  expect(other.counts.timesMet("operations", "getConfig")).toBe(2);
});

test("merging adds, and names every file that it leaves out", () => {
  const write = (name: string, content: unknown) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, name), text);
  };
  const contract = contractHash();
  const whole = { coverage: 1, contract, counts: { errors: { CONFLICT: 2 } } };
  write("a.json", whole);
  write("b.json", whole);
  write("c.json", JSON.stringify(whole).slice(0, 40));
  write("d.json", { ...whole, contract: "0".repeat(64) });
  write("e.json", { ...whole, coverage: 2 });
  write("f.json", { ...whole, counts: { errors: { CONFLICT: -1 } } });
  write("g.json", { version: 3 });
  write("h.txt", "not asked");
  const { counts, files, skipped } = mergedCoverage([
    ...coverageFilesOf(folder),
    join(folder, "none.json"),
  ]);
  expect(countsIn(counts)).toEqual({ errors: { CONFLICT: 4 } });
  expect(files).toBe(2);
  expect(skipped.map(({ file, why }) => [file.slice(folder.length + 1), why])).toEqual([
    ["c.json", "it is not a coverage file, or it is cut short"],
    ["d.json", "it was written by a version with other items"],
    ["e.json", "its format is 2, not 1"],
    ["f.json", "its counts are damaged"],
    ["g.json", "it is not a coverage file, or it is cut short"],
    ["none.json", "cannot read it: ENOENT"],
  ]);
});

test("simulators of a process share the file of a folder", () => {
  expect(coverageFileIn(folder)).toBe(coverageFileIn(join(folder, ".")));
});

/** Names of the operations that a report misses. */
const named = ({ groups }: CoverageReport) => ({
  operations: groups.find(({ name }) => name === "operations")?.missing.map(({ name }) => name),
});

// spec/coverage.md#out-of-reach
test("an item is out of reach when every world rules it out", () => {
  const item = "outcomes.walletProof.000000";
  const [strict, random, usual] = [[item], [item, "outcomes.other"], []].map((ruledOut) => {
    const counts = new CoverageCounts();
    counts.countWorld({ unmeetable: ruledOut });
    return counts.image();
  });
  const all = new CoverageCounts();
  expect(all.isUnmeetable(item)).toBe(false);
  for (const image of [strict, random]) all.add(image ?? {});
  expect([all.isUnmeetable(item), all.isUnmeetable("outcomes.other")]).toEqual([true, false]);
  all.add(usual ?? {});
  expect(all.isUnmeetable(item)).toBe(false);
});

test("items of a later revision are asked for once a world serves it", () => {
  const { operations: before } = named(coverageReport(new CoverageCounts()));
  const counts = new CoverageCounts();
  counts.countWorld({ revision: "2025-10" });
  expect(named(coverageReport(counts))).toEqual({ operations: before });
  counts.countWorld({ revision: "2026-08" });
  const { operations } = named(coverageReport(counts));
  expect(before).not.toContain("revealCard");
  expect(operations).toContain("revealCard");
  const merged = new CoverageCounts();
  merged.add(counts.image());
  expect(named(coverageReport(merged)).operations).toContain("revealCard");
});
