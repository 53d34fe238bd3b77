import { expect, test } from "vitest";
import { numberGiven, runsOf } from "../setup/campaign.ts";
import { runWorldKills } from "./kills/world-kills.ts";

/**
 * Kills, of another seed if wanted:
 * `KILLS=200 KILLS_SEED=7 npx vitest run test/crash/world-kills.apart.test.ts`.
 */
const KILLS = numberGiven("KILLS") ?? runsOf(100, 4);
const SEED = numberGiven("KILLS_SEED") ?? 1;

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
