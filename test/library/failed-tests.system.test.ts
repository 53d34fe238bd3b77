import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyInstalled } from "../setup/installed.ts";
import { ours } from "../setup/packed.ts";

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});

afterEach(() => place.close());

const plain = stripVTControlCharacters;

const reportsIn = (text: string) => plain(text).match(/^service-sim: .*$/gm) ?? [];

const run = (...command: string[]) =>
  place.spawn([process.execPath, ...command], { folder: "npm", env: { CI: "1" } }).ended;

/** Runs each line that replays something, as a person would paste it. */
const replayAll = async (text: string) => {
  const lines = plain(text).match(/^ {2}npx service-sim replay .*$/gm) ?? [];
  const outcomes: string[] = [];
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(80);
    const [, , ...args] = line.trim().split(" ");
    const program = "node_modules/service-sim/bin/service-sim.js";
    const { code, stdout } = await run(program, ...args);
    outcomes.push(`${code} ${stdout}`);
  }
  return outcomes;
};

const REFUSED = expect.stringMatching(
  /^0 2 requests repeated, no difference\nrefused, as in the recorded run:\n {2}req-1-2 GET \/quotes\/Quote:none\n {4}404 QUOTE_NOT_FOUND: /,
);

const call = `
  await sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await sim.call.getQuote({ params: { quoteId: "Quote:none" } });
`;

const VITEST = `
import { beforeEach, describe } from "vitest";
import { expect, test } from "service-sim/vitest";
const failing = async (sim) => { ${call} };
test("fails", ({ sim }) => failing(sim));
test("passes", ({ sim }) => expect(failing(sim)).rejects.toThrow());
test.fails("is known to fail", ({ sim }) => failing(sim));
let tries = 0;
test("passes in the end", { retry: 1 }, async ({ sim }) => { tries += 1; if (tries === 1) await failing(sim); });
test("fails each time", { retry: 1 }, ({ sim }) => failing(sim));
test("closed", async ({ sim }) => { await sim.close(); throw new Error("later"); });
test("forked", async ({ sim }) => failing(await sim.fork()));
describe.concurrent("at once", () => {
  for (const at of [1, 2]) test("number " + at, async ({ sim }) => { if (at === 2) await failing(sim); });
});
describe("before each", () => {
  beforeEach(({ sim }) => failing(sim));
  test("never begins", () => {});
});
`;

const vitestPlace = async () => {
  await copyInstalled(place, { type: "module" });
  symlinkSync(ours("vitest"), place.file("npm", "node_modules", "vitest"));
  const config = 'export default { test: { globalSetup: "service-sim/vitest/setup" } };\n';
  writeFileSync(place.file("npm", "vitest.config.js"), config);
};

// spec/capsules.md#failed-tests
test("vitest: each failed test leads to its replay, and no other prints anything", async () => {
  await vitestPlace();
  writeFileSync(place.file("npm", "shop.test.js"), VITEST);
  const { code, stderr, stdout } = await run(ours("vitest", "vitest.mjs"), "run");
  expect(code).toBe(1);
  const reports = reportsIn(stderr + stdout);
  const titles = ["fails", "fails each time", "closed", "forked", "at once > number 2"];
  expect(reports).toEqual(
    [...titles, "before each > never begins"].map((title) =>
      expect.stringMatching(
        new RegExp(`^service-sim: "${title}" failed in the world t-[0-9a-f]{12}(-r1)?$`),
      ),
    ),
  );
  expect(await replayAll(stderr)).toEqual([
    REFUSED,
    REFUSED,
    "0 0 requests repeated, no difference\n",
    expect.stringMatching(/^0 3 requests repeated, no difference\n/),
    REFUSED,
    REFUSED,
  ]);
  for (const line of plain(stderr)
    .split("\n")
    .filter((one) => /^ {2}(refused|webhooks|capsule| {8}) /.test(one)))
    expect(line.length).toBeLessThanOrEqual(80);
});

test("vitest: a test whose process ended is told at the end", async () => {
  await vitestPlace();
  const text = `
    import { test } from "service-sim/vitest";
    test("ends", async ({ sim }) => {
      await sim.call.listCustomers();
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    });
  `;
  writeFileSync(place.file("npm", "ends.test.js"), text);
  const { code, stderr } = await run(ours("vitest", "vitest.mjs"), "run");
  expect(code).toBe(1);
  expect(reportsIn(stderr)).toEqual([
    expect.stringMatching(/^service-sim: the process of "ends" ended and left the world t-/),
  ]);
  expect(await replayAll(stderr)).toEqual(["0 1 requests repeated, no difference\n"]);
});

test("vitest: a simulator that is there is taken, and none is started beside it", async () => {
  await vitestPlace();
  const text = `
    import { expect, test } from "service-sim/vitest";
    test("same", ({ sim }) => expect(sim.apiUrl).toBe(process.env.SERVICE_SIM_API_URL));
    test("fails", async ({ sim }) => { ${call} });
  `;
  writeFileSync(place.file("npm", "there.test.js"), text);
  const program = "node_modules/service-sim/bin/service-sim.js";
  const vitest = [process.execPath, ours("vitest", "vitest.mjs"), "run"];
  const { code, stderr, stdout } = await run(program, "exec", "--", ...vitest);
  expect({ code, tests: plain(stdout) }).toEqual({
    code: 1,
    tests: expect.stringMatching(/Tests +1 failed \| 1 passed/),
  });
  expect(await replayAll(stderr)).toEqual([REFUSED]);
  const env = { SERVICE_SIM_URL: "http://127.0.0.1:9" };
  const gone = await place.spawn(vitest, { folder: "npm", env }).ended;
  expect(gone.code).toBe(1);
  expect(plain(gone.stdout + gone.stderr)).toContain("which SERVICE_SIM_URL names, but found none");
});

test("jest: its reporter prints each failed test's replay", async () => {
  await copyInstalled(place);
  const config = `module.exports = {
    globalSetup: "service-sim/jest/setup",
    globalTeardown: "service-sim/jest/teardown",
    setupFilesAfterEnv: ["service-sim/jest"],
    reporters: ["default", "service-sim/jest/reporter"],
  };`;
  writeFileSync(place.file("npm", "jest.config.js"), config);
  const text = `
    const failing = async () => { ${call} };
    describe("shop", () => {
      test("fails", failing);
      test("passes", () => expect(failing()).rejects.toThrow());
      test.failing("is known to fail", failing);
    });
    describe("again", () => {
      jest.retryTimes(1);
      let tries = 0;
      test("passes in the end", async () => { tries += 1; if (tries === 1) await failing(); });
      test("fails each time", failing);
    });
    describe("before each", () => {
      beforeEach(failing);
      test("never begins", () => {});
    });
  `;
  for (const name of ["one", "two"]) writeFileSync(place.file("npm", `${name}.test.js`), text);
  const { code, stderr } = await run(
    ours("jest", "bin", "jest.js"),
    "--watchman=false",
    "--ci",
    "-w",
    "2",
  );
  expect(code).toBe(1);
  const titles = ["again fails each time", "before each never begins", "shop fails"];
  expect(
    reportsIn(stderr)
      .map((line) => /"(.*)" failed/.exec(line)?.[1])
      .sort(),
  ).toEqual(titles.flatMap((title) => [title, title]));
  expect(await replayAll(stderr)).toEqual(Array(6).fill(REFUSED));
});

test("Playwright: a failed test prints its replay, which works when the run is over", async () => {
  await copyInstalled(place);
  const scope = place.file("npm", "node_modules", "@playwright");
  if (!existsSync(scope)) symlinkSync(ours("@playwright"), scope);
  const config = `const { simulatorServer } = require("service-sim/playwright");
    module.exports = { webServer: simulatorServer({ port: 0 }), testMatch: "*.pw.js", retries: 1, workers: 2 };`;
  writeFileSync(place.file("npm", "playwright.config.js"), config);
  const text = `
    const { expect, test } = require("service-sim/playwright");
    const failing = async (sim) => { ${call} };
    test("fails", ({ sim }) => failing(sim));
    test("passes in the end", async ({ sim }, info) => { if (info.retry === 0) await failing(sim); });
    test("is known to fail", async ({ sim }) => { test.fail(); await failing(sim); });
  `;
  writeFileSync(place.file("npm", "shop.pw.js"), text);
  const program = "node_modules/service-sim/bin/service-sim.js";
  const playwright = [
    process.execPath,
    ours("@playwright", "test", "cli.js"),
    "test",
    "--reporter=list",
  ];
  // One that is there is taken by it, too.
  const { code, stderr, stdout } = await run(
    program,
    "exec",
    "--clock",
    "manual",
    "--",
    ...playwright,
  );
  expect(code).toBe(1);
  expect(reportsIn(stderr + stdout)).toEqual([
    expect.stringMatching(/^service-sim: "fails" failed in the world t-[0-9a-f]{12}-r1$/),
  ]);
  expect(await replayAll(stderr + stdout)).toEqual([REFUSED]);
  expect(readdirSync(place.file("npm", ".service-sim", "failures"))).toHaveLength(2);
});
