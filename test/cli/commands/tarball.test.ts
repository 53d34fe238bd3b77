import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVICE_SIM, Workplace } from "../../setup/cli.ts";
import { copyInstalled, copyPacked } from "../../setup/installed.ts";
import { TARBALL } from "../../setup/packed.ts";

let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  await copyInstalled(place);
  await copyPacked(place);
  expect(readdirSync(place.file("packed"))).toEqual(["service-sim-0.1.0.tgz"]);
});

afterAll(() => place.close());

test("the package holds program, licence and README, and no sources or tests", async () => {
  const { stdout } = await place.spawn(["tar", "-tzf", TARBALL], { folder: "empty" }).ended;
  const files = stdout
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
    /^(CHANGELOG\.md|LICENSE|README\.md|package\.json|dist\/(THIRD_PARTY_NOTICES\.txt|docs\.json\.br|console\/[\w.-]+\.(br|woff2))|(bin|dist|fixtures)\/.*\.([cm]?js|json|conformignore|d\.[cm]ts))$/;
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

// The other ways to start it are tried apart, each by the program that it belongs to.
test("a project's own link of it names itself in a hint, as npx finds it", async () => {
  const command = ["./node_modules/.bin/service-sim", "status", "--json"];
  const { code, stdout } = await place.spawn(command, { folder: "npm" }).ended;
  expect(code).toBe(3);
  expect(JSON.parse(stdout).error.next).toEqual(["npx service-sim start"]);
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
  writeFileSync(place.file("npm", "program.mjs"), PROGRAM);
  const command = [process.execPath, "program.mjs"];
  const { stdout, stderr } = await place.spawn(command, { folder: "npm" }).ended;
  expect(JSON.parse(stdout), stderr).toEqual({
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
