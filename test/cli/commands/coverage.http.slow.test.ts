import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contractHash } from "../../../src/coverage/coverage-file.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "coverage-"));
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
  vi.stubEnv("SERVICE_SIM_CLIENT_ID", world.sim.clientId);
  vi.stubEnv("SERVICE_SIM_CLIENT_SECRET", world.sim.clientSecret);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await world.sim.close();
  rmSync(folder, { recursive: true });
});

const coverage = (...args: string[]) => runInProcess(["coverage", ...args, "--url", url]);

test("it shows each group with its first missing items and the line that meets each", async () => {
  await world.call("GET", "/config");
  const { code, stdout, stderr } = await coverage();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^~ operations {2}1 of 103\n/);
  expect(stdout).toContain(
    ["~ retries  0 of 2", "  retries.after-an-error", "  retries.after-no-answer", ""].join("\n"),
  );
  expect(stdout).toMatch(/\n {2}and \d+ more\n\n~ webhooks {2}0 of 31\n/);
  expect(stdout).toMatch(
    /\n\n0\.5 % {2}2 of \d+ items covered\n {2}service-sim coverage --exercise <item> {4}covers an item\n$/,
  );
  const all = (await coverage("--all")).stdout;
  expect(all).toContain("  service-sim api GET /tokens\n");
  expect(all).toContain("  service-sim api GET '/receiver/uma/$success.usd@sandbox.uma.test'\n");
  expect(all).toContain(
    '  service-sim api POST /customers --data \'{"customerType":"INDIVIDUAL","fullName":"Ada Byron"}\'\n',
  );
  expect(all).toContain("\n  outcomes.walletProof.otherwise\n");
  expect(all).not.toContain(" more\n");
});

test("--json prints the report, --quiet the score", async () => {
  const { body } = await world.control("GET", "/coverage");
  expect(JSON.parse((await coverage("--json")).stdout)).toEqual(body);
  expect(await coverage("--quiet")).toEqual({ code: 0, stdout: "0\n", stderr: "" });
});

test("--min exits 1 below the percentage, with a line that raises it", async () => {
  await world.call("GET", "/config");
  expect(await coverage("--min", "0.5", "--quiet")).toMatchObject({ code: 0, stderr: "" });
  const { code, stderr } = await coverage("--min", "60");
  expect(code).toBe(1);
  expect(stderr).toContain("error  Expected coverage of at least 60 % but found 0.5 %\n");
  expect(stderr).toContain("service-sim ");
  const told = JSON.parse((await coverage("--min", "60", "--json")).stdout);
  expect(told).toMatchObject({ score: 0.5, error: { code: "COVERAGE_BELOW", exitCode: 1 } });
  const wrong = await coverage("--min", "much");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Expected a percentage from 0 to 100 but found "much"');
});

test("--html writes one page that needs no other file", async () => {
  const file = join(folder, "coverage.html");
  await coverage("--html", file);
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>\n/);
  expect(page).toContain("<h1>Coverage 0 %</h1>");
  expect(page).toContain(
    "<td>createCustomer</td><td><code>POST /customers " +
      "{&quot;customerType&quot;:&quot;INDIVIDUAL&quot;,&quot;fullName&quot;:&quot;Ada Byron&quot;}",
  );
  const nowhere = await coverage("--html", join(folder, "none", "page.html"));
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain("cannot write ");
  expect(page).not.toMatch(/<script|<link|src=|href=|https?:/);
});

test("--exercise makes the calls of an item and says that it is covered", async () => {
  const { code, stdout, stderr } = await coverage("--exercise", "outcomes.document.203");
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "POST /customers  201\nPOST /documents  400\n✓ outcomes.document.203 is covered\n",
    stderr: "",
  });
  const { groups } = (await world.control("GET", "/coverage")).body;
  expect(JSON.stringify(groups)).not.toContain("outcomes.document.203");
});

test("--exercise with a receiver gives the world its endpoint back", async () => {
  await world.call("PATCH", "/config", { webhookEndpoint: "http://127.0.0.1:9/hooks" });
  const { code, stdout } = await coverage("--exercise", "approvals.incoming-payment-rejected");
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect((await world.call("GET", "/config")).body.webhookEndpoint).toBe(
    "http://127.0.0.1:9/hooks",
  );
});

test("--exercise of a webhook that the endpoint does not accept says so", async () => {
  await world.call("PATCH", "/config", { webhookEndpoint: "http://127.0.0.1:9/hooks" });
  const { code, stderr } = await coverage("--exercise", "webhooks.OUTGOING_PAYMENT.PENDING");
  expect(code).toBe(1);
  expect(stderr).toContain("webhooks.OUTGOING_PAYMENT.PENDING was not covered: ");
});

test("--exercise that fails by the settings of the world names a new world", async () => {
  await world.sim.close();
  world = await startTestSimulator({ crypto: "strict" });
  ({ url } = await world.sim.listen());
  vi.stubEnv("SERVICE_SIM_CLIENT_SECRET", world.sim.clientSecret);
  const { code, stderr } = await coverage("--exercise", "outcomes.walletProof.000000");
  expect(code).toBe(1);
  expect(stderr).toContain(
    "outcomes.walletProof.000000 was not covered: this world's endpoint or settings differ " +
      "from a new world's. Expected 2xx from POST /auth/credentials/",
  );
  expect(stderr).toContain(
    "service-sim exec service-sim coverage --exercise 'outcomes.walletProof.000000'    makes",
  );
});

test("--exercise of an unknown item names the closest", async () => {
  const { code, stderr } = await coverage("--exercise", "outcomes.quotedPaymnt.003");
  expect(code).toBe(2);
  expect(stderr).toContain("no item outcomes.quotedPaymnt.003\n");
  expect(stderr).toContain("coverage --exercise 'outcomes.quotedPayment.003'\n");
});

test("--clear counts again", async () => {
  await world.call("GET", "/config");
  expect((await coverage("--clear")).code).toBe(0);
  expect((await coverage("--quiet")).stdout).toBe("0\n");
});

test("--dir adds files up, and names those that it skips", async () => {
  const file = (name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  const contract = contractHash();
  const counts = { operations: { getConfig: 3 } };
  file("1-a.json", { coverage: 1, contract, counts });
  file("2-b.json", { coverage: 1, contract: "other", counts });
  const { code, stdout, stderr } = await runInProcess(["coverage", "--dir", folder]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n0\.2 % {2}1 of \d+ items covered\n/);
  expect(stderr).toContain(
    `note   skipped ${join(folder, "2-b.json")}: it was written by a version with other items\n`,
  );
  rmSync(join(folder, "1-a.json"));
  const none = await runInProcess(["coverage", "--dir", folder]);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(`no coverage file in ${folder} can be read\n`);
  const missing = await runInProcess(["coverage", "--dir", join(folder, "none")]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain(
    `cannot read the folder ${join(folder, "none")}: no such folder\n`,
  );
});
