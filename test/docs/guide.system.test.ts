import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { isCampaign } from "../setup/campaign.ts";
import { Workplace } from "../setup/cli.ts";
import { testFiles } from "../setup/projects.ts";
import { type Block, blocksOf, blockWith, PAGES } from "./setup/doc-blocks.ts";
import { freePort, prelude, TEST_PROGRAM } from "./setup/page-script.ts";

const EVERY_OPERATION = `${OPERATIONS.length} of ${OPERATIONS.length} operations`;

const place = placePerTest();

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const guide = (name: string) => `src/docs/guide/${name}.md`;

/** Pages that another test runs as a whole: README.md by readme-elsewhere, recipes by recipes. */
const GUIDES = PAGES.filter((page) => !["README.md", guide("recipes")].includes(page));

/** Blocks that another test runs, by a text they hold. */
const ELSEWHERE: readonly { holds: string; by: string }[] = [
  { holds: "npm ci && npx service-sim start", by: ".ci/run, which installs so" },
  {
    holds: "npm install --save-dev ../service-sim",
    by: "test/docs/readme-elsewhere.system.test.ts",
  },
  { holds: "service-sim completion bash", by: "test/cli/commands/completion.test.ts" },
  { holds: "// vitest.config.ts", by: "test/docs/guide-runners.system.test.ts" },
  { holds: "await sim.fork(", by: "test/docs/guide-runners.system.test.ts" },
  { holds: 'from "node:test"', by: "test/docs/guide-runners.system.test.ts" },
  { holds: 'from "service-sim/vitest"', by: "test/docs/guide-runners.system.test.ts" },
  { holds: "service-sim/jest/setup", by: "test/docs/guide-runners.system.test.ts" },
  { holds: "simulatorServer({ port", by: "test/library/playwright-suite.system.test.ts" },
  { holds: "useFakeTimers", by: "test/docs/guide-runners.system.test.ts" },
  { holds: "sim.followFakeTimers(vi)", by: "test/library/vitest-suite.system.test.ts" },
];

/** Commands of a page that run beside the others until they are stopped. */
const STAYS = /^npx service-sim start(?! --detach)/;

interface PageRun {
  page: string;
  /** Runs only the blocks that hold this text. */
  holds?: string;
  /** Starts a simulator for a page that does not start one. */
  simulator?: true;
  /** Uses the variables of getting-started's payment. */
  afterPayment?: true;
  /** Texts that the blocks print, in any order. */
  prints: readonly string[];
}

const WITH_PAYMENT = { simulator: true, afterPayment: true } as const;

/** Pages whose shell blocks are run, one after the other in one shell. */
const RUNS: readonly PageRun[] = [
  {
    page: guide("getting-started"),
    prints: [
      "it answers",
      "TEST                               ✓ 200, verified",
      "OUTGOING_PAYMENT.COMPLETED         ✓ 200, verified",
      '"status":"PROCESSING"',
      "payment.settle",
      "1 timer fired",
    ],
  },
  {
    page: guide("real-clients"),
    simulator: true,
    prints: ["Acme-Wallet-Signature", isCampaign ? EVERY_OPERATION : "of 1 exchange fit"],
  },
  { page: guide("payments"), ...WITH_PAYMENT, prints: ['"status":"PROCESSING"'] },
  { page: guide("wallets"), ...WITH_PAYMENT, prints: ["ada@example.com", '"privateEnabled":true'] },
  {
    page: guide("agents"),
    ...WITH_PAYMENT,
    prints: ["Invoice bot", "above the approval threshold of 200.00 USD", "is APPROVED"],
  },
  { page: guide("cards"), ...WITH_PAYMENT, prints: ["CARD_PAUSED"] },
  {
    page: guide("webhook-lab"),
    prints: ["OUTGOING_PAYMENT.COMPLETED", "2-space indent"],
  },
  {
    page: guide("worlds"),
    prints: ["Only Here", '"data":[]', "sandbox+checkout-7", "world:attempt-2"],
  },
  { page: guide("time"), simulator: true, prints: ["2100-01-01", "e2e 200"] },
  {
    page: guide("tests-and-ci"),
    holds: "npm ",
    prints: ["e2e 200", "OUTGOING_PAYMENT.COMPLETED", "e2e paid and told", "/quotes"],
  },
  { page: guide("tests-and-ci"), holds: "faults", simulator: true, prints: ["createQuote"] },
  {
    page: guide("tests-and-ci"),
    holds: "--generate",
    simulator: true,
    prints: ["generated: 500 customers", "generated: 0 customers"],
  },
  {
    page: guide("tests-and-ci"),
    holds: "service-sim run",
    simulator: true,
    prints: ["payout: 13 steps as expected", "mine.json: 1 step", "mine: 1 step as expected"],
  },
  {
    page: guide("tests-and-ci"),
    holds: "--exercise",
    simulator: true,
    prints: ["items were met", "outcomes.quotedPayment.005 is met"],
  },
  { page: guide("files-and-durability"), prints: ["does not exist yet", "nothing to repair"] },
];

const isElsewhere = ({ text }: Block) => ELSEWHERE.some(({ holds }) => text.includes(holds));

const shellBlocks = (page: string) =>
  blocksOf(page).filter((block) => block.language === "sh" && !isElsewhere(block));

/** A command whose comment says that it fails must fail. */
const failing = (text: string) => text.replace(/^(.*?)\s+# exit 1$/gm, "if $1; then exit 99; fi");

/** A program that pays and waits for the webhook about the payment's end. */
const E2E_PROGRAM = `
import { createServer } from "node:http";
const { SERVICE_SIM_API_URL: api, SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } =
  process.env;
const headers = {
  authorization: "Basic " + btoa(id + ":" + secret), "content-type": "application/json",
};
const call = async (path, body) => {
  const given = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  return (await fetch(api + path, given)).json();
};
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part)).on("end", () => {
    response.end();
    if (JSON.parse(text).type !== "OUTGOING_PAYMENT.COMPLETED") return;
    console.log("e2e paid and told");
    server.close();
  });
}).listen(Number(process.env.RECEIVER_PORT), "127.0.0.1");
const customer = await call("/customers", { customerType: "INDIVIDUAL" });
const accounts = await call("/customers/internal-accounts?currency=USD&customerId=" + customer.id);
const accountId = accounts.data[0].id;
await call("/sandbox/internal-accounts/" + accountId + "/fund", { amount: 250000 });
const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" };
const payee = await call("/customers/external-accounts", {
  customerId: customer.id, currency: "MXN",
  accountInfo: { accountType: "MXN_ACCOUNT", clabeNumber: "646180110400000003", beneficiary },
});
const quote = await call("/quotes", {
  source: { sourceType: "ACCOUNT", accountId },
  destination: { destinationType: "ACCOUNT", accountId: payee.id },
  lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25000,
});
await call("/quotes/" + quote.id + "/execute", {});
`;

const writeProject = (at: Workplace) => {
  const scripts = { test: "node test.mjs", e2e: "node e2e.mjs" };
  writeFileSync(at.file("package.json"), JSON.stringify({ type: "module", scripts }));
  writeFileSync(at.file("test.mjs"), TEST_PROGRAM);
  writeFileSync(at.file("e2e.mjs"), E2E_PROGRAM);
};

/** Starts a command of a block, or the simulator, and waits for its first line. */
const startBeside = (at: Workplace, text: string, env: Record<string, string>) =>
  at.command(text.trim().replace(/^npx service-sim|#.*$/g, ""), { env }).firstLine();

const blocksIn = ({ page, holds = "" }: PageRun) =>
  shellBlocks(page).filter(({ text }) => text.includes(holds));

/** A sweep of every operation takes longer than all pages: `test/conform` has it in process. */
const withoutSweep = (text: string) => (isCampaign ? text : text.replace(/^.* --sweep .*$/gm, ""));

const runBlocks = async (at: Workplace, run: PageRun) => {
  writeProject(at);
  const receiver = String(await freePort());
  mkdirSync(at.file("tmp"));
  const env = { SERVICE_SIM_PORT: "0", RECEIVER_PORT: receiver, TMPDIR: at.file("tmp") };
  const texts = blocksIn(run).map(({ text }) => withoutSweep(text).replaceAll("3000", receiver));
  for (const text of texts.filter((one) => STAYS.test(one))) await startBeside(at, text, env);
  if (run.simulator) await startBeside(at, "start", env);
  const payment = run.afterPayment ? [blockWith(guide("getting-started"), "PAYEE=$(curl")] : [];
  const lines = texts.filter((one) => !STAYS.test(one)).map(failing);
  writeFileSync(at.file("script.sh"), [prelude(""), ...payment, ...lines].join("\n"));
  return at.shell("bash -euo pipefail script.sh", { env });
};

/** Files of the project's folder that hold keys or codes; those belong below a temporary one. */
const secretsBeside = (at: Workplace) =>
  readdirSync(at.path).filter((name) => {
    const text = name.endsWith(".json") ? readFileSync(at.file(name), "utf8") : "";
    // An OpenAPI document has the names of such members, and no values.
    return /privateKey|SigningKey|deviceCode/.test(text) && !/^\{\s*"openapi"/.test(text);
  });

// Side by side: a page waits for its simulator most of the time.
test.concurrent.each(RUNS)("the shell blocks of $page run as printed", async (run) => {
  const at = new Workplace();
  try {
    const { code, stdout, stderr } = await runBlocks(at, run);
    expect(code, stdout + stderr).toBe(0);
    for (const text of run.prints) expect(stdout).toContain(text);
    expect(secretsBeside(at)).toEqual([]);
  } finally {
    // A detached simulator of a page that failed half-way has no parent.
    await at.run("stop");
    await at.close();
  }
});

test("every shell block is run here, or by a test that is named here", () => {
  const all = GUIDES.flatMap(shellBlocks);
  const run = new Set(RUNS.flatMap(blocksIn).map(({ text }) => text));
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
  const running = await place().start("--brand acme.json");
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
