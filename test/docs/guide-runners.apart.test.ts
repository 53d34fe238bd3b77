import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { ours } from "../setup/packed.ts";
import { blockWith } from "./setup/doc-blocks.ts";

const place = placePerTest();

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const block = (holds: string) => blockWith("src/docs/guide/tests-and-ci.md", holds);

const write = (name: string, text: string) => writeFileSync(place().file(name), text);

const run = async (...command: string[]) => {
  const { code, stdout, stderr } = await place().spawn([process.execPath, ...command]).ended;
  expect({ code }, stdout + stderr).toEqual({ code: 0 });
  return stdout;
};

beforeEach(() => {
  mkdirSync(place().file("node_modules"));
  symlinkSync(ROOT, place().file("node_modules", "service-sim"));
  symlinkSync(ours("vitest"), place().file("node_modules", "vitest"));
});

test("a fork is a world of its own", async () => {
  write("fork.mjs", block("await sim.fork("));
  expect(await run("fork.mjs")).toBe("1\n");
});

test("node:test forks for a test", async () => {
  write("alone.mjs", block('from "node:test"'));
  await run("--test", "alone.mjs");
});

test("vitest gives a test its world, fakes timers, and ends with the coverage", async () => {
  write("vitest.config.mts", block("coverage-reporter"));
  write("alone.test.mts", block('from "service-sim/vitest"'));
  write("timers.test.mjs", block("useFakeTimers"));
  const printed = await run(ours("vitest", "vitest.mjs"), "run");
  expect(printed).toContain("service-sim: ");
  expect(printed).toMatch(/2 passed/);
});

test("jest gives a test its world", async () => {
  write("jest.config.js", block("service-sim/jest/setup"));
  write("alone.test.js", 'test("sim is there", () => expect(sim.world).toMatch(/^t-/));\n');
  await run(ours("jest", "bin", "jest.js"), "--watchman=false", "--ci");
});
