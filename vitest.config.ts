import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isCampaign } from "./test/setup/campaign.ts";
import { MetRefusals } from "./test/setup/met-refusals.ts";
import { campaignFilesOf, filesOf, type Project } from "./test/setup/projects.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

// .ci/run counts what ran from this file.
const report = process.env.SERVICE_SIM_TEST_REPORT;

const include = (project: Project) => (isCampaign ? campaignFilesOf : filesOf)(project);

/** For projects whose files share a worker with all that it has loaded. */
const shared = { isolate: false, setupFiles: ["test/setup/no-leaks.ts"] };

const withBuild = {
  isolate: false,
  globalSetup: ["test/setup/build.ts", "test/setup/shared-folder.ts"],
};

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    reporters: [
      "default",
      new MetRefusals(),
      ...(report === undefined ? [] : [["json", { outputFile: report }] as ["json", object]]),
    ],
    // Otherwise vitest empties style sheets, also those that are read as text: a page without style.
    css: true,
    maxWorkers: availableParallelism(),
    // What the sources become is kept between runs: it takes one file longer than its tests.
    experimental: { fsModuleCache: true },
    // Only a hanging test meets these: a busy machine may take its time.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    projects: [
      // Each test opens its own world and nothing is shared: a worker loads the sources once, which
      // takes it longer than most files. A file that loads them anew ends with vi.resetModules().
      { extends: true, test: { name: "unit", include: include("unit"), ...shared } },
      { extends: true, test: { name: "http", include: include("http"), ...shared } },
      { extends: true, test: { name: "documents", include: include("documents"), isolate: false } },
      { extends: true, test: { name: "system", include: include("system"), ...withBuild } },
      { extends: true, test: { name: "apart", include: include("apart"), ...withBuild } },
    ],
  },
});
