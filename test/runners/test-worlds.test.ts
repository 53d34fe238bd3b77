import { expect, test } from "vitest";
import { worldNameOf } from "../../src/runners/test-worlds.ts";
import { namedTest } from "../../src/runners/vitest-tasks.ts";

const tested = { file: "shop.test.ts", titles: ["pays"] };

// spec/capsules.md#failed-tests
test("tries of a test, its repetitions and its projects have worlds of their own", () => {
  const names = [0, 1].flatMap((retry) =>
    [0, 1].flatMap((repeat) =>
      ["", "chromium", "firefox"].map((project) =>
        worldNameOf({ ...tested, retry, repeat, project }),
      ),
    ),
  );
  expect(new Set(names).size).toBe(12);
  for (const name of names) expect(name).toMatch(/^t-[0-9a-f]{12}(-r1)?$/);
  expect(names[0]).toBe("t-711c63caed73");
});

// spec/capsules.md#failed-tests
test("a test of vitest is told apart by retry, repetition and project", () => {
  const file = { filepath: `${process.cwd()}/shop.test.ts`, name: "shop.test.ts" };
  const task = (projectName: string, retryCount: number, repeatCount: number) =>
    worldNameOf(
      namedTest({
        name: "pays",
        file: { ...file, projectName },
        result: { state: "run", retryCount, repeatCount },
      }),
    );
  const names = [task("", 0, 0), task("", 1, 0), task("", 0, 1), task("unit", 0, 0)];
  expect(new Set(names).size).toBe(4);
  expect(names[0]).toBe("t-711c63caed73");
});
