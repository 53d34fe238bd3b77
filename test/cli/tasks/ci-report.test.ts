import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { strictXml } from "../../setup/strict-xml.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const GITHUB = () => ({ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: place().path });

const annotations = (text: string) => text.split("\n").filter((line) => line.startsWith("::"));

/** Cases of the file that a command wrote: name, outcome, its text. */
const cases = () => {
  const report = strictXml(readFileSync(place().file("junit.xml"), "utf8"));
  const [suite] = report.children;
  return (suite?.children ?? []).map(({ attributes: { name }, children: [outcome] }) => ({
    name,
    outcome: outcome?.name ?? "passed",
    ...(outcome?.attributes.message !== undefined && { says: outcome.attributes.message }),
    ...(outcome && outcome.text !== "" && { lines: outcome.text.split("\n") }),
  }));
};

const WRONG = `{ "name": "shop", "steps": [
  { "name": "config", "request": { "method": "GET", "path": "/config" } },
  { "request": { "method": "GET", "path": "/quotes/Quote:none" } },
  { "advance": "1s" }
] }
`;

describe("a scenario", () => {
  beforeEach(async () => {
    await place().start("--clock manual");
    writeFileSync(place().file("shop.json"), WRONG);
  });

  test("has a case for each step, with those that were not reached", async () => {
    const { code, stderr } = await place().run("run shop.json --junit junit.xml", {
      env: GITHUB(),
    });
    const says = "status: expected 2xx but found 404 QUOTE_NOT_FOUND: No quote Quote:none";
    expect(code).toBe(1);
    expect(cases()).toEqual([
      { name: "step 1, config", outcome: "passed" },
      { name: "step 2, GET /quotes/Quote:none", outcome: "failure", says },
      { name: "step 3", outcome: "skipped" },
    ]);
    expect(annotations(stderr)).toEqual([
      "::error file=shop.json,line=3,title=service-sim run%3A step 2%2C GET /quotes/Quote%3Anone::" +
        says,
    ]);
  });

  test("is annotated neither with --json nor elsewhere than at GitHub", async () => {
    const json = await place().run("run shop.json --json", { env: GITHUB() });
    const elsewhere = await place().run("run shop.json", { env: { GITHUB_ACTIONS: "false" } });
    expect(annotations(json.stdout + json.stderr)).toEqual([]);
    expect(annotations(elsewhere.stdout + elsewhere.stderr)).toEqual([]);
  });

  test("that passes has no annotation", async () => {
    const { stderr } = await place().run("run payout --junit junit.xml", { env: GITHUB() });
    expect(stderr).toBe("");
    expect(new Set(cases().map(({ outcome }) => outcome))).toEqual(new Set(["passed"]));
  });
});

describe("a command that checks nothing", () => {
  test("says why in one failed case", async () => {
    writeFileSync(place().file("junit.xml"), "of an earlier run");
    const env = { ...GITHUB(), SERVICE_SIM_URL: "http://127.0.0.1:9" };
    const { code, stderr } = await place().run("run payout --junit junit.xml", { env });
    expect(code).toBe(3);
    expect(cases()).toMatchObject([{ name: "run payout", outcome: "failure" }]);
    expect(annotations(stderr)).toHaveLength(1);
  });

  test("does nothing when the file cannot be written", async () => {
    const { code, stderr } = await place().run([
      ..."exec --junit no/such/junit.xml -- touch ran".split(" "),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("--junit: cannot write no/such/junit.xml: no such folder");
    expect(existsSync(place().file("ran"))).toBe(false);
  });
});

test("coverage has a case for each group, and one for the wanted score", async () => {
  await place().start();
  const words = "coverage --min 60 --junit junit.xml";
  const { code, stderr } = await place().run(words, { env: GITHUB() });
  expect(code).toBe(1);
  const all = cases();
  expect(all[0]).toMatchObject({
    outcome: "system-out",
    name: expect.stringMatching(/^operations: 0 of /),
  });
  expect(all.at(-1)).toMatchObject({
    name: "at least 60 %",
    outcome: "failure",
    says: "Expected coverage of at least 60 % but found 0 %",
  });
  expect(annotations(stderr)).toHaveLength(1);
  expect((await place().run("coverage --junit junit.xml", { env: GITHUB() })).code).toBe(0);
  expect(cases().filter(({ outcome }) => outcome === "failure")).toEqual([]);
});

describe("conform", () => {
  const reply = (schema: object) => ({
    responses: { 200: { content: { "application/json": { schema } } } },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "pets", version: "1" },
    paths: {
      "/pets": { get: reply({ type: "object" }) },
      "/cats": { get: reply({ type: "array" }) },
    },
  };

  beforeEach(() => {
    const line = (path: string, status: number) =>
      JSON.stringify({ method: "GET", path, status, responseBody: {} });
    writeFileSync(place().file("pets.json"), JSON.stringify(document));
    const lines = [line("/pets", 200), line("/cats", 200), line("/pets", 418)];
    writeFileSync(place().file("traffic"), lines.join("\n"));
  });

  test.each([
    { min: "100", code: 1, outcome: "failure", annotated: 2 },
    { min: "30", code: 0, outcome: "system-out", annotated: 0 },
  ])("fails cases below --min $min alone", async ({ min, code, outcome, annotated }) => {
    const words = `conform pets.json --traffic traffic --min ${min} --junit junit.xml`;
    const ended = await place().run(words, { env: GITHUB() });
    expect(ended.code).toBe(code);
    expect(cases()).toMatchObject([
      { name: "GET /pets", outcome, lines: ["418 is not described"] },
      { name: "GET /cats", outcome, lines: [expect.stringMatching(/^200 response \/: /)] },
    ]);
    expect(annotations(ended.stderr)).toHaveLength(annotated);
  });
});

describe("exec", () => {
  const exec = (code: string) =>
    place().run(["exec", "--junit", "junit.xml", "--", process.execPath, "-e", code], {
      env: GITHUB(),
    });
  const CALL = `
    const { SERVICE_SIM_API_URL: url, SERVICE_SIM_CLIENT_ID: id } = process.env;
    const { SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
    const get = (world, path) =>
      fetch(url + path, { headers: { authorization: "Basic " + btoa(id + world + ":" + secret) } });
    await get("", "/config");
    await get("+one", "/quotes/Quote:none");
  `;

  test("has one case, with the calls that were refused in every world", async () => {
    const { code, stderr } = await exec(`${CALL} await get("", "/customers/x"); process.exit(3);`);
    expect(code).toBe(3);
    const [only, ...others] = cases();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ outcome: "failure", says: "ended with exit code 3" });
    expect(only?.lines?.map((line) => line.replace(/req-\S+/, "req"))).toEqual([
      "2 calls refused",
      "req GET /quotes/Quote:none",
      "  404 QUOTE_NOT_FOUND: No quote Quote:none. POST /quotes creates one",
      "req GET /customers/x",
      "  404 USER_NOT_FOUND: No customer x. GET /customers lists them",
    ]);
    expect(annotations(stderr)).toHaveLength(1);
  });

  test("passes with its refused calls as output, and no annotation", async () => {
    const { code, stderr } = await exec(CALL);
    expect(code).toBe(0);
    expect(cases()).toMatchObject([{ outcome: "system-out", lines: { 0: "1 call refused" } }]);
    expect(annotations(stderr)).toEqual([]);
  });

  test("leaves a failure without a refused call to GitHub", async () => {
    expect(annotations((await exec("process.exit(1)")).stderr)).toEqual([]);
    expect(cases()).toMatchObject([{ outcome: "failure", lines: ["0 calls refused"] }]);
  });

  test("annotates nothing that a command inside it has annotated", async () => {
    writeFileSync(place().file("shop.json"), WRONG);
    const { code, stdout, stderr } = await place().shell(
      "service-sim exec -- service-sim run shop.json",
      {
        env: GITHUB(),
      },
    );
    expect(code).toBe(1);
    expect(annotations(stdout + stderr)).toEqual([
      expect.stringMatching(/^::error file=shop\.json,line=3,/),
    ]);
  });
});
