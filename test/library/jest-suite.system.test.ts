import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyInstalled(place);
});

afterAll(() => place.close());

const CONFIG = `
module.exports = {
  globalSetup: "service-sim/jest/setup",
  globalTeardown: "service-sim/jest/teardown",
  setupFilesAfterEnv: ["service-sim/jest"],
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

test("jest gives each test a world of its own, in two workers, by require alone", async () => {
  writeFileSync(place.file("npm", "jest.config.js"), CONFIG);
  for (const name of ["one", "two"]) writeFileSync(place.file("npm", `${name}.test.js`), SUITE);
  const command = [process.execPath, ours("jest", "bin", "jest.js"), "--watchman=false", "--ci"];
  const ended = place.spawn([...command, "--maxWorkers=2"], { folder: "npm" }).ended;
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("Tests:       12 passed, 12 total"),
  });
});
