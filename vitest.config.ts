import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { filesOf } from "./test/setup/projects.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

// .ci/run counts what ran from this file.
const report = process.env.SERVICE_SIM_TEST_REPORT;

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    maxWorkers: availableParallelism(),
    // Only a hanging test meets these: a busy machine may take its time.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    projects: [
      // Each test opens its own world and nothing is shared: a worker loads the sources once.
      { extends: true, test: { name: "unit", include: filesOf("unit"), isolate: false } },
      { extends: true, test: { name: "http", include: filesOf("http"), isolate: false } },
      {
        extends: true,
        test: { name: "system", include: filesOf("system"), globalSetup: ["test/setup/build.ts"] },
      },
    ],
  },
});
