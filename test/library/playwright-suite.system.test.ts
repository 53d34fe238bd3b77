import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../docs/setup/page-script.ts";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";

const PLAYWRIGHT = ours("@playwright", "test");

let place: Workplace;

beforeAll(async () => {
  if (PLAYWRIGHT === "") return;
  place = new Workplace();
  await copyInstalled(place);
  symlinkSync(ours("@playwright"), place.file("npm", "node_modules", "@playwright"));
});

afterAll(() => place?.close());

const config = (port: number) => `
import { defineConfig } from "@playwright/test";
import { simulatorServer } from "service-sim/playwright";

export default defineConfig({
  testMatch: "*.spec.ts",
  workers: 2,
  fullyParallel: true,
  reporter: "line",
  webServer: simulatorServer({ port: ${port} }),
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

// Skipped where @playwright/test is not installed: it is the package of those who use it.
test.skipIf(PLAYWRIGHT === "")("playwright gives each test a world of its own", async () => {
  writeFileSync(place.file("npm", "playwright.config.ts"), config(await freePort()));
  writeFileSync(place.file("npm", "customers.spec.ts"), SUITE);
  const command = [process.execPath, ours("@playwright", "test", "cli.js"), "test"];
  const { code, stdout } = await place.spawn(command, { folder: "npm" }).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("4 passed") });
});

const OF_PROJECTS = `
import { defineConfig } from "@playwright/test";
import { simulatorServer } from "service-sim/playwright";

export default defineConfig({
  testMatch: "*.world.ts",
  workers: 2,
  fullyParallel: true,
  retries: 1,
  reporter: "line",
  projects: [{ name: "wide", repeatEach: 2 }, { name: "narrow" }],
  webServer: simulatorServer({ port: PORT }),
});
`;

const NAMED = `
import { appendFileSync } from "node:fs";
import { test } from "service-sim/playwright";

test("is named", async ({ sim }, { retry }) => {
  appendFileSync("worlds.txt", sim.world + "\\n");
  if (retry === 0) throw new Error("once more");
});
`;

// spec/capsules.md#failed-tests
test.skipIf(PLAYWRIGHT === "")(
  "projects, repetitions and retries have worlds of their own",
  async () => {
    const config = OF_PROJECTS.replace("PORT", String(await freePort()));
    writeFileSync(place.file("npm", "projects.config.ts"), config);
    writeFileSync(place.file("npm", "named.world.ts"), NAMED);
    const program = [process.execPath, ours("@playwright", "test", "cli.js"), "test"];
    const command = [...program, "--config", "projects.config.ts"];
    const { code, stdout } = await place.spawn(command, { folder: "npm" }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("3 flaky") });
    const names = readFileSync(place.file("npm", "worlds.txt"), "utf8").trim().split("\n");
    expect(new Set(names).size).toBe(6);
  },
);
