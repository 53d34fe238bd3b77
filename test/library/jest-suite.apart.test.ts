import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "../cli/setup/workbench.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";
import { FAILING_CALLS, REFUSED, replayAll, reportsIn } from "./setup/failed-tests.ts";

let place: Workbench;

beforeAll(async () => {
  place = new Workbench();
  await copyInstalled(place);
});

afterAll(() => place.close());

const CONFIG = `
module.exports = {
  globalSetup: "service-sim/jest/setup",
  globalTeardown: "service-sim/jest/teardown",
  setupFilesAfterEnv: ["service-sim/jest"],
  reporters: ["default", "service-sim/jest/reporter"],
  globals: { serviceSim: { now: "2026-01-05T09:00:00Z" } },
};
`;

/** One file of two that run at once. */
const SUITE = `
const { ApiError } = require("service-sim");
const mark = __filename;

test.each([1, 2, 3])("customer %i is alone", async (count) => {
  for (let at = 0; at < count; at += 1)
    await sim.call.createCustomer({
      body: { customerType: "INDIVIDUAL", platformCustomerId: mark + at } });
  const { data } = await sim.call.listCustomers();
  expect(data.map(({ platformCustomerId }) => platformCustomerId).sort()).toStrictEqual(
    Array.from({ length: count }, (_, at) => mark + at));
  await sim.advance(count + "h");
  expect(await sim.clock.now()).toBe("2026-01-05T1" + (count - 1) + ":00:00.000Z");
});

test("matchers and errors are those of the test's own context", async () => {
  await expect(sim).not.toHaveReceived("TEST");
  await expect(sim).toBalance();
  await expect(expect(sim).toHaveReceived({ type: "TEST", timeoutMs: 1 })).rejects.toThrow(
    "to have received TEST but found 0");
  const refused = sim.call.getQuote({ params: { quoteId: "Quote:none" } });
  await expect(refused).rejects.toBeInstanceOf(ApiError);
});

const names = [];
jest.retryTimes(1);
test("a retry has a world of its own", () => {
  names.push(sim.world);
  if (names.length === 1) throw new Error("once");
  expect(names).toStrictEqual([expect.stringMatching(/^t-[0-9a-f]{12}$/), names[0] + "-r1"]);
});

test("faked timers and the world's clock move together", async () => {
  await sim.followFakeTimers(jest);
  let seen;
  setTimeout(async () => { seen = await sim.clock.now(); }, 60_000);
  await jest.advanceTimersByTimeAsync(90_000);
  expect(seen).toBe("2026-01-05T09:01:00.000Z");
  expect(await sim.clock.now()).toBe("2026-01-05T09:01:30.000Z");
  expect(new Date().toISOString()).toBe("2026-01-05T09:01:30.000Z");
  jest.useRealTimers();
});
`;

/** A file beside them. */
const FAILING = `
const failing = async () => { ${FAILING_CALLS} };
describe("shop", () => {
  test("fails", failing);
  test("passes", () => expect(failing()).rejects.toThrow());
  test.failing("is known to fail", failing);
});
describe("again", () => {
  jest.retryTimes(1);
  let tries = 0;
  test("passes in the end", async () => { tries += 1; if (tries === 1) await failing(); });
  test("fails each time", failing);
});
describe("before each", () => {
  beforeEach(failing);
  test("never begins", () => {});
});
`;

// spec/capsules.md#failed-tests
test("jest gives each test a world of its own, and prints each failed test's replay", async () => {
  writeFileSync(place.file("npm", "jest.config.js"), CONFIG);
  for (const name of ["one", "two"]) writeFileSync(place.file("npm", `${name}.test.js`), SUITE);
  writeFileSync(place.file("npm", "failing.test.js"), FAILING);
  const command = [process.execPath, ours("jest", "bin", "jest.js"), "--watchman=false", "--ci"];
  const ended = place.spawn([...command, "--maxWorkers=2"], { folder: "npm" }).ended;
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("Tests:       3 failed, 15 passed, 18 total"),
  });
  expect(reportsIn(stderr).map((line) => /"(.*)" failed/.exec(line)?.[1])).toEqual([
    "again fails each time",
    "before each never begins",
    "shop fails",
  ]);
  expect(await replayAll(place, stderr)).toEqual(Array(3).fill(REFUSED));
});
