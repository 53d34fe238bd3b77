import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REVISIONS } from "../../../src/contract/core/revision-names.ts";
import { bundledScenarios } from "../../../src/scripts/script-files.ts";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { Workbench } from "../setup/workbench.ts";

const START = "--clock manual --now 2026-01-05T09:00:00Z --seed 7";

let place: Workbench;
let simulator: RunningCli;

beforeAll(async () => {
  place = new Workbench();
  simulator = await place.start(START);
});

afterAll(() => place.close());

const write = (name: string, steps: readonly object[]) =>
  writeFileSync(place.file(name), JSON.stringify({ name: "s", steps }, null, 2));

const ADA = {
  name: "ada",
  request: { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } },
};

// spec/scenarios.md#revisions
describe.each(REVISIONS)("every scenario of the package in revision %s", (served) => {
  let own: Workbench;

  beforeAll(async () => {
    own = new Workbench();
    await own.start(`${START} --revision ${served}`);
  });

  afterAll(() => own.close());

  test.each(bundledScenarios())("%s is as expected", async (name) => {
    const ended = await own.run(`run ${name} --json`);
    const { ok, stepCount, steps, revision } = documentOf(ended);
    expect(steps.filter((step: { ok: boolean }) => !step.ok)).toEqual([]);
    expect({ code: ended.code, ok, revision, stderr: ended.stderr }).toEqual({
      ...{ code: 0, ok: true },
      revision: served,
      stderr: "",
    });
    expect(steps).toHaveLength(stepCount);
  });
});

test("a step that the revision has not is no part of the run, nor of what CI is told", async () => {
  const later = { since: "2026-08", advance: "1h" };
  const wrong = { ...ADA, name: "bob", expect: { status: 404 } };
  write("steps.json", [ADA, later, { before: "2026-08", ...wrong }, { advance: "1m" }]);
  const { stdout } = await place.run("run steps.json --junit steps.xml");
  expect(stdout).toContain("✗ s: step 2 of 3 (bob) is not as expected");
  const names = readFileSync(place.file("steps.xml"), "utf8").match(/ name="step [^"]*"/g);
  expect(names).toEqual([' name="step 1, ada"', ' name="step 2, bob"', ' name="step 3"']);
});

test("a row for each step, as the file writes it, and the sum", async () => {
  write("shop.json", [ADA, { advance: "6m" }, { webhook: { about: "${ada.id}", count: 0 } }]);
  const { code, stdout, stderr } = await place.run("run shop.json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [id] = stdout.match(/Customer:[0-9a-f-]{36}/) ?? [];
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["1", "ada", "POST /customers", "✓ 201", id],
    ["2", "advance 6m", "✓ 0 fired, 0 sent"],
    ["3", "webhook of any type about ${ada.id}", "✓ 0 found"],
    [""],
    ["✓ s: 3 steps as expected"],
    [""],
  ]);
});

describe("a step that is not as expected ends the run with 1 and its difference", () => {
  test.each([
    {
      what: "a member of the answer",
      step: { ...ADA, name: "bob", expect: { body: { kycStatus: "PENDING" } } },
      difference: { at: "kycStatus", expected: '"PENDING"', found: '"APPROVED"' },
    },
    {
      what: "a status",
      step: { request: { method: "GET", path: "/customers/${ada.id}" }, expect: { status: 404 } },
      difference: { at: "status", expected: "404", found: "200" },
    },
    {
      what: "a refusal",
      step: { request: { method: "GET", path: "/quotes/Quote:none" } },
      difference: {
        at: "status",
        expected: "2xx",
        found: "404 QUOTE_NOT_FOUND: No quote Quote:none",
      },
    },
    {
      what: "a webhook that did not come",
      step: { webhook: { type: "CUSTOMER.KYC_APPROVED", about: "${ada.id}", count: 2 } },
      difference: { at: "count", expected: "2", found: "0" },
    },
    {
      what: "a balance",
      step: { balance: { account: "InternalAccount:x", amount: 5 } },
      difference: { at: "amount", expected: "5", found: "0" },
    },
    {
      what: "an answer that came",
      step: { request: { method: "GET", path: "/config" }, expect: { lost: true } },
      difference: { at: "answer", expected: "none", found: "200" },
    },
    {
      what: "a bundle that cannot be opened",
      step: { openSession: { bundle: "nothing", key: "00" } },
      difference: { at: "openSession", expected: "it is done", found: expect.any(String) },
    },
    {
      what: "a member that an answer lacks",
      step: { request: { method: "GET", path: "/customers/${ada.nickname}" } },
      difference: {
        at: "reference",
        expected: "${ada.nickname} to name a member of what step ada was answered",
        found: expect.stringMatching(/^no nickname in id, /),
      },
    },
  ])("$what", async ({ step, difference }) => {
    write("wrong.json", [ADA, step, { advance: "1s" }]);
    const ended = await place.run("run wrong.json --json");
    expect(ended.code).toBe(1);
    const report = documentOf(ended);
    expect(report).toMatchObject({ scenario: "s", file: "wrong.json", ok: false, stepCount: 3 });
    expect(report.steps.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false]);
    expect(report.steps[1].differences).toMatchObject([difference]);
  });
});

test("people read file and line, what was expected and what was found", async () => {
  writeFileSync(
    place.file("lines.json"),
    '{ "name": "lines", "steps": [\n' +
      '  { "name": "cfg",\n' +
      '    "request": { "method": "GET", "path": "/config" },\n' +
      '    "expect": { "body": {\n' +
      '      "umaDomain": "pay.shop.example" } } }\n' +
      "] }\n",
  );
  const { code, stdout } = await place.run("run lines.json");
  expect(code).toBe(1);
  expect(stdout.split("\n").slice(1)).toEqual([
    "",
    "lines.json:5  umaDomain",
    '  expected "pay.shop.example"',
    '  found    "pay.sandbox.test"',
    "",
    "✗ lines: step 1 of 1 (cfg) is not as expected",
    "",
  ]);
});

const worlds = async () =>
  (await simulator.control("GET", "/worlds")).body.data.map(({ name }: { name: string }) => name);

describe("it runs in a fork of the world", () => {
  test("which finds what the world has, leaves nothing in it, and is removed", async () => {
    const { body } = await simulator.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const before = {
      worlds: await worlds(),
      now: (await simulator.control("GET", "/clock")).body.now,
    };
    const count = (await simulator.call("GET", "/customers")).body.totalCount;
    write("there.json", [
      { request: { method: "GET", path: `/customers/${body.id}` } },
      ADA,
      { advance: "1h" },
    ]);
    const ended = await place.run("run there.json --json");
    expect(ended.code).toBe(0);
    expect(before.worlds).not.toContain(documentOf(ended).world);
    expect((await simulator.call("GET", "/customers")).body.totalCount).toBe(count);
    const now = (await simulator.control("GET", "/clock")).body.now;
    expect({ worlds: await worlds(), now }).toEqual(before);
  });

  test("which --keep keeps, and says how to look at it", async () => {
    write("kept.json", [ADA]);
    const { world } = documentOf(await place.run("run kept.json --keep --json"));
    expect(await worlds()).toContain(world);
    const { stdout } = await place.run(`api GET /customers --world ${world} --json`);
    expect(stdout).toContain('"customerType":"INDIVIDUAL"');
    const { stdout: people } = await place.run("run kept.json --keep");
    expect(people).toMatch(/world (\S+) is kept: service-sim status --world \1\n/);
  });

  test("of the world that --world names", async () => {
    await place.run("worlds create other");
    const other = await place.run(
      "api POST /customers customerType=INDIVIDUAL fullName=Eve --world other",
    );
    expect(other.code).toBe(0);
    write("other.json", [
      {
        request: { method: "GET", path: "/customers" },
        expect: { body: { "data.0.fullName": "Eve" } },
      },
    ]);
    expect((await place.run("run other.json --world other")).code).toBe(0);
    expect((await place.run("run other.json")).code).toBe(1);
  });

  test("and is removed when a step fails too", async () => {
    const before = await worlds();
    write("wrong.json", [{ balance: { account: "InternalAccount:x", amount: 5 } }]);
    expect((await place.run("run wrong.json")).code).toBe(1);
    expect(await worlds()).toEqual(before);
  });

  test("whose clock stands still although the world's runs", async () => {
    await simulator.control("PUT", "/clock", { mode: "real" });
    write("still.json", [
      {
        name: "one",
        request: { method: "GET", path: "/_sim/clock" },
        expect: { body: { mode: "manual" } },
      },
      { request: { method: "GET", path: "/_sim/clock" }, expect: { body: { now: "${one.now}" } } },
    ]);
    const ended = await place.run("run still.json");
    await simulator.control("PUT", "/clock", { mode: "manual" });
    expect(ended.code).toBe(0);
  });
});

test("a file with a mistake is refused with its line before anything is called", async () => {
  writeFileSync(place.file("bad.json"), '{ "name": "s",\n  "steps": [{ "advance": 6 }] }');
  const before = (await simulator.call("GET", "/customers")).body.totalCount;
  const ended = await place.run("run bad.json");
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain("Expected a string at line 2, column 26 of bad.json but found 6");
  expect((await simulator.call("GET", "/customers")).body.totalCount).toBe(before);
});

test("--schema prints what is published", async () => {
  const { stdout, code } = await place.run("run --schema");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(
      readFileSync(new URL("../../../fixtures/scenario.schema.json", import.meta.url), "utf8"),
    ),
  );
});

test.each([
  { words: "run", says: "say which scenario, for example: run payout", code: 2 },
  { words: "run payuot", says: "the closest one is payout", code: 2 },
  {
    words: "run ./none.json",
    says: "Expected a scenario at ./none.json but found no file",
    code: 2,
  },
])("$words says what is missing", async ({ words, says, code }) => {
  const ended = await place.run(words);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(says);
});

test.each(["bash", "zsh", "fish"])(
  "%s completes the names of scenarios and worlds",
  async (shell) => {
    const { stdout } = await place.run(`completion ${shell}`);
    for (const name of ["uma-in-and-out", "failed-and-refunded", "wallet-demo", "cards-demo"])
      expect(stdout).toContain(name);
  },
);

test("without a simulator it exits with 3", async () => {
  const ended = await place.run("run payout", { folder: "empty" });
  expect(ended.code).toBe(3);
});
