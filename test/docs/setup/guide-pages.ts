import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workplace } from "../../setup/cli.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { type Block, blocksOf, blockWith, PAGES } from "./doc-blocks.ts";
import { freePort, prelude, TEST_PROGRAM } from "./page-script.ts";

export const guide = (name: string) => `src/docs/guide/${name}.md`;

/** Pages that another test runs as a whole: README.md by readme-elsewhere, recipes by recipes. */
export const GUIDES = PAGES.filter((page) => !["README.md", guide("recipes")].includes(page));

/** Blocks that another test runs, by a text they hold. */
export const ELSEWHERE: readonly { holds: string; by: string }[] = [
  { holds: "docker run", by: "nothing: the run of its page has a server of its own" },
  { holds: "npm ci && npx service-sim start", by: ".ci/run, which installs so" },
  {
    holds: "npm install --save-dev ../service-sim",
    by: "test/docs/readme-elsewhere.apart.test.ts",
  },
  { holds: "service-sim completion bash", by: "test/cli/commands/completion.apart.test.ts" },
  { holds: "// vitest.config.ts", by: "test/docs/guide-runners.apart.test.ts" },
  { holds: "await sim.fork(", by: "test/docs/guide-runners.apart.test.ts" },
  { holds: 'from "node:test"', by: "test/docs/guide-runners.apart.test.ts" },
  { holds: 'from "service-sim/vitest"', by: "test/docs/guide-runners.apart.test.ts" },
  { holds: "service-sim/jest/setup", by: "test/docs/guide-runners.apart.test.ts" },
  { holds: "simulatorServer({ port", by: "test/library/playwright-suite.apart.test.ts" },
  { holds: "useFakeTimers", by: "test/docs/guide-runners.apart.test.ts" },
  { holds: "sim.followFakeTimers(vi)", by: "test/library/vitest-suite.system.test.ts" },
];

/** Commands of a page that run beside the others until they are stopped. */
const STAYS = /^npx service-sim start(?! --detach)/;

/** Pages whose shell blocks are run in one shell, and what they print. */
interface PageRun {
  pages: readonly string[];
  /** Runs only the blocks that hold this text. */
  holds?: string;
  /** Starts a simulator for pages that do not start one. */
  simulator?: true;
  /** Gives the pages an empty database at the address that they print. */
  database?: true;
  /** Each page uses the variables of getting-started's payment. */
  afterPayment?: true;
  /** Texts that the blocks print, in any order. */
  prints: readonly string[];
}

/** Runs of all pages; those without a simulator of their own continue with getting-started's payment. */
export const RUNS: readonly PageRun[] = [
  {
    pages: [guide("getting-started")],
    prints: [
      "accepts connections",
      "TEST                               ✓ 200, verified",
      "OUTGOING_PAYMENT.COMPLETED         ✓ 200, verified",
      '"status":"PROCESSING"',
      "payment.settle",
      "1 timer fired",
    ],
  },
  {
    pages: ["payments", "wallets", "agents", "cards"].map(guide),
    simulator: true,
    afterPayment: true,
    prints: [
      '"status":"PROCESSING"',
      "ada@example.com",
      '"privateEnabled":true',
      '{"id":"Session:',
      "Invoice bot",
      "above the approval threshold of 200.00 USD",
      "is APPROVED",
      "CARD_PAUSED",
    ],
  },
  {
    pages: [guide("real-clients")],
    simulator: true,
    prints: ["Acme-Wallet-Signature", "of 1 exchange match"],
  },
  {
    pages: [guide("webhook-lab")],
    prints: ["OUTGOING_PAYMENT.COMPLETED", "2-space indent"],
  },
  {
    pages: [guide("worlds")],
    prints: ["Only Here", '"data":[]', "sandbox+checkout-7", "world:attempt-2"],
  },
  {
    pages: [guide("time")],
    simulator: true,
    prints: ["would undo: 1 request", "- Customer:", "e2e 200"],
  },
  {
    pages: [guide("tests-and-ci")],
    holds: "npm ",
    prints: ["e2e 200", "OUTGOING_PAYMENT.COMPLETED", "e2e paid and told", "/quotes"],
  },
  { pages: [guide("tests-and-ci")], holds: "faults", simulator: true, prints: ["createQuote"] },
  {
    pages: [guide("tests-and-ci")],
    holds: "--generate",
    simulator: true,
    prints: ["generated: 500 customers", "generated: 0 customers"],
  },
  {
    pages: [guide("tests-and-ci")],
    holds: "service-sim run",
    simulator: true,
    prints: ["payout: 13 steps as expected", "mine.json: 1 step", "mine: 1 step as expected"],
  },
  {
    pages: [guide("tests-and-ci")],
    holds: "--exercise",
    simulator: true,
    prints: ["items covered", "outcomes.quotedPayment.005 is covered"],
  },
  { pages: [guide("files-and-durability")], prints: ["does not exist yet", "nothing to repair"] },
  {
    pages: [guide("several-machines")],
    database: true,
    prints: [
      "all write format 5",
      "APPROVED",
      "is fit to keep worlds: format 5, 1 world, 3 simulators running",
      "stopped pid",
      "has format 5",
    ],
  },
];

const isElsewhere = ({ text }: Block) => ELSEWHERE.some(({ holds }) => text.includes(holds));

export const shellBlocks = (page: string) =>
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

const textsOf = (page: string, { holds = "" }: PageRun) =>
  shellBlocks(page)
    .map(({ text }) => text)
    .filter((text) => text.includes(holds));

/** The texts of the blocks that a run has. */
export const textsIn = (run: PageRun) => run.pages.flatMap((page) => textsOf(page, run));

/** A sweep of every operation takes longer than all pages: `test/conform` has it in process. */
const withoutSweep = (text: string) => text.replace(/^.* --sweep .*$/gm, "");

/** The database of the pages, as a server in a container would have it. */
const DATABASE = "postgres://postgres:sim@127.0.0.1/postgres";

const runBlocks = async (
  at: Workplace,
  run: PageRun,
  { isSwept, database }: { isSwept: boolean; database: string },
) => {
  writeProject(at);
  const receiver = String(await freePort());
  mkdirSync(at.file("tmp"));
  const env = { SERVICE_SIM_PORT: "0", RECEIVER_PORT: receiver, TMPDIR: at.file("tmp") };
  const here = (text: string) =>
    (isSwept ? text : withoutSweep(text))
      .replaceAll("3000", receiver)
      .replaceAll(DATABASE, database);
  for (const text of textsIn(run)
    .map(here)
    .filter((one) => STAYS.test(one)))
    await startBeside(at, text, env);
  if (run.simulator) await startBeside(at, "start", env);
  const payment = run.afterPayment ? [blockWith(guide("getting-started"), "PAYEE=$(curl")] : [];
  const lines = run.pages.flatMap((page) => [
    ...payment,
    ...textsOf(page, run)
      .map(here)
      .filter((one) => !STAYS.test(one))
      .map(failing),
  ]);
  writeFileSync(at.file("script.sh"), [prelude(""), ...lines].join("\n"));
  return at.shell("bash -euo pipefail script.sh", { env });
};

/** Files of the project's folder that hold keys or codes; those belong below a temporary one. */
const secretsBeside = (at: Workplace) =>
  readdirSync(at.path).filter((name) => {
    const text = name.endsWith(".json") ? readFileSync(at.file(name), "utf8") : "";
    // An OpenAPI document has the names of such members, and no values.
    return /privateKey|SigningKey|deviceCode/.test(text) && !/^\{\s*"openapi"/.test(text);
  });

/** Tests that the blocks of each run work as printed, side by side: a page waits most of the time. */
export const testPages = (isSwept: boolean) => {
  const timeout = 600_000;
  sayIfSkipped("runs the guide's page about several machines");
  test.concurrent.each(RUNS.filter((run) => !run.database || hasPostgres()))(
    "the shell blocks of $pages run as printed",
    { timeout },
    async (run) => {
      const at = new Workplace();
      const server = run.database && (await PostgresServer.start());
      try {
        const database = server?.url("postgres") ?? DATABASE;
        const { code, stdout, stderr } = await runBlocks(at, run, { isSwept, database });
        expect(code, stdout + stderr).toBe(0);
        for (const text of run.prints) expect(stdout).toContain(text);
        expect(secretsBeside(at)).toEqual([]);
      } finally {
        // A detached simulator of a page that failed half-way has no parent.
        await at.run("stop");
        await at.close();
        await server?.delete();
      }
    },
  );
};
