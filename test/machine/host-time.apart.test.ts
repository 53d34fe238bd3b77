import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type * as library from "../../src/simulator.ts";

type Library = typeof library;

interface Walks {
  walk(library: Library): Promise<unknown>;
  offMs(library: Library, realNowMs: () => number): Promise<number>;
  WALKED: unknown;
}

const require = createRequire(import.meta.url);
const { walk, offMs, WALKED } = require("../runtime/setup/faked-walk.cjs") as Walks;
const realNowMs = Date.now;

const foreign = createRequire(new URL("../foreign/package.json", import.meta.url));

/** A program in a process of its own, among the tests' helpers; resolves with what it prints. */
const run = async (...args: string[]) => {
  const cwd = new URL("../runtime/setup", import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  return stdout;
};

const cache = mkdtempSync(join(tmpdir(), "host-time-"));

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => rmSync(cache, { recursive: true }));

/** The library as it is installed, loaded again. */
const installed = () => {
  const entry = require.resolve("service-sim");
  for (const file of Object.keys(require.cache))
    if (file.startsWith(dirname(entry))) delete require.cache[file];
  return require(entry) as Library;
};

describe("fake timers of vitest", () => {
  test("change nothing for the library as it is installed", async () => {
    const library = installed();
    vi.useFakeTimers({ now: 0 });
    expect(Date.now()).toBe(0);
    expect(await walk(library)).toEqual(WALKED);
    expect(await offMs(library, realNowMs)).toBeLessThan(10_000);
  });

  test("are named when they were there first; the real ones are taken as soon as they are back", async () => {
    vi.useFakeTimers();
    const { createSimulator } = installed();
    await expect(createSimulator()).rejects.toMatchObject({
      name: "TimersFaked",
      by: "vitest",
      message:
        "Expected the real timers when service-sim was loaded but found Date, hrtime, " +
        "setTimeout, setInterval, setImmediate faked by vitest. Import service-sim before you " +
        "fake timers, or call vi.useRealTimers() before createSimulator",
    });
    vi.useRealTimers();
    const sim = await createSimulator({ clock: "real" });
    vi.useFakeTimers({ now: 0 });
    expect(Math.abs(Date.parse(sim.status().now) - realNowMs())).toBeLessThan(10_000);
    await sim.advance("1s");
    await sim.close();
  });
});

test("fake timers of sinon are named when they were there first, and change nothing", async () => {
  const { refused, all, walked, off, nowMs } = JSON.parse(await run("faked-by-sinon.mjs"));
  const by = "@sinonjs/fake-timers";
  expect(refused).toEqual({
    name: "TimersFaked",
    by,
    message:
      "Expected the real timers when service-sim was loaded but found Date, hrtime, " +
      "setTimeout, setInterval, setImmediate faked by @sinonjs/fake-timers. Import service-sim " +
      "before you fake timers, or call clock.uninstall() before createSimulator",
  });
  expect(walked).toEqual(WALKED);
  expect({ isNear: off < 10_000, nowMs }).toEqual({ isNear: true, nowMs: 0 });
  // What Node.js cannot do while all is faked is said.
  const connections = {
    name: "TimersFaked",
    by,
    message:
      "Expected nextTick to be real, since Node.js needs it for each connection, but found it " +
      'faked by @sinonjs/fake-timers. Fake timers with toNotFake: ["nextTick", "queueMicrotask"]',
  };
  expect(all).toEqual({
    fetched: {
      name: "TimersFaked",
      by,
      message:
        "Expected queueMicrotask to be real, since Node.js needs it to read bodies, but found it " +
        'faked by @sinonjs/fake-timers. Fake timers with toNotFake: ["nextTick", "queueMicrotask"]',
    },
    complete: true,
    listened: connections,
    closed: connections,
    stillOpen: true,
  });
});

test("mock timers of node:test change nothing, and are named when they were there first", async () => {
  const said = await run("--test", "--test-reporter=tap", "faked-by-node.mjs");
  expect(said).toMatch(/^# tests 2$[\s\S]*^# pass 2$/m);
});

test("fake timers of jest change nothing, and are named when they were there first", async () => {
  const config = { testMatch: ["**/faked-by-jest.cjs"], transform: {}, testTimeout: 100_000 };
  const report = await run(
    foreign.resolve("jest/bin/jest"),
    ...["--config", JSON.stringify({ ...config, rootDir: "." })],
    ...["--json", "--runInBand", "--cacheDirectory", cache],
  );
  const { numPassedTests, numTotalTests } = JSON.parse(report);
  expect({ numPassedTests, numTotalTests }).toEqual({ numPassedTests: 2, numTotalTests: 2 });
});
