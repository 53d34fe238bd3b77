import { expect, test } from "vitest";
import { numberGiven, runsOf } from "../setup/campaign.ts";
import { runKillCampaign } from "./kills/kill-campaign.ts";

/**
 * Kills, of another seed if wanted:
 * `KILLS=200 KILLS_SEED=7 npx vitest run test/crash/kill-campaign.apart.test.ts`.
 */
const KILLS = numberGiven("KILLS") ?? runsOf(200, 2);
const SEED = numberGiven("KILLS_SEED") ?? 1;

test.each([
  { how: "written", options: "" },
  { how: "synced", options: "--fsync" },
])(
  "after kills under traffic everything acknowledged is there and every event is accepted ($how)",
  async ({ options }) => {
    const report = await runKillCampaign({ kills: KILLS, seed: SEED, options });
    if (KILLS > 3) process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ lost: [], untold: [], complete: true, open: 0 });
    expect(report.events).toBeGreaterThan(0);
  },
  60_000 + KILLS * 20_000,
);
