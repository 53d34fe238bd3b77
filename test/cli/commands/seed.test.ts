import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureOf, named, PAYING, QUOTE, request } from "../../control/seed/setup/seeding.ts";
import { documentOf, type RunningCli, waitUntil } from "../../setup/cli.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;

beforeAll(async () => {
  place = new Workbench();
  simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
});

afterAll(() => place.close());

const write = (name: string, content: string | object) =>
  writeFileSync(
    place.file(name),
    typeof content === "string" ? content : JSON.stringify(content, null, 2),
  );

const customers = async () => (await simulator.call("GET", "/customers")).body.totalCount;

test("a transcript: a row per step, named by what later steps call it", async () => {
  write("shop.json", { ...fixtureOf(...PAYING("003"), QUOTE, { advance: "10m" }), name: "shop" });
  const { code, stdout, stderr } = await place.run("seed shop.json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
  const ids = stdout.match(/[A-Za-z]+:[0-9a-f-]{36}/g) ?? [];
  const [ada, usd] = [ids[0], ids[2]];
  expect(rows).toEqual([
    ["ada", "POST /customers", "✓ 201", ada],
    ["usd", `GET /customers/internal-accounts?customerId=${ada}&currency=USD`, "✓ 200", usd],
    ["", `POST /sandbox/internal-accounts/${usd}/fund`, "✓ 200", usd],
    ["payee", "POST /customers/external-accounts", "✓ 201", expect.stringContaining("External")],
    ["quote", "POST /quotes", "✓ 201", expect.stringContaining("Quote:")],
    ["", "advance 10m", "09:10:00", "1 timer fired, 0 webhook attempts"],
    [""],
    ["✓ shop loaded: 5 requests, 1 clock step"],
    [""],
  ]);
});

test("--json prints the control surface's reply and nothing else", async () => {
  write("one.json", fixtureOf(named("home", request("GET", "/config"))));
  const ended = await place.run("seed ./one.json --json");
  const { body } = await simulator.control("POST", "/seed", {
    fixture: place.readJson("one.json"),
  });
  expect(documentOf(ended)).toEqual(body);
  expect(ended.stderr).toBe("");
});

test("--generate makes records, and a mistake in it changes nothing", async () => {
  const before = await customers();
  const made = await place.run("seed --generate customers=3,quotes=5:COMPLETED=1 --over 2h");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(/^✓ generated: 3 customers, [1-3] external accounts?, 5 quotes\n$/);
  expect(await customers()).toBe(before + 3);
  for (const words of ["--generate customers=3 --over 5m", "--generate x=1", "--over 5h"])
    expect((await place.run(`seed ${words}`)).code, words).toBe(2);
  expect((await place.run("seed payouts-demo --generate customers=1")).code).toBe(2);
  expect(await customers()).toBe(before + 3);
});

test("a world of the package by its name, from any folder", async () => {
  const url = `http://127.0.0.1:${simulator.ready.port}`;
  const ended = await place.run(`seed payouts-demo --quiet --url ${url}`, { folder: "elsewhere" });
  expect(ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect((await place.run("timers")).stdout).toContain("payment.settle");
});

test("an expected refusal is marked as one", async () => {
  write("refused.json", fixtureOf(request("GET", "/quotes/Quote:none", { expect: 404 })));
  const { stdout } = await place.run("seed refused.json");
  expect(stdout.split("\n")[0]?.trim()).toBe("GET /quotes/Quote:none  - 404");
});

test("--schema prints the published schema, without a simulator", async () => {
  const published = JSON.parse(
    readFileSync(new URL("../../../fixtures/fixture.schema.json", import.meta.url), "utf8"),
  );
  const { code, stdout } = await place.run("seed --schema", { folder: "empty" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(published);
  expect(stdout.split("\n").length).toBeGreaterThan(100);
  const ended = await place.run("seed --schema --json", { folder: "empty" });
  expect(documentOf(ended)).toEqual(published);
});

const NEXT = "next   service-sim seed --schema              prints the JSON Schema of fixtures\n";

describe("a file that is no fixture: exit 2, its line and its column", () => {
  test.each([
    {
      what: "no JSON",
      content: '{\n  "name": "f",\n  "steps": [\n',
      says: 'Expected a "]" at line 4, column 1 of bad.json but found the end of the file',
    },
    {
      what: "an unknown member",
      content: '{\n  "name": "f",\n  "setps": []\n}',
      says:
        "Expected one of $schema, name, description, config, rates, limits, approvals, troubles, steps, generate at line 3, column 3 " +
        'of bad.json but found "setps"',
    },
    {
      what: "an unknown reference",
      content: fixtureOf(QUOTE),
      says:
        `Expected an earlier step's name in \${usd.data.0.id} at line 12, column 26 of bad.json ` +
        "but found no step of that name",
    },
  ])("$what", async ({ content, says }) => {
    write("bad.json", content);
    const before = await customers();
    const ended = await place.run("seed bad.json");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`error  ${says}\n${NEXT}`);
    expect(await customers()).toBe(before);
  });

  test("it is told without a simulator too", async () => {
    write("bad.json", "[]");
    const ended = await place.run("seed ../bad.json", { folder: "empty" });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(
      "error  Expected an object at line 1, column 1 of ../bad.json but found an empty array\n",
    );
  });
});

test("a step that is refused: exit 1, its line, its error, and nothing was changed", async () => {
  write("late.json", fixtureOf(...PAYING("003"), named("gone", request("GET", "/quotes/x"))));
  const before = await customers();
  const ended = await place.run("seed late.json");
  const line = readFileSync(place.file("late.json"), "utf8")
    .split("\n")
    .findIndex((text) => text.includes("/quotes/x"));
  const says =
    `Expected step gone, GET /quotes/x, to answer 2xx at line ${line + 1}, column 17 of ` +
    "late.json but found 404 QUOTE_NOT_FOUND: No quote x";
  expect(ended).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: `error  ${says}\nnext   service-sim status                     nothing was changed\n`,
  });
  expect(await customers()).toBe(before);
  const { error } = documentOf(await place.run("seed late.json --json"));
  expect(error).toMatchObject({
    message: says,
    exitCode: 1,
    details: { kind: "refused", at: ["steps", 4, "request", "path"] },
  });
});

test.each([
  { words: "seed", says: "say which fixture, for example: seed payouts-demo", code: 2 },
  {
    words: "seed payouts",
    says: 'Expected a world bundled with the package (agent-demo, cards-demo, default, empty, payouts-demo, wallet-demo) but found "payouts"',
    code: 2,
  },
  { words: "seed gone.json", says: "Expected a fixture at gone.json but found no file", code: 2 },
  { words: "seed one two", says: 'Expected nothing after seed one but found "two"', code: 2 },
])("$words: exit $code, $says", async ({ words, says, code }) => {
  const ended = await place.run(words);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(`error  ${says}\nnext   service-sim seed`);
});

test("without a simulator: exit 3", async () => {
  const ended = await place.run("seed payouts-demo", { folder: "empty" });
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  expect(ended.stderr).toContain("no simulator is running");
});

describe("start --fixture", () => {
  test("starts with it: by name or path, said by status, put in again by a reset", async () => {
    write("own.json", { ...fixtureOf(...PAYING("003")), name: "own" });
    for (const given of ["payouts-demo", "../own.json"]) {
      const folder = given.replace(/[^a-z]/g, "");
      const own = await place.start(`--clock manual --fixture ${given}`, { folder });
      const count = async () => (await own.call("GET", "/customers")).body.totalCount;
      const before = await count();
      expect(before).toBeGreaterThan(0);
      const { stdout } = await place.run("status", { folder });
      expect(stdout).toContain(`fixture ${folder === "ownjson" ? "own" : given}\n`);
      await own.call("POST", "/customers", { customerType: "INDIVIDUAL" });
      expect(await own.control("POST", "/reset")).toMatchObject({ status: 200 });
      expect(await place.run("wait", { folder })).toMatchObject({ code: 0 });
      expect(await count()).toBe(before);
      await own.stop();
    }
  });

  test("of a world that is there already: exit 2, and nothing is touched", async () => {
    const first = await place.start("", { folder: "there" });
    await first.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await first.stop();
    const ended = await place.run("start --port 0 --fixture payouts-demo", { folder: "there" });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(
      /^error {2}Expected --fixture default, which the state in .* began with, but found payouts-demo/,
    );
    const again = await place.start("", { folder: "there" });
    expect((await again.call("GET", "/customers")).body.totalCount).toBe(1);
    await again.stop();
  });

  test("that is none: exit 2 with line and column, and the next start is a first one", async () => {
    write("bad.json", '{ "name": "f",\n  "steps": 5 }');
    const ended = await place.run("start --port 0 --fixture ../bad.json", { folder: "none" });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(
      "error  --fixture: Expected an array at line 2, column 12 of ../bad.json but found 5\n",
    );
    const own = await place.start("--fixture payouts-demo --seed 7", { folder: "none" });
    expect((await own.control("GET", "/status")).body).toMatchObject({ seed: "7" });
    await own.stop();
  });

  test("killed while it is put in: the next start makes it again, whole", async () => {
    const folder = "killed";
    const started = place.command("start --port 0 --json --fixture payouts-demo", { folder });
    const kept = place.file(folder, ".service-sim", "worlds", "sandbox", "fixture.json");
    await waitUntil("the fixture's file", () => existsSync(kept));
    await started.kill("SIGKILL");
    const own = await place.start("", { folder });
    const { body } = await own.control("GET", "/status");
    expect(body).toMatchObject({ fixture: "payouts-demo", timers: { count: 3 } });
    expect((await own.call("GET", "/customers")).body.totalCount).toBe(2);
    await own.stop();
  });
});
