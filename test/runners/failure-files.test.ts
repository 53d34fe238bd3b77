import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepFailure } from "../../src/runners/failure-files.ts";

const workspace = () => {
  const path = mkdtempSync(join(tmpdir(), "service-sim-failures-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const nameOf = (at: number) => `t-${String(at).padStart(12, "0")}`;

// spec/capsules.md#failed-tests
test("the newest 50 capsules are kept, and other files stay", () => {
  const place = workspace();
  const folder = join(place, ".service-sim", "failures");
  keepFailure(place, nameOf(0), "0");
  writeFileSync(join(folder, "mine.capsule"), "mine");
  for (let at = 1; at <= 52; at += 1) {
    keepFailure(place, nameOf(at), String(at));
    utimesSync(join(folder, `${nameOf(at)}.capsule`), at, at);
  }
  utimesSync(join(folder, `${nameOf(0)}.capsule`), 0, 0);
  keepFailure(place, nameOf(53), "53");
  const kept = readdirSync(folder).filter((name) => name.startsWith("t-"));
  expect(kept).toHaveLength(50);
  expect(kept).toContain(`${nameOf(53)}.capsule`);
  expect(readFileSync(join(folder, "mine.capsule"), "utf8")).toBe("mine");
});

test("a test that fails again replaces its capsule; the folders leave themselves out of git", () => {
  const place = workspace();
  expect(keepFailure(place, nameOf(1), "first")).toBe(
    ".service-sim/failures/t-000000000001.capsule",
  );
  keepFailure(place, nameOf(1), "second");
  const folder = join(place, ".service-sim");
  expect(readdirSync(join(folder, "failures")).sort()).toEqual([
    ".gitignore",
    "t-000000000001.capsule",
  ]);
  expect(readFileSync(join(folder, "failures", "t-000000000001.capsule"), "utf8")).toBe("second");
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n");
});
