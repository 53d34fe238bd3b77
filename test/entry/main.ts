import { spawnSync } from "node:child_process";
import { campaignOptions, index } from "../setup/campaign-options.ts";

const { seed } = campaignOptions<{ seed?: number }>({
  script: "entry",
  does: "Makes every attempt to get in: callers, addresses, names, planted secrets and texts.",
  options: [
    {
      flags: "--seed <n>",
      summary: "decides what is drawn; names of tests tell it (default: another each time)",
      read: index,
    },
  ],
  examples: ["--seed 7"],
});

const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "test/entry"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      CAMPAIGN: "1",
      ...(seed !== undefined && { ENTRY_SEED: `${seed}` }),
    },
  },
);
process.exitCode = status ?? 1;
