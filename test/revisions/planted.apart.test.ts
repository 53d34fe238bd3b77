import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isCampaign } from "../setup/campaign.ts";
import { REVISION_PLANTS } from "./setup/revision-plants.ts";

/** The share that is run outside of a campaign is one in N: each is a test run of its own. */
const SHARE = isCampaign ? 1 : 4;

const VITEST = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const CONFIG = "test/revisions/setup/planted.config.ts";

interface Run {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: unknown[] }[];
}

/** Runs the fast tests of revisions over the sources with a bug, or without. */
const testsWith = (plant: object): Promise<Run> => {
  const env = { ...process.env, SERVICE_SIM_TEST_PLANT: JSON.stringify(plant) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [VITEST, "run", "--config", CONFIG], { env });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    child.once("error", reject);
    child.once("close", () => resolve(JSON.parse(printed.slice(printed.indexOf("{"))) as Run));
  });
};

// spec/revisions.md#changes
test.each(REVISION_PLANTS)("applies: $name", ({ file, edits }) => {
  const text = readFileSync(file, "utf8");
  for (const [search] of edits) expect(text.split(search), search).toHaveLength(2);
});

test("nothing is noticed without a bug", async () => {
  const { numFailedTests, numPassedTests } = await testsWith({});
  expect([numFailedTests, numPassedTests > 25]).toEqual([0, true]);
});

test.each(REVISION_PLANTS.filter((_plant, at) => at % SHARE === 0))(
  "is noticed: $name",
  async (plant) => {
    const { numFailedTests, testResults } = await testsWith(plant);
    expect(numFailedTests).toBeGreaterThan(0);
    // The files were loaded: a bug that does not compile proves nothing.
    for (const { assertionResults } of testResults) expect(assertionResults).not.toEqual([]);
  },
);
