import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const { load } = createRequire(import.meta.url)("js-yaml") as { load: (text: string) => unknown };

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { permissions?: Record<string, string>; environment?: string; needs?: string; steps: Step[] }
  >;
}

const FOLDER = ".github/workflows";
const WORKFLOWS = readdirSync(FOLDER).map((file) => `${FOLDER}/${file}`);

const workflowIn = (file: string) => load(readFileSync(file, "utf8")) as Workflow;
const stepsIn = (file: string) =>
  Object.values(workflowIn(file).jobs).flatMap(({ steps }) => steps);

describe.each(WORKFLOWS)("%s", (file) => {
  test("uses actions by the hash of a commit, with the version beside it", () => {
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes("uses:"));
    expect(lines.length).toBe(stepsIn(file).filter(({ uses }) => uses !== undefined).length);
    for (const line of lines)
      expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("may read the repository, and keeps no credentials in the checkout", () => {
    expect(workflowIn(file).permissions).toEqual({ contents: "read" });
    for (const { uses, with: given } of stepsIn(file))
      if (uses?.includes("/checkout@")) expect(given).toEqual({ "persist-credentials": false });
  });

  test("puts nothing from outside into a script", () => {
    for (const { run = "" } of stepsIn(file)) expect(run).not.toContain("${{");
  });

  test("is for no event that gives strangers its rights", () => {
    const { on } = workflowIn(file);
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(Object.keys(on)).not.toContain("workflow_run");
  });
});

test("a release is published with a provenance, after a person allowed it, and without a token", () => {
  const { on, jobs } = workflowIn(`${FOLDER}/release.yml`);
  expect(on).toEqual({ push: { tags: ["v*"] } });
  expect(jobs.publish?.permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(jobs.publish).toMatchObject({ environment: "npm", needs: "build" });
  expect(jobs.build?.permissions).toBeUndefined();
  const published = jobs.publish?.steps
    .map(({ run }) => run)
    .filter((run) => run?.includes("publish"));
  expect(published).toEqual([
    "npm publish ./service-sim-*.tgz --provenance --access public --ignore-scripts",
  ]);
  const text = readFileSync(`${FOLDER}/release.yml`, "utf8");
  expect(text.replace("GH_TOKEN: ${{ github.token }}", "")).not.toMatch(
    /secrets\.|_TOKEN|_authToken|github\.token/,
  );
});

test("each command that a workflow runs is a script of the package", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = WORKFLOWS.flatMap(stepsIn).flatMap(({ run = "" }) =>
    [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name),
  );
  expect(new Set(named)).toEqual(
    new Set(["check", "entry", "reproduce", "simulate", "test:apart"]),
  );
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test("what the action takes at a tag is the package that was tested, and that job does no more", () => {
  const { jobs } = workflowIn(`${FOLDER}/release.yml`);
  const { permissions, needs, steps = [] } = jobs.release ?? {};
  expect({ permissions, needs }).toEqual({ permissions: { contents: "write" }, needs: "build" });
  expect(steps.map(({ uses = "" }) => uses.split("@")[0])).toEqual([
    "actions/download-artifact",
    "",
  ]);
  expect(steps[1]?.run).toMatch(
    /^gh release create "\$GITHUB_REF_NAME" .*\n +service-sim-\*\.tgz package\.sha256 /,
  );
});

test.each([
  { file: "action.yml", uses: ["actions/cache"] },
  { file: "report/action.yml", uses: ["actions/upload-artifact"] },
])("$file uses $uses by the hash of a commit alone", ({ file, uses }) => {
  const text = readFileSync(file, "utf8");
  const { runs } = load(text) as { runs: { steps: Step[] } };
  const used = runs.steps.flatMap((step) => step.uses ?? []);
  expect(used.map((one) => one.split("@")[0])).toEqual(uses);
  for (const line of text.split("\n").filter((one) => one.includes("uses: ")))
    expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("the images of the Dockerfile are pinned by digest", () => {
  const images = readFileSync("Dockerfile", "utf8").match(/^FROM .*$/gm) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}( AS build)?$/);
});

test("what is pinned is renewed", () => {
  const { updates } = load(readFileSync(".github/dependabot.yml", "utf8")) as {
    updates: { "package-ecosystem": string }[];
  };
  expect(updates.map((one) => one["package-ecosystem"])).toEqual([
    "github-actions",
    "docker",
    "npm",
  ]);
});

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  /** It stands in the tarball of another package, whose hash counts. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};

/** Every package of the lock file, without our own two. */
const LOCKED = Object.entries(packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && !link)
  .map(([path, one]) => ({ ...one, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

describe("the packages of the lock file", () => {
  test("have the hash of their tarball, and exact versions", () => {
    expect(LOCKED.length).toBeGreaterThan(500);
    const bare = LOCKED.filter(
      ({ integrity = "", inBundle }) => !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity),
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  test("run no script at their installation that is not answered for", () => {
    const running = new Set(
      LOCKED.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name),
    );
    const answered = Object.entries(manifest.allowScripts).filter(([, may]) => may === false);
    // Only macOS installs it, and npm leaves it out elsewhere.
    running.delete("fsevents");
    expect(answered.map(([name]) => name).sort()).toEqual([...running].sort());
  });
});

test("our package runs no script where it is installed", () => {
  const hooks = ["preinstall", "install", "postinstall", "prepare", "preprepare", "prepublish"];
  expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
  for (const kind of ["dependencies", "optionalDependencies", "bundledDependencies"])
    expect(Object.keys(manifest)).not.toContain(kind);
});

const { ALLOWED_LICENSES } = (await import(pathToFileURL("bin/third-party-notices.mjs").href)) as {
  ALLOWED_LICENSES: Record<string, string>;
};

/** Licenses of packages that only the development has: nobody is given their code. */
const IN_DEVELOPMENT = [
  ...["BlueOak-1.0.0", "CC-BY-4.0", "CC0-1.0", "MPL-2.0"],
  ...["OFL-1.1", "Python-2.0", "Zlib"],
];

/** Packages whose license is not in the lock file, with the license that their own files tell. */
const UNTOLD: Readonly<Record<string, string>> = {};

const fits = (license: string, allowed: ReadonlySet<string>): boolean =>
  license
    .replace(/^\(|\)$/g, "")
    .split(" OR ")
    .some((one) => one.split(" AND ").every((part) => allowed.has(part)));

test("each package has a license of the allow-list", () => {
  const allowed = new Set([...Object.keys(ALLOWED_LICENSES), ...IN_DEVELOPMENT]);
  const found = LOCKED.map(({ name, license = UNTOLD[name] ?? "none" }) => ({ name, license }));
  expect(found.filter(({ license }) => !fits(license, allowed))).toEqual([]);
  const used = new Set(found.flatMap(({ license }) => license.split(/[() ]+/)));
  expect(IN_DEVELOPMENT.filter((license) => !used.has(license))).toEqual([]);
  expect(fits("GPL-3.0", allowed)).toBe(false);
  expect(fits("(MIT AND GPL-3.0)", allowed)).toBe(false);
});
