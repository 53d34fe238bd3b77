import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

// .ci/run counts what ran from this file.
const report = process.env.SERVICE_SIM_TEST_REPORT;

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: ["test/setup/build.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // Half of the files wait for processes of their own most of the time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
