import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
  expect(stdout).toMatch(
    /POST \/quotes +201 +response +\/rateDetails: The document does not have this member/,
  );
  kept(".conformignore", "POST /quotes* * /rateDetails* # another version\n");
  const { stdout: second } = await conform(file);
  expect(second).toMatch(/expected differences\n(?:.*\n)*POST \/quotes +201 +another version/);
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

// spec/errors.md#request-log
test("bodies beyond what the log shows are judged as a whole", async () => {
  for (let count = 0; count < 12; count += 1) await createPayer(world);
  const { body } = await world.call("GET", "/customers?limit=100");
  expect(body.data).toHaveLength(12);
  expect(JSON.stringify(body).length).toBeGreaterThan(3_000);
  const good = await conform(kept("own.json", ourDocument()), "--json", "--min", "100");
  expect(JSON.parse(good.stdout)).toMatchObject({ score: 100, invalid: [], notJudged: [] });
  const items = { properties: { id: { type: "number" } } };
  const schema = { properties: { data: { type: "array", items } } };
  const responses = { 200: { content: { "application/json": { schema } } } };
  const other = { openapi: "3.1.0", paths: { "/customers": { get: { responses } } } };
  const { stdout } = await conform(kept("other.json", other), "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    invalid: [{ operation: "GET /customers", in: "response", path: "/data/0/id" }],
    notJudged: [],
  });
});

// spec/conform.md
describe("YAML", () => {
  const yaml = (more = "") => `\uFEFFopenapi: 3.1.0\r
x-base: &base\r
  type: object\r
paths:\r
  /config:\r
    get:\r
      responses:\r
        200: # as a number\r
          content: {application/json: {schema: {<<: *base, required: [id]}}}\r
${more}`;
  const line = '{"method":"GET","path":"/config","status":200,"responseBody":{"id":1}}\n';

  test("is read as it is", async () => {
    const traffic = kept("traffic.jsonl", `\uFEFF${line}`);
    const { code, stdout } = await conform(kept("own.yaml", yaml()), "--traffic", traffic);
    expect(stdout).toContain("100 %  of 1 exchange match the document");
    expect(code).toBe(0);
  });

  const bomb = Array.from({ length: 30 }, (_, at) =>
    at === 0 ? "a0: &a0 [x]" : `a${at}: &a${at} [${`*a${at - 1},`.repeat(9)}]`,
  );
  test.each([
    ["a mistake", "paths:\n  - a\n b: 1\n", "YAML that does not parse in line 3, column 1"],
    ["aliases that grow", `openapi: 3.1.0\n${bomb.join("\n")}`, "does not parse"],
    ["an anchor of itself", "openapi: 3.1.0\npaths: &a {/x: *a}\n", "at most 500 levels"],
    ["deep nesting", `openapi: 3.1.0\npaths: ${"[".repeat(20_000)}`, "does not parse"],
    [
      "a file of its own",
      yaml("    put: {$ref: other.yaml}\n"),
      '"other.yaml" at #/paths/~1config/put',
    ],
    ["nothing", " \n", "an empty file"],
    ["a text", "just words", "Expected openapi 3.0 or 3.1 at the top"],
    ["a list", "- a\n", "Expected openapi 3.0 or 3.1 at the top"],
  ])("with %s is refused with a sentence", async (_what, text, says) => {
    const { code, stderr } = await conform(kept("broken.yaml", text), "--traffic", "none.har");
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n +at /);
    expect(code).toBe(2);
  });
});

test("a simulator that cannot be reached is 3", async () => {
  const file = kept("own.json", ourDocument());
  const { code } = await runInProcess(["conform", file, "--url", "http://127.0.0.1:9"]);
  expect(code).toBe(3);
});
