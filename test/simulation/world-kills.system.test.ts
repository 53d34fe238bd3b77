import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { runWorldKills } from "./setup/world-kills.ts";

/** `KILLS=200 npx vitest run test/simulation/world-kills.system.test.ts` for a campaign. */
const KILLS = Number(process.env.KILLS ?? runsOf(100, 4));
const SEED = Number(process.env.KILLS_SEED ?? 1);

test(
  "a kill during a fork, save, load, rewind, reset or removal leaves each world before or after it",
  async () => {
    const report = await runWorldKills({ kills: KILLS, seed: SEED });
    if (KILLS > 4) process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ kills: KILLS, wrong: [] });
    expect(report.cut.before + report.cut.after).toBeGreaterThan(0);
  },
  60_000 + KILLS * 20_000,
);
