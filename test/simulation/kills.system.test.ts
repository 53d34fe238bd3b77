import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { runKillCampaign } from "./setup/kill-campaign.ts";

/** `KILLS=200 npx vitest run test/simulation/kills.system.test.ts` for a campaign. */
const KILLS = Number(process.env.KILLS ?? runsOf(200, 3));
const SEED = Number(process.env.KILLS_SEED ?? 1);

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
