import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { runInProcess } from "../cli/setup/in-process.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let url: string;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "conform-"));
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
});

afterEach(async () => {
  await world.sim.close();
  rmSync(folder, { recursive: true });
});

const kept = (name: string, content: object | string) => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

const conform = (...args: string[]) => runInProcess(["conform", ...args, "--url", url]);

const ourDocument = () => JSON.parse(JSON.stringify(openApiDocument("0.0.0")));

const pay = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "002");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${quote.id}/execute`);
  await world.sim.advance("6m");
  await world.call("GET", `/transactions/${quote.transactionId}`);
  await world.call("GET", "/quotes/Quote:none");
};

// spec/conform.md#report
test("our own calls and webhooks fit our own document", async () => {
  await pay();
  const { code, stdout } = await conform(kept("own.json", ourDocument()), "--json", "--min", "100");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ score: 100, undocumented: [], invalid: [], meant: [] });
  expect(report.operations).toContainEqual({
    operation: "POST /quotes/{quoteId}/execute",
    score: 100,
    statuses: [{ status: "200", met: 1, valid: 1 }],
  });
  expect(report.exchanges).toBeGreaterThan(10);
  expect(code).toBe(0);
});

test("a document that says otherwise is found out, unless that is meant", async () => {
  await pay();
  const document = ourDocument();
  delete document.components.schemas.Quote.properties.rateDetails;
  delete document.paths["/quotes/{quoteId}"].get.responses["404"];
  delete document.webhooks["OUTGOING_PAYMENT.PENDING"];
  const file = kept("other.json", document);
  const { code, stdout, stderr } = await conform(file, "--min", "100");
  expect(code).toBe(1);
  expect(stderr).toContain("is below 100");
  expect(stdout).toMatch(/GET \/quotes\/\{quoteId\} +404 {2}1×/);
  expect(stdout).toContain("webhook OUTGOING_PAYMENT.PENDING");
  expect(stdout).toMatch(/POST \/quotes +201 +response +\/rateDetails: The document has no such/);
  kept(".conformignore", "POST /quotes* * /rateDetails* # another version\n");
  const { stdout: second } = await conform(file);
  expect(second).toMatch(/differ, as is meant\n(?:.*\n)*POST \/quotes +201 +another version/);
});

test.each([
  { what: "a document that does not parse", files: ["{ broken"], code: 2, says: "does not parse" },
  { what: "no OpenAPI document", files: [{ a: 1 }], code: 2, says: "Expected openapi 3.0 or 3.1" },
  {
    what: "traffic that is cut off",
    files: [ourDocument(), '{"method":"GET","path":"/config","status":200}\n{"meth'],
    code: 1,
    says: "in line 2",
  },
  { what: "empty traffic", files: [ourDocument(), "\n"], code: 1, says: "no traffic to compare" },
])("$what is refused", async ({ files: [document, traffic], code, says }) => {
  const file = kept("document.json", document as object | string);
  const more = traffic === undefined ? [] : ["--traffic", kept("traffic.jsonl", traffic)];
  const answer = await conform(file, ...more);
  expect(answer.stderr).toContain(says);
  expect(answer.code).toBe(code);
});

test("a simulator that cannot be reached is 3", async () => {
  const file = kept("own.json", ourDocument());
  const { code } = await runInProcess(["conform", file, "--url", "http://127.0.0.1:9"]);
  expect(code).toBe(3);
});
