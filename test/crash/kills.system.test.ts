import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { runKills } from "./kills/kill-runs.ts";
import { MOMENTS } from "./kills/moments.ts";

const KILLS = runsOf(40, 2);

test.each([
  { how: "written", seed: 1, options: "" },
  { how: "synced", seed: 2, options: "--fsync" },
])(
  "after kills at every kind of moment each acknowledged write is there ($how)",
  async ({ seed, options }) => {
    const report = await runKills({ seed, kills: KILLS, options, isBusy: true });
    expect(report).toMatchObject({ kills: KILLS, wrong: [] });
    expect(Object.keys(report.byMoment)).toHaveLength(Math.min(KILLS, MOMENTS.length));
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.replays).toBeGreaterThan(0);
    expect(report.events).toBeGreaterThan(0);
  },
  60_000 + KILLS * 20_000,
);
