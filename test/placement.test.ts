import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { campaignFilesOf, filesOf, PROJECTS, projectOf, testFiles } from "./setup/projects.ts";

/** Imports of types alone are not there when a test runs. */
const TYPES_ALONE = /^(?:import|export) type [^;]*;$/gm;
const SPECIFIERS = /(?:\bfrom\s+|^import\s+|\bimport\(\s*)"([^"]+)"/gm;

const read = new Map<string, readonly string[]>();

const importsOf = (file: string) => {
  const known = read.get(file);
  if (known) return known;
  const names = [...readFileSync(file, "utf8").replace(TYPES_ALONE, "").matchAll(SPECIFIERS)]
    .map(([, name = ""]) => (name.startsWith(".") ? normalize(join(dirname(file), name)) : name))
    .map((name) => name.replaceAll("\\", "/"));
  read.set(file, names);
  return names;
};

/**
 * Everything that a test and its helpers import: files by path, packages by name. Sources are not
 * followed: the command line has modules that start processes, and most calls of it start none.
 */
const loadedWith = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const next of importsOf(file))
    if (!seen.has(next)) {
      seen.add(next);
      if (/^test\/.*\.tsx?$/.test(next) && existsSync(next)) loadedWith(next, seen);
    }
  return seen;
};

const CAMPAIGN = "test/setup/campaign.ts";

/** Modules that start processes or take ports: files of a project must not load them. */
const PROCESSES = ["node:child_process", "playwright-core", "src/cli/frame/detach.ts"];
const SOCKETS = ["node:http", "src/simulator.ts", "src/http/sockets/listen.ts"];
const FORBIDDEN = { unit: [...PROCESSES, ...SOCKETS], http: PROCESSES };

/** Folders of campaigns: `npm run test:unit` takes half a minute, and plays a share of none. */
const CAMPAIGNS = /^test\/(crash|entry|fuzz|load|simulation)\//;

test("the project unit plays no campaign", () => {
  expect(testFiles().filter((file) => CAMPAIGNS.test(file)).length).toBeGreaterThan(15);
  expect(filesOf("unit").filter((file) => CAMPAIGNS.test(file))).toEqual([]);
});

describe.each(["unit", "http"] as const)("the project %s", (project) => {
  const files = filesOf(project);

  test("has files", () => {
    expect(files.length).toBeGreaterThan(100);
  });

  test("loads nothing that it must not", () => {
    const broken = files.flatMap((file) =>
      FORBIDDEN[project]
        .filter((name) => loadedWith(file).has(name))
        .map((name) => `${file} loads ${name}`),
    );
    expect(broken).toEqual([]);
  });

  test("reads no build", () => {
    const needing = files.filter((file) => /"dist\//.test(readFileSync(file, "utf8")));
    expect(needing.filter((file) => file !== "test/placement.test.ts")).toEqual([]);
  });
});

test.each([
  { file: "test/domain/money/ledger.test.ts", project: "unit" },
  { file: "test/api/payments/quotes.test.ts", project: "http" },
  { file: "test/cli/commands/start.test.ts", project: "system" },
  { file: "test/cli/text/wrap.unit.test.ts", project: "unit" },
  { file: "test/tui/session.http.slow.test.tsx", project: "http" },
  { file: "test/runtime/engine.test.ts", project: "unit" },
  { file: "test/storage/journal.slow.test.ts", project: "http" },
  { file: "test/webhooks/certificates.system.test.ts", project: "system" },
  { file: "test/storage/file/lock/state-lock.apart.test.ts", project: "apart" },
])("$file is in the project $project", ({ file, project }) => {
  expect(projectOf(file)).toBe(project);
});

const NAMED = /\.(?!slow)\w+\.(?=(slow\.)?test\.tsx?$)/;

test("a name that says a project says another one than the folder", () => {
  const named = testFiles().filter((file) => NAMED.test(file));
  const plain = (file: string) => file.replace(NAMED, ".");
  expect(named.filter((file) => projectOf(plain(file)) === projectOf(file))).toEqual([]);
});

test("slow are files of the projects that leave them out", () => {
  const slow = testFiles().filter((file) => file.includes(".slow."));
  expect([...new Set(slow.map(projectOf))].sort()).toEqual(["http", "unit"]);
});

test("helpers are followed: a file that starts processes through one is known by it", () => {
  const racer = "test/storage/file/lock/state-lock.apart.test.ts";
  expect(loadedWith(racer)).toContain("node:child_process");
  expect(PROJECTS.flatMap(filesOf).sort()).toEqual(testFiles());
});

test("a campaign has every file that makes more runs in one", () => {
  const files = PROJECTS.flatMap(campaignFilesOf);
  const using = testFiles().filter((file) => [...loadedWith(file)].some((one) => one === CAMPAIGN));
  expect(files.sort()).toEqual(using);
  for (const name of ["histories", "adversary-a", "adversary-b", "kills", "checkpoint"])
    expect(
      files.some((file) => file.includes(`/${name}.`)),
      name,
    ).toBe(true);
});
