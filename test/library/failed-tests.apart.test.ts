import { symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "../cli/setup/workbench.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";
import { FAILING_CALLS, plain, REFUSED, replayAll, reportsIn } from "./setup/failed-tests.ts";

let place: Workbench;

beforeAll(async () => {
  place = new Workbench();
  await copyInstalled(place, { type: "module" });
  symlinkSync(ours("vitest"), place.file("npm", "node_modules", "vitest"));
  const config = 'export default { test: { globalSetup: "service-sim/vitest/setup" } };\n';
  writeFileSync(place.file("npm", "vitest.config.js"), config);
});

afterAll(() => place.close());

const VITEST = `
import { beforeEach, describe } from "vitest";
import { expect, test } from "service-sim/vitest";
const failing = async (sim) => { ${FAILING_CALLS} };
test("fails", ({ sim }) => failing(sim));
test("passes", ({ sim }) => expect(failing(sim)).rejects.toThrow());
test.fails("is known to fail", ({ sim }) => failing(sim));
let tries = 0;
test("passes in the end", { retry: 1 }, async ({ sim }) => { tries += 1; if (tries === 1) await failing(sim); });
test("fails each time", { retry: 1 }, ({ sim }) => failing(sim));
test("closed", async ({ sim }) => { await sim.close(); throw new Error("later"); });
test("forked", async ({ sim }) => failing(await sim.fork()));
describe.concurrent("at once", () => {
  for (const at of [1, 2]) test("number " + at, async ({ sim }) => { if (at === 2) await failing(sim); });
});
describe("before each", () => {
  beforeEach(({ sim }) => failing(sim));
  test("never begins", () => {});
});
`;

/** Tests in a file of their own, since the process of the second one ends. */
const OTHERS = `
import { expect, test } from "service-sim/vitest";
test("same", ({ sim }) => expect(sim.apiUrl).toBe(process.env.SERVICE_SIM_API_URL));
test("ends", async ({ sim }) => {
  await sim.call.listCustomers();
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
});
`;

/** A simulator that is there is taken, and none is started beside it. */
const EXEC = ["node_modules/service-sim/bin/service-sim.js", "exec", "--clock", "manual", "--"];

// spec/capsules.md#failed-tests
test("vitest: each failed test leads to its replay, and no other prints anything", async () => {
  writeFileSync(place.file("npm", "shop.test.js"), VITEST);
  writeFileSync(place.file("npm", "others.test.js"), OTHERS);
  const command = [
    process.execPath,
    ...EXEC,
    process.execPath,
    ours("vitest", "vitest.mjs"),
    "run",
  ];
  const { code, stderr, stdout } = await place.spawn(command, { folder: "npm", env: { CI: "1" } })
    .ended;
  expect(code).toBe(1);
  const titles = ["at once > number 2", "before each > never begins", "closed"];
  expect(reportsIn(stderr + stdout)).toEqual(
    [...titles, "fails each time", "fails", "forked"].map((title) =>
      expect.stringMatching(
        new RegExp(`^service-sim: "${title}" failed in the world t-[0-9a-f]{12}(-r1)?$`),
      ),
    ),
  );
  expect(plain(stderr)).toMatch(/^service-sim: the process of "ends" ended and left the world t-/m);
  expect(await replayAll(place, stderr)).toEqual([
    "0 0 requests repeated, no difference\n",
    "0 1 request repeated, no difference\n",
    ...Array(4).fill(REFUSED),
    expect.stringMatching(/^0 3 requests repeated, no difference\n/),
  ]);
  for (const line of plain(stderr)
    .split("\n")
    .filter((one) => /^ {2}(refused|webhooks|capsule| {8}) /.test(one)))
    expect(line.length).toBeLessThanOrEqual(80);
});
