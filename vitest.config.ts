import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isCampaign } from "./test/setup/campaign.ts";
import { MetRefusals } from "./test/setup/met-refusals.ts";
import {
  campaignFilesOf,
  filesOf,
  type Project,
  projectOf,
  testFiles,
} from "./test/setup/projects.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

// .ci/run counts what ran from this file.
const report = process.env.SERVICE_SIM_TEST_REPORT;

const include = (project: Project) => (isCampaign ? campaignFilesOf : filesOf)(project);

/** Words behind `vitest run`. */
const words = process.argv.slice(3);

/** Projects of the files that the words name; none where one of them is an option, or a part of a name. */
const namedProjects = new Set<string>(
  words.every((word) => /^(\.\/)?test\//.test(word))
    ? testFiles()
        .filter((file) => words.some((word) => file.includes(word.replace("./", ""))))
        .map(projectOf)
    : [],
);

const inProcess = { setupFiles: ["test/setup/no-leaks.ts"] };

const withBuild = { globalSetup: ["test/setup/build.ts", "test/setup/shared-folder.ts"] };

const project = (name: Project, options: object) => ({
  extends: true as const,
  test: { name, include: include(name), isolate: false, ...options },
});

// Each test opens its own world and nothing is shared: a worker loads the sources once, which takes
// it longer than most files. A file that loads them anew ends with vi.resetModules().
const projects = [
  project("unit", inProcess),
  project("http", inProcess),
  project("documents", {}),
  project("system", withBuild),
  project("apart", withBuild),
];

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    reporters: [
      "default",
      new MetRefusals(),
      ...(report === undefined ? [] : [["json", { outputFile: report }] as ["json", object]]),
    ],
    // Otherwise vitest empties style sheets, also those that are read as text: a page without style.
    css: { include: /.+/, modules: { classNameStrategy: "non-scoped" } },
    maxWorkers: availableParallelism(),
    // What the sources become is kept between runs: it takes one file longer than its tests.
    experimental: { fsModuleCache: true },
    // Only a hanging test meets these: a busy machine may take its time.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    projects: projects.filter(
      // Each takes a third of a second to open, which a run of one file feels.
      ({ test }) => namedProjects.size === 0 || namedProjects.has(test.name),
    ),
  },
});
