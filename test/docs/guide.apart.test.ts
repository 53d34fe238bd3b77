import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { benchPerTest } from "../cli/setup/place-per-test.ts";
import { isCampaign } from "../setup/campaign.ts";
import { testFiles } from "../setup/projects.ts";
import { blocksOf, blockWith } from "./setup/doc-blocks.ts";
import {
  ELSEWHERE,
  GUIDES,
  guide,
  RUNS,
  shellBlocks,
  testPages,
  textsIn,
} from "./setup/guide-pages.ts";

const place = benchPerTest();

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

testPages(isCampaign);

test("every shell block is run, or by a test that is named", () => {
  const all = GUIDES.flatMap(shellBlocks);
  const run = new Set(RUNS.flatMap(textsIn));
  expect(all.filter(({ text }) => !run.has(text))).toEqual([]);
  const everyBlock = GUIDES.flatMap(blocksOf);
  for (const { holds } of ELSEWHERE)
    expect(everyBlock.some(({ text }) => text.includes(holds), holds)).toBe(true);
});

test("the library runs as the guide shows it", async () => {
  const block = blockWith(guide("tests-and-ci"), "const reply = await sim.fetch");
  const program = `${block}console.log(reply.status);\n`;
  mkdirSync(place().file("node_modules"));
  symlinkSync(ROOT, place().file("node_modules", "service-sim"));
  writeFileSync(place().file("library.mjs"), program);
  const { code, stdout, stderr } = await place().spawn([process.execPath, "library.mjs"]).ended;
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "200\n" });
});

test("the fixture of the guide is put in", async () => {
  writeFileSync(place().file("mine.json"), blockWith(guide("tests-and-ci"), '"one-payer"'));
  const { call } = await place().start();
  expect(await place().run("seed ./mine.json")).toMatchObject({ code: 0 });
  expect((await call("GET", "/customers")).body.data).toHaveLength(1);
});

test("the scenario of the guide runs", async () => {
  writeFileSync(place().file("mine.json"), blockWith(guide("tests-and-ci"), '"one-customer"'));
  await place().start("--clock manual");
  expect(await place().run("run ./mine.json")).toMatchObject({ code: 0 });
});

test("the config file of the guide is read", async () => {
  const config = blockWith(guide("configuration"), '"clock"');
  writeFileSync(place().file("service-sim.config.json"), config);
  const { control } = await place().start();
  expect((await control("GET", "/status")).body).toMatchObject({ seed: "7" });
  expect((await control("GET", "/clock")).body).toMatchObject({ mode: "manual" });
});

test("the brand file of the guide is taken, and a start of another brand refused", async () => {
  writeFileSync(place().file("acme.json"), blockWith(guide("real-clients"), '"word"'));
  const running = await place().startProcess("--brand acme.json");
  const ask = 'curl -s -u "$ACME_CLIENT_ID:$ACME_CLIENT_SECRET" $ACME_BASE_URL/config';
  const { stdout } = await place().shell(`eval "$(service-sim env)"; ${ask}`);
  expect(JSON.parse(stdout)).toMatchObject({ umaDomain: "pay.sandbox.test" });
  const { body } = await running.control("GET", "/status");
  expect(body.settings).toMatchObject({
    brand: { word: "acme", paths: { "/acme/2025-10-13": "2025-10-13" } },
    sandboxUmaDomains: ["sandbox.acme.test"],
  });
  await place().run("stop");
  const other = await place().run("start --brand globex");
  expect(other.stderr).toContain("Expected --brand acme, which the state in");
  expect(other.code).toBe(2);
});

test("every block of another language is run by a test", () => {
  const others = GUIDES.flatMap(blocksOf).filter(({ language }) => !["", "sh"].includes(language));
  const run = [
    "await sim.advance",
    '"one-payer"',
    '"one-customer"',
    '"clock"',
    '"word"',
    ...ELSEWHERE.map((one) => one.holds),
  ];
  expect(others.filter(({ text }) => !run.some((holds) => text.includes(holds)))).toEqual([]);
});

/** Commands that `.ci/run` calls itself, or whose tests it runs. */
const CI_RUNS: readonly string[] = ["npm ci", "npm run check", "npm run test:unit"];

test("the commands of the pages for contributors work, or are those of CI", () => {
  const pages = [".github/CONTRIBUTING.md", ".github/SECURITY.md", "src/README.md"];
  const commands = pages
    .flatMap(blocksOf)
    .flatMap(({ text }) => text.trim().split("\n"))
    .filter((line) => !CI_RUNS.includes(line));
  // The run of these tests is that command for all files.
  expect(commands).toEqual(["npx vitest run test/domain/money/ledger.test.ts"]);
  expect(testFiles()).toContain("test/domain/money/ledger.test.ts");
});
