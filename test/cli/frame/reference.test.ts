import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { controlCalls } from "../../../src/control/control-surface.ts";
import { documentOf } from "../../setup/cli.ts";
import { runInProcess } from "../setup/in-process.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const { pageOf } = createRequire(import.meta.url)("../../../bin/write-reference.js") as {
  pageOf: (printed: string) => string;
};

let text: string;

beforeAll(async () => {
  const { code, stdout, stderr } = await runInProcess(["reference"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  text = stdout;
});

test("the page of the reference holds what the program prints", () => {
  const says = "src/docs/reference.md is stale; renew it by: npm run build && npm run reference";
  const held = readFileSync("src/docs/reference.md", "utf8");
  expect(held, says).toBe(pageOf(text));
});

test("every row of a table has as many cells as its head", () => {
  const tables = text.split("\n\n").filter((part) => part.startsWith("|"));
  expect(tables).toHaveLength(8);
  for (const table of tables) {
    const widths = table
      .trim()
      .split("\n")
      .map((row) => row.replaceAll("\\|", "").split("|").length);
    expect(new Set(widths).size, table).toBe(1);
  }
});

test.each([
  ["a command with its operands", "| `advance [span]` | move the clock and do everything"],
  ["a command of a group", "| `webhooks list` | show sent and waiting webhooks"],
  [
    "an option with its variable and its name in a config file",
    "| `--webhook-key <pem file>` | key that signs webhooks (default: kept, or from --seed on loopback, or random) " +
      "| `SERVICE_SIM_WEBHOOK_KEY` | `webhookKey` |",
  ],
  [
    "an option without a variable",
    "| `--detach` | run in the background and return when ready; log into the state directory |  |  |",
  ],
  [
    "an option of two commands once",
    "| `requests`, `webhooks list` | `--cursor <text>` | continue after the page that printed this cursor |  |",
  ],
  [
    "a default",
    "| `--port <number or auto>` | port to listen on; 0 picks a free one, auto one derived from this folder's path; default `4747` |",
  ],
  ["many choices by one", "`OUTGOING_PAYMENT.PENDING`; `--help` lists them |"],
  ["an exit code", "| 3 | no simulator is reachable |"],
  [
    "an open call",
    "| `GET /_sim/ready` | Readiness: the world is open; 503 until then, and while the simulator stops |  | open |",
  ],
  ["what a call takes", "| `{by?, to?, next?, until?, budgetMs?}` |  |"],
  ["a call's query", "| `?limit&cursor&type&state&about` |  |"],
])("it shows %s", (_what, row) => {
  expect(text).toContain(row);
});

test("it names every variable of ours that the sources name", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join("src", name), "utf8"));
  const named = new Set(
    sources.flatMap((source) => source.match(/\bSERVICE_SIM_[A-Z_]+\b/g) ?? []),
  );
  expect(named.size).toBeGreaterThanOrEqual(8);
  for (const name of named) expect(text).toContain(`\`${name}\``);
});

test("the calls it shows are those that the server has", async () => {
  const { control } = await place().start();
  const calls = controlCalls().filter(({ path }) => !path.endsWith("/events"));
  expect(calls.length).toBeGreaterThan(40);
  for (const { method, path } of calls.filter((one) => one.method === "GET")) {
    const below = path.replace("/_sim", "").replace(/\{\w+\}/g, "none");
    // Otherwise a call that waits for a message does so for its five seconds.
    const { status, body } = await control(method, `${below}?timeoutMs=1`);
    expect(body?.error?.code, `${method} ${path} ${status}`).not.toBe("UNKNOWN_OPERATION");
  }
});

test("--json is the same for programs", async () => {
  const document = documentOf(await place().run("reference --json"));
  expect(Object.keys(document)).toEqual(["commands", "variables", "exitCodes", "control"]);
  expect(document.exitCodes.map((one: { code: number }) => one.code)).toEqual([0, 1, 2, 3, 4]);
  expect(document.commands[0]).toMatchObject({ words: "start", summary: "start a simulator" });
  expect(document.control).toContainEqual({
    method: "GET",
    path: "/_sim/live",
    summary: "Liveness: the process answers",
    query: [],
    body: [],
    isOpen: true,
  });
});
