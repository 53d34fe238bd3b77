import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const COMPILER = resolve("node_modules/typescript/bin/tsc");

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-sim-unions-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compile = () =>
  new Promise<string>((done) => {
    const child = spawn(process.execPath, [COMPILER, "-p", "."], { cwd: folder, stdio: "pipe" });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("close", () => done(output));
  });

/** Types of arguments, and a text that each takes and one that it does not. */
const ARGUMENTS = [
  { type: "keyof Simulator['call']", takes: "createQuote", not: "creatQuote" },
  { type: "Parameters<Simulator['outcomes']['next']>[0]", takes: "quotedPayment.003", not: "003" },
  { type: "Parameters<Simulator['advanceUntil']>[1]", takes: "COMPLETED", not: "DONE" },
  {
    type: "Parameters<Simulator['webhooks']['wait']>[0]['type']",
    takes: "OUTGOING_PAYMENT.COMPLETED",
    not: "OUTGOING_PAYMENT",
  },
  {
    type: "Parameters<Simulator['webhooks']['trigger']>[0]",
    takes: "CUSTOMER.KYC_APPROVED",
    not: "CUSTOMER.APPROVED",
  },
  { type: "ListQuery<'webhooks'>['type']", takes: "card.state_change", not: "card.state" },
  { type: "ListQuery<'webhooks'>['state']", takes: "GIVEN_UP", not: "given up" },
  { type: "ListQuery<'requests'>['operation']", takes: "executeQuote", not: "executequote" },
  { type: "ListQuery<'requests'>['status']", takes: "4xx", not: "4x" },
  { type: "ListQuery<'requests'>['method']", takes: "POST", not: "post" },
  { type: "FaultMatch['operation']", takes: "createQuote", not: "create-quote" },
  { type: "FaultEffect['code']", takes: "RATE_LIMITED", not: "LIMITED" },
  { type: "Parameters<Simulator['seed']>[0]", takes: "payouts-demo", not: "./my-fixture.json" },
  { type: "Parameters<Simulator['clock']['set']>[0]", takes: "manual", not: "stopped" },
  { type: "Parameters<Simulator['approvals']['set']>[0]", takes: "ask", not: "wait" },
  { type: "Parameters<Simulator['coverage']>[0]", takes: "all", not: "worlds" },
  { type: "SimulatorOptions['clock']", takes: "60x", not: "fast" },
  { type: "SimulatorOptions['crypto']", takes: "strict", not: "real" },
  { type: "SimulatorOptions['revision']", takes: "2026-08", not: "2024-01" },
  { type: "QuoteStatus", takes: "PENDING", not: "CREATED" },
];

/** Types of arguments that take any text beside those that an editor suggests. */
const OPEN = ["SimulatorOptions['fixture']", "SimulatorOptions['codes']", "StateName"];

/** Account types, each with a currency that it holds and one that it does not. */
const ACCOUNTS = [
  { type: "GBP_ACCOUNT", holds: "GBP", not: "USD" },
  { type: "USD_ACCOUNT", holds: "USD", not: "EUR" },
  { type: "SLV_ACCOUNT", holds: "USD", not: "MXN" },
  { type: "SPARK_WALLET", holds: "BTC", not: "USDC" },
  { type: "TRON_WALLET", holds: "USDT", not: "BTC" },
];

const NAMES = [
  "AdvanceReport",
  "Agent",
  "Card",
  "Customer",
  "CustomerExternalAccountInput",
  "EventOf",
  "ExternalAccount",
  "FaultEffect",
  "FaultInput",
  "FaultMatch",
  "InternalAccount",
  "Ledger",
  "LoggedCallDetails",
  "OperationId",
  "OutcomeRule",
  "Quote",
  "QuoteInput",
  "QuoteStatus",
  "RecordStatus",
  "Simulator",
  "SimulatorOptions",
  "StateName",
  "Story",
  "Transaction",
  "WebhookDetails",
  "WebhookEvent",
];

const check = (type: string, wanted: boolean) =>
  `true satisfies ${type} extends true ? ${wanted} : ${!wanted};`;

const held = (type: string, currency: string) =>
  `Takes<{ currency: "${currency}"; accountType: "${type}" }, Held>`;

test("names of operations, rows, events, statuses and fixtures are literals in every argument", async () => {
  const lines = [
    `import type { ${NAMES.join(", ")} } from "${resolve("dist/simulator.mjs")}";`,
    "type Takes<Value, Type> = [Value] extends [NonNullable<Type>] ? true : false;",
    "type ListQuery<Of extends 'webhooks' | 'requests'> = NonNullable<Parameters<Simulator[Of]['list']>[0]>;",
    "type Place<Account> = Account extends { currency: infer Code; accountInfo: { accountType: infer Type } }",
    "  ? Type extends unknown ? { currency: Code; accountType: Type } : never : never;",
    "type Held = Place<CustomerExternalAccountInput>;",
    `export type Named = [${NAMES.filter((name) => name !== "EventOf").join(", ")}, EventOf<"TEST">];`,
    ...ARGUMENTS.flatMap(({ type, takes, not }) => [
      check(`Takes<"${takes}", ${type}>`, true),
      check(`Takes<"${not}", ${type}>`, false),
    ]),
    ...OPEN.map((type) => check(`Takes<"./any.json", ${type}>`, true)),
    ...ACCOUNTS.flatMap(({ type, holds, not }) => [
      check(held(type, holds), true),
      check(held(type, not), false),
    ]),
  ];
  writeFileSync(join(folder, "unions.ts"), lines.join("\n"));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: "nodenext",
    target: "es2023",
    types: [],
  };
  const config = JSON.stringify({ compilerOptions, files: ["unions.ts"] });
  writeFileSync(join(folder, "tsconfig.json"), config);
  expect(await compile()).toBe("");
});
