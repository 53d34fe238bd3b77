import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

// .ci/run counts what ran from this file.
const report = process.env.SERVICE_SIM_TEST_REPORT;

const EVERY = ["test/**/*.test.ts", "test/**/*.test.tsx"];

// What runs in a world of its own and changes nothing that others see: loaded once for all of them.
const SHARING = ["api", "contract", "domain"].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    globalSetup: ["test/setup/build.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // Half of the files wait for processes of their own most of the time.
    maxWorkers: 2,
    // Only a hanging test meets these: a busy machine may take its time.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    projects: [
      { extends: true, test: { name: "alone", include: EVERY, exclude: SHARING } },
      { extends: true, test: { name: "sharing", include: SHARING, isolate: false } },
    ],
  },
});
