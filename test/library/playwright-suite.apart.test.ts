import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "../cli/setup/workbench.ts";
import { freePort } from "../docs/setup/page-script.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";
import { FAILING_CALLS, REFUSED, replayAll, reportsIn } from "./setup/failed-tests.ts";

const PLAYWRIGHT = ours("@playwright", "test");

let place: Workbench;

beforeAll(async () => {
  if (PLAYWRIGHT === "") return;
  place = new Workbench();
  await copyInstalled(place);
  symlinkSync(ours("@playwright"), place.file("npm", "node_modules", "@playwright"));
});

afterAll(() => place?.close());

const CONFIG = `
import { defineConfig } from "@playwright/test";
import { simulatorServer } from "service-sim/playwright";

export default defineConfig({
  workers: 2,
  fullyParallel: true,
  retries: 1,
  reporter: "list",
  projects: [
    { name: "customers", testMatch: "*.spec.ts" },
    { name: "wide", testMatch: "*.world.ts", repeatEach: 2 },
    { name: "narrow", testMatch: "*.world.ts" },
  ],
  webServer: simulatorServer({ port: PORT }),
});
`;

const SUITE = `
import { expect, test } from "service-sim/playwright";

for (const count of [1, 2, 3, 4])
  test("customer " + count + " is alone", async ({ sim }) => {
    for (let at = 0; at < count; at += 1)
      await sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
    expect((await sim.call.listCustomers()).data).toHaveLength(count);
    await expect(sim).not.toHaveReceived("TEST");
    await expect(sim).toBalance();
  });
`;

const NAMED = `
import { appendFileSync } from "node:fs";
import { test } from "service-sim/playwright";

test("is named", ({ sim }) => appendFileSync("worlds.txt", sim.world + "\\n"));
`;

const FAILING = `
import { expect, test } from "service-sim/playwright";
const failing = async (sim) => { ${FAILING_CALLS} };
test("fails", ({ sim }) => failing(sim));
test("passes in the end", async ({ sim }, info) => { if (info.retry === 0) await failing(sim); });
test("is known to fail", async ({ sim }) => { test.fail(); await failing(sim); });
`;

// spec/capsules.md#failed-tests; skipped where @playwright/test is not installed: it is the package
// of those who use it.
test.skipIf(PLAYWRIGHT === "")(
  "Playwright gives each test, project, repetition and retry a world, and prints a failed one's replay",
  async () => {
    const config = CONFIG.replace("PORT", String(await freePort()));
    writeFileSync(place.file("npm", "playwright.config.ts"), config);
    writeFileSync(place.file("npm", "customers.spec.ts"), SUITE);
    writeFileSync(place.file("npm", "failing.spec.ts"), FAILING);
    writeFileSync(place.file("npm", "named.world.ts"), NAMED);
    const command = [process.execPath, ours("@playwright", "test", "cli.js"), "test"];
    const { code, stdout, stderr } = await place.spawn(command, { folder: "npm" }).ended;
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/1 failed[\s\S]*1 flaky[\s\S]*8 passed/),
    });
    const names = readFileSync(place.file("npm", "worlds.txt"), "utf8").trim().split("\n");
    expect(new Set(names).size).toBe(3);
    expect(reportsIn(stderr + stdout)).toEqual([
      expect.stringMatching(/^service-sim: "fails" failed in the world t-[0-9a-f]{12}-r1$/),
    ]);
    expect(await replayAll(place, stderr + stdout)).toEqual([REFUSED]);
    expect(readdirSync(place.file("npm", ".service-sim", "failures"))).toHaveLength(2);
  },
);

const SHOWN = 'console.log(JSON.stringify(require("service-sim/playwright").simulatorServer()))';

// A run of Playwright then starts none, and its tests call the one that is there.
test.skipIf(PLAYWRIGHT === "")(
  "a simulator that is there is what Playwright waits for",
  async () => {
    const env = { SERVICE_SIM_URL: "http://127.0.0.1:9" };
    const command = [process.execPath, "-e", SHOWN];
    const { stdout } = await place.spawn(command, { folder: "npm", env }).ended;
    expect(JSON.parse(stdout)).toEqual({
      command: expect.stringContaining("No simulator answers at the address in SERVICE_SIM_URL"),
      url: "http://127.0.0.1:9/_sim/ready",
      reuseExistingServer: true,
    });
  },
);
