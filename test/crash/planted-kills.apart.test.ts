import { expect, test } from "vitest";
import { runKills } from "./kills/kill-runs.ts";

const PLANT = new URL("./plants/forgetful-process.mjs", import.meta.url).href;

test.each([
  {
    plant: "an acknowledged write dropped at recovery",
    seen: /was on disk and is lost/,
  },
  // A kill may come while no retry waits.
  {
    plant: "a retry timer lost at restart",
    seen: /never accepted|an advance of 8d ended/,
    kills: 4,
  },
  { plant: "an idempotent answer lost", seen: /with key .* answered .* and then / },
])("kills notice $plant", async ({ plant, seen, kills = 1 }) => {
  const env = { CRASH_PLANT: plant, NODE_OPTIONS: `--import ${PLANT}` };
  const { wrong } = await runKills({ seed: 5, kills, moment: "traffic", isBusy: true, env });
  expect(wrong.join("\n")).toMatch(seen);
});
