import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { runKills } from "./kills/kill-runs.ts";
import { MOMENTS } from "./kills/moments.ts";

const KILLS = runsOf(40, 2);

test(
  "after kills at every kind of moment each acknowledged write is there, synced or written",
  async () => {
    const options = ["", "--fsync"];
    const report = await runKills({ seed: 1, kills: KILLS, options, isBusy: true });
    expect(report).toMatchObject({ kills: KILLS, wrong: [] });
    expect(Object.keys(report.byMoment)).toHaveLength(Math.min(KILLS, MOMENTS.length));
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.replays).toBeGreaterThan(0);
    expect(report.events).toBeGreaterThan(0);
  },
  60_000 + KILLS * 20_000,
);
