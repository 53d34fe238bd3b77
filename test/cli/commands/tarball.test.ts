import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, SERVICE_SIM, Workplace } from "../../setup/cli.ts";
import { managerEnvironment, pack, TARBALL } from "../../setup/packed.ts";

let place: Workplace;

/** npm with a cache of its own, since `npx` leaves what it installs there. */
const npm = (...command: string[]) => ({
  in: (folder: string) => place.spawn(command, { folder, env: managerEnvironment(place) }),
});

const ok = async (started: ReturnType<Workplace["spawn"]>) => {
  const ended = await started.ended;
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
};

beforeAll(async () => {
  place = new Workplace();
  await pack(place);
  expect(readdirSync(place.file("packed"))).toEqual(["service-sim-0.1.0.tgz"]);
});

afterAll(() => place.close());

const QUIETLY = ["--no-audit", "--no-fund"];

/** A project with the package, made once for the tests of this file. */
const install = async () => {
  if (existsSync(place.file("shop"))) return;
  const scripts = { sim: "service-sim" };
  const project = { name: "shop", private: true, type: "module", scripts };
  mkdirSync(place.file("shop"));
  writeFileSync(place.file("shop", "package.json"), JSON.stringify(project));
  await ok(npm("npm", "install", "--offline", TARBALL, ...QUIETLY).in("shop"));
};

test("the package holds program, licence and README, and no sources or tests", async () => {
  const listed = await ok(place.spawn(["tar", "-tzf", TARBALL], { folder: "empty" }));
  const files = listed
    .trim()
    .split("\n")
    .map((name) => name.replace("package/", ""));
  expect(files).toEqual(
    expect.arrayContaining([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin/service-sim.js",
      "dist/THIRD_PARTY_NOTICES.txt",
      "dist/cli.cjs",
      "dist/console/index.html.br",
      "dist/docs.json.br",
      "dist/simulator.cjs",
      "dist/simulator.d.cts",
      "dist/simulator.d.mts",
      "dist/simulator.mjs",
      "package.json",
    ]),
  );
  const shipped =
    /^(CHANGELOG\.md|LICENSE|README\.md|package\.json|dist\/(THIRD_PARTY_NOTICES\.txt|docs\.json\.br|console\/[\w.-]+\.br)|(bin|dist|fixtures)\/.*\.([cm]?js|json|conformignore|d\.[cm]ts))$/;
  expect(files.filter((name) => !shipped.test(name))).toEqual([]);
  // The screen is a program of its own, as a module, and vitest loads modules; the rest is there once.
  const modules = files.filter((name) => /^dist\/.*\.m?js$/.test(name) && !/tui[-.]/.test(name));
  expect(modules.sort()).toEqual([
    "dist/coverage-reporter.mjs",
    "dist/playwright.mjs",
    "dist/simulator.mjs",
    "dist/vitest-setup.mjs",
    "dist/vitest.mjs",
  ]);
});

test("classes of the library keep their names, which Node.js prints beside an error", () => {
  const library = createRequire(import.meta.url)("../../../dist/simulator.cjs") as object;
  const classes = Object.entries(library).filter(([name]) => /^[A-Z]/.test(name));
  expect(classes.length).toBeGreaterThan(5);
  expect(classes.map(([, { name }]) => name)).toEqual(classes.map(([name]) => name));
});

test.each([
  { folder: "clone", next: "npm ci --include=dev" },
  { folder: "beside", next: "npm ci --include=dev --prefix '../clone'" },
])("a checkout that is not built says in $folder what to run", async ({ folder, next }) => {
  cpSync(dirname(SERVICE_SIM), place.file("clone", "bin"), { recursive: true });
  const program = place.file("clone", "bin", "service-sim.js");
  const ended = await place.spawn([process.execPath, program, "start"], { folder }).ended;
  expect(ended).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `error  service-sim is not built yet\nnext   ${next}\n`,
  });
});

test("npx of the tarball in an empty folder starts a simulator that answers", async () => {
  const words = ["start", "--port", "0", "--storage", "memory:", "--json"];
  const started = npm("npx", "--yes", TARBALL, ...words).in("empty");
  const ready = JSON.parse((await started.firstLine()) ?? "{}");
  try {
    expect(ready).toMatchObject({ event: "ready" });
    const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
    const response = await fetch(`${ready.apiUrl}/config`, { headers: { authorization } });
    expect(response.status).toBe(200);
  } finally {
    // npx does not pass signals on, so the test stops the simulator by the pid of its ready line.
    if (ready.pid !== undefined) process.kill(ready.pid, "SIGTERM");
  }
  expect(await started.ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n\{"event":"stopped"\}\n$/),
  });
});

/** Puts a folder in front of `PATH`, as npm does for global programs. */
const withGlobal = () => ({
  PATH: `${place.file("global", "bin")}${delimiter}${process.env.PATH}`,
});

interface Way {
  how: string;
  folder: string;
  /** The words that start it again. */
  words: string;
  called?: string;
  env?: () => object;
  /** npx looks the package up each time: one hint shows the words, which all hints take. */
  isSlow?: boolean;
}

/** Ways to start the program. */
const WAYS: Way[] = [
  { how: "npx of the tarball", folder: "empty", words: `npx --yes ${TARBALL}`, isSlow: true },
  { how: "npx in a project", folder: "shop", words: "npx service-sim", isSlow: true },
  { how: "npx below a project", folder: "shop/src", words: "npx service-sim", isSlow: true },
  {
    how: "a project's own link",
    folder: "shop",
    called: "./node_modules/.bin/service-sim",
    words: "npx service-sim",
  },
  {
    how: "a script of a project",
    folder: "shop",
    called: "npm run --silent sim --",
    words: "npx service-sim",
    isSlow: true,
  },
  { how: "a global install", folder: "empty", words: "service-sim", env: withGlobal },
  {
    how: "a file of Node's",
    folder: "empty",
    words: "node ../global/lib/node_modules/service-sim/bin/service-sim.js",
  },
];

const saidIn = ({ stderr }: Ended) => stderr.split("\n").filter((line) => line !== "");

describe("hints can be pasted as they are printed", () => {
  beforeAll(async () => {
    await install();
    const global = ["--global", "--prefix", place.file("global")];
    await ok(npm("npm", "install", ...global, TARBALL, ...QUIETLY).in("empty"));
  });

  test.each(WAYS)(
    "by $how: $words",
    async ({ folder, words, called = words, env = () => ({}), isSlow = false }) => {
      const run = (line: string) =>
        place.spawn(["sh", "-c", line], {
          folder,
          env: { ...managerEnvironment(place), ...env() },
        }).ended;
      const wrong = await run(`${called} timers --bogus`);
      expect({ code: wrong.code, said: saidIn(wrong) }).toEqual({
        code: 2,
        said: ["error  no option --bogus here", `next   ${words} timers list --help`],
      });
      if (isSlow) return;
      const help = await run(`${words} timers --help`);
      expect({ code: help.code, said: saidIn(help) }).toEqual({ code: 0, said: [] });
      expect(help.stdout).toContain(`\nExamples:\n  ${words} timers list\n`);
      const refused = await run(`${called} status --json`);
      expect(refused.code).toBe(3);
      expect(JSON.parse(refused.stdout).error.next).toEqual([`${words} start`]);
    },
  );
});

const PROGRAM = `
import { createSimulator } from "service-sim";

const options = { seed: 7, now: "2026-01-01T00:00:00Z", clock: "manual" };
const sim = await createSimulator(options);
const authorization = "Basic " + btoa(sim.clientId + ":" + sim.clientSecret);
const post = { method: "POST", headers: { authorization, "content-type": "application/json" } };
const customer = await sim.fetch(
  new Request(sim.apiUrl + "/customers", { ...post, body: '{"customerType":"INDIVIDUAL"}' }),
);
const { to, complete } = await sim.advance("6m");
const { url, port } = await sim.listen();
const config = await fetch(sim.apiUrl + "/config", { headers: { authorization } });
await sim.close();
const isGone = await fetch(url + "/_sim/live").then(() => false, () => true);
const { id, createdAt } = await customer.json();
console.log(JSON.stringify({
  created: customer.status, id, createdAt, to, complete, config: config.status, isGone,
  isApiBelowUrl: sim.apiUrl === url + "/2025-10-13", hasPort: url.endsWith(":" + port),
}));
`;

test("the library works in a project that installs it", async () => {
  await install();
  writeFileSync(place.file("shop", "program.mjs"), PROGRAM);
  const printed = await ok(place.spawn([process.execPath, "program.mjs"], { folder: "shop" }));
  expect(JSON.parse(printed)).toEqual({
    created: 201,
    id: expect.stringMatching(/^Customer:019b76da-a800-7000-8000-[0-9a-f]{12}$/),
    createdAt: "2026-01-01T00:00:00.000Z",
    to: "2026-01-01T00:06:00.000Z",
    complete: true,
    config: 200,
    isGone: true,
    isApiBelowUrl: true,
    hasPort: true,
  });
});
