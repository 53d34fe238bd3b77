import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stringWidth from "fast-string-width";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/command-sections.ts";
import type { ListedCommand } from "../../../src/cli/frame/command.ts";
import { listCommands } from "../../../src/cli/frame/command-table.ts";
import { isCampaign } from "../../setup/campaign.ts";
import { runInProcess } from "../setup/in-process.ts";
import { type PlantedWorld, plantWorld } from "../setup/planted-world.ts";
import { onTerminal } from "../setup/styles.ts";

const WIDTHS = isCampaign ? [60, 70, 80, 100, 120] : [60, 100];

let planted: PlantedWorld;
let folder: string;
/** Ids of records, by the names that the table below uses. */
let ids: Record<string, string>;

const LONG_NAME = "株式会社みずほ国際決済サービス東京本社 Zoë";

/** Adds texts that are long, wide and of another day to a world of hostile ones. */
const widen = async ({ world, ids: known }: PlantedWorld) => {
  const { customerId, usd } = known;
  const payee = await world.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123003",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: LONG_NAME },
    },
  });
  const quote = await world.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: usd },
    destination: { destinationType: "ACCOUNT", accountId: payee.body.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  const paid = await world.call("POST", `/quotes/${quote.body.id}/execute`);
  await world.call("POST", `/quotes/${quote.body.id}/execute`);
  await world.control("POST", "/clock/advance", { by: "25h" });
  await world.call("GET", `/transactions/${paid.body.transactionId}`);
  const webhooks = await world.control("GET", "/webhooks?limit=100");
  const requests = await world.control("GET", "/requests?limit=100");
  return {
    ...known,
    slow: paid.body.transactionId,
    webhook: webhooks.body.data.at(-1).id,
    retried: webhooks.body.data.find((one: { attempt: number }) => one.attempt > 1).id,
    request: requests.body.data.at(-1).id,
    fixture: join(folder, "world.json"),
  };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-sim-widths-"));
  planted = await plantWorld();
  ids = await widen(planted);
  writeFileSync(ids.fixture ?? "", JSON.stringify({ steps: [{ request: "GET /config" }] }));
});
afterAll(async () => {
  await planted.close();
  rmSync(folder, { recursive: true });
});

/** A command line of the table, `{name}` standing for the id of that name. */
type Line = string;

/** Prints text for a program, or one value to copy: the terminal's own wrapping keeps it whole. */
const COPIED = "prints values to copy";
/** Runs until it is stopped; its lines are tried below and in a real terminal. */
const RUNS = "runs until it is stopped";

/**
 * Lines that make a command print all it has, or the reason why it is left out. A command without
 * a row is tried with its own examples.
 */
const ROWS: Readonly<Record<string, readonly Line[] | { leftOut: string }>> = {
  start: { leftOut: RUNS },
  stop: { leftOut: "ends the process that this test runs in" },
  status: ["status", "status --url http://127.0.0.1:1"],
  wait: ["wait", "wait --url http://127.0.0.1:1 --timeout 1ms", "wait --timeout soon"],
  exec: { leftOut: "prints what another program prints" },
  env: { leftOut: COPIED },
  api: ["api GET /config", "api POST /quotes", "api GET /nothing/of/this/name", "api"],
  advance: [
    "advance --next",
    "advance 2h",
    "advance 6x",
    "advance --until {slow}=COMPLETED",
    "advance --to 2020",
  ],
  clock: ["clock", "clock stop"],
  seed: ["seed payouts-demo", "seed agent-demo", "seed {fixture}", "seed nothing-of-this-name"],
  "timers fire": ["timers fire 000000", "timers fire"],
  "timers postpone": ["timers postpone 000000 10m", "timers postpone {slow} x"],
  "timers cancel": ["timers cancel 000000"],
  rewind: ["rewind --before last --dry-run", "rewind 10000h", "rewind --to 2020"],
  "snapshot save": ["snapshot save wide", "snapshot save WIDE"],
  "snapshot load": ["snapshot load none"],
  "snapshot remove": ["snapshot remove none"],
  "snapshot export": ["snapshot export none {fixture}.snapshot"],
  "snapshot import": ["snapshot import {fixture}", "snapshot import none.snapshot"],
  diff: ["diff snapshot:wide", "diff snapshot:none now", "diff yesterday"],
  run: ["run payout", "run nothing-of-this-name", "run {fixture}"],
  "scenario record": ["scenario record /nowhere/at/all.json"],
  record: ["record none/run.capsule"],
  replay: ["replay none.capsule"],
  "worlds create": ["worlds create wide", "worlds create WIDE"],
  "worlds fork": ["worlds fork wide-2 --world wide"],
  "worlds remove": ["worlds remove wide-2", "worlds remove none"],
  fork: ["fork wide-3 --world none"],
  coverage: ["coverage", "coverage --all", "coverage --min 99", "coverage --exercise nothing"],
  requests: ["requests --limit 100", "requests {request}", "requests --status 4xx"],
  "webhooks list": [
    "webhooks list --limit 100",
    "webhooks list --limit 3",
    "webhooks list --type X",
  ],
  "webhooks show": ["webhooks show {webhook}", "webhooks show {retried}", "webhooks show 000000"],
  "webhooks resend": ["webhooks resend {webhook}", "webhooks resend --failed"],
  "webhooks wait": ["webhooks wait --type TEST --timeout 1ms", "webhooks wait"],
  "webhooks trigger": ["webhooks trigger CUSTOMER.KYC_APPROVED"],
  "webhooks vector": ["webhooks vector", "webhooks vector tampered-body"],
  "webhooks hold": [
    "webhooks hold --type INTERNAL_ACCOUNT.STATUS_UPDATED",
    "webhooks hold --times x",
  ],
  "webhooks duplicate": ["webhooks duplicate --type BULK_UPLOAD.COMPLETED"],
  "webhooks reorder": ["webhooks reorder --type VERIFICATION.READY_FOR_VERIFICATION --times 3"],
  "webhooks delay": ["webhooks delay --type BULK_UPLOAD.FAILED --by 30m"],
  "webhooks drop": ["webhooks drop --type BULK_UPLOAD.COMPLETED"],
  "webhooks lift": ["webhooks lift 000000", "webhooks lift"],
  "webhooks release": ["webhooks release"],
  "webhooks listen": { leftOut: RUNS },
  "webhooks receive": { leftOut: RUNS },
  "webhooks doctor": ["webhooks doctor", "webhooks doctor --key none.pem"],
  "webhooks endpoint": [
    "webhooks endpoint",
    "webhooks endpoint nowhere",
    "webhooks endpoint 1 --clear",
  ],
  "webhooks key": { leftOut: COPIED },
  "approvals list": ["approvals list", "approvals list --limit 1"],
  "approvals approve": ["approvals approve {approved}"],
  "approvals reject": ["approvals reject {rejected}"],
  "approvals mode": ["approvals mode"],
  "policy explain": ["policy explain {agent} --amount 32500 --to {payee}"],
  "faults add": [
    "faults add --operation createQuote --status 503 --times 2 --for 30h",
    "faults add",
  ],
  "faults limit": ["faults limit"],
  "faults clear": ["faults clear 000000"],
  why: [
    "why {slow}",
    "why {webhook}",
    "why {quote}",
    "why {waiting}",
    "why {request}",
    "why 0000aa",
  ],
  reset: ["reset"],
  "oidc token": { leftOut: COPIED },
  inbox: ["inbox"],
  "outcomes list": ["outcomes", "outcomes list"],
  "outcomes next": ["outcomes next quotedPayment.003 --times 2", "outcomes next none"],
  "outcomes lift": ["outcomes lift 000000", "outcomes lift"],
  openapi: { leftOut: COPIED },
  lifecycles: ["lifecycles", "lifecycles quotes"],
  capture: ["capture nowhere"],
  brand: ["brand acme", "brand 9x", "brand"],
  conform: ["conform nowhere.json", "conform", "conform package.json --min 5"],
  "keys create": { leftOut: COPIED },
  "keys open": { leftOut: COPIED },
  "keys seal": { leftOut: COPIED },
  "keys rotate": ["keys rotate"],
  sign: { leftOut: COPIED },
  "passkey create": { leftOut: COPIED },
  "passkey assert": { leftOut: COPIED },
  tui: ["tui --plain"],
  demo: ["demo"],
  docs: [
    "docs",
    "docs quotes",
    "docs guide/testing",
    "docs executeQuote",
    "docs spec/errors",
    "docs x",
  ],
  doctor: ["doctor", "doctor --storage file:/a/path/that/is/longer/than/a/column/is/wide/and/none"],
  completion: { leftOut: COPIED },
  reference: { leftOut: COPIED },
};

const { groups, commands } = await listCommands(COMMANDS);

/** Examples that need no shell, and print no JSON for a program. */
const examplesOf = ({ command: { examples } }: ListedCommand) =>
  examples
    .filter((line) => !/[&|$"'>]|--json/.test(line))
    .map((line) => line.replace("service-sim ", ""));

/** Commands that take the address of a simulator. */
const TAKES_URL = commands
  .filter(({ command }) => command.options.some(({ flags }) => flags.startsWith("--url")))
  .map(({ words }) => words);

/** A command to paste that continues, and a word or a JSON string that is wider than the line. */
const isOneWord = (line: string) =>
  /^\s*(?:\S+(?: \\)?|(?:"[^"]*": ?)?"(?:[^"\\]|\\.)*",?)$/.test(
    line.replace(/^(?:error|next|note) +/, ""),
  );

/** No indent is left to take away: the word itself is too wide. */
const isMovedLeft = (line: string) => !line.startsWith(" ") || /^ *"/.test(line);

const tooWide = (text: string, width: number) =>
  text
    .split("\n")
    .filter((line) => stringWidth(line) > width && !(isOneWord(line) && isMovedLeft(line)));

const printedAt = (width: number, args: readonly string[]) =>
  onTerminal(width, async () => {
    const { stdout, stderr } = await runInProcess([...args, "--color", "always"]);
    return stdout + stderr;
  });

const TRIED = commands.flatMap((listed) => {
  const { words } = listed;
  const row = ROWS[words] ?? examplesOf(listed);
  return "leftOut" in row ? [] : row.map((line) => ({ words, line }));
});

test("every command is tried or has a reason why not, and every row is a command's", () => {
  const tried = TRIED.map(({ words }) => words);
  const names = commands.map(({ words }) => words);
  expect(names.filter((words) => !tried.includes(words) && !(words in ROWS))).toEqual([]);
  expect(Object.keys(ROWS).filter((words) => !names.includes(words))).toEqual([]);
});

// `reset` comes last of a width: it empties the world.
const IN_ORDER = [...TRIED].sort(
  (a, b) => Number(a.words === "reset") - Number(b.words === "reset"),
);

test("off a terminal nothing is cut or wrapped", async () => {
  const { stdout } = await runInProcess([
    "webhooks",
    "show",
    ids.webhook ?? "",
    "--url",
    planted.url,
  ]);
  expect(stdout).toContain(ids.webhook);
});

describe.each(WIDTHS.map((width) => ({ width })))("at $width columns", ({ width }) => {
  test.each(IN_ORDER.filter(({ words }) => words !== "reset" || width === WIDTHS.at(-1)))(
    "$line",
    async ({ words, line }) => {
      const args = line
        .split(" ")
        .map((word) => word.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? name));
      const reaching = TAKES_URL.includes(words) && !line.includes("--url");
      const text = await printedAt(width, reaching ? [...args, "--url", planted.url] : args);
      expect(text).not.toBe("");
      expect(tooWide(text, width)).toEqual([]);
    },
  );

  test("--help of every command", async () => {
    for (const words of [
      "",
      ...groups.map(({ name }) => name),
      ...commands.map((one) => one.words),
    ]) {
      const text = await onTerminal(width, () =>
        runInProcess([...words.split(" ").filter(Boolean), "--help"]),
      );
      expect(tooWide(text.stdout, width), words).toEqual([]);
    }
  });
});
