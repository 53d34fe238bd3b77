import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/command-sections.ts";
import { listCommands } from "../../../src/cli/frame/command-table.ts";
import { START_FLAGS } from "../../../src/options/start-options.ts";
import { runInProcess } from "../setup/in-process.ts";

/** Commands that continue when an option is fine; the options of a start are tried by `doctor`. */
const GO_ON = new Set(["start", "exec", "tui", "demo", "stop", "capture", "webhooks receive"]);

const NONSENSE = "./no such/nonsense?";
const NOBODY = "http://127.0.0.1:9";

let folder: string;
let document: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-sim-options-"));
  document = join(folder, "openapi.json");
  writeFileSync(document, JSON.stringify({ openapi: "3.1.0", paths: {} }));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Words that a command needs, so that an option is what is wrong. */
const needed = (words: string, flag: string): string[] => {
  const rows: Record<string, string[]> = {
    conform: [document],
    seed: flag === "--generate" || flag === "--over" ? [] : ["payouts-demo"],
    "outcomes next": ["quotedPayment.003"],
    wait: flag === "--timeout" ? [] : ["--timeout", "1ms"],
    "webhooks wait": flag === "--type" ? [] : ["--type", "TEST"],
    "webhooks listen": flag === "--forward-to" ? [] : ["--forward-to", NOBODY],
    "webhooks resend": ["--failed"],
    "webhooks trigger": ["TEST"],
    "webhooks vector": ["tampered-body"],
    "policy explain": flag === "--amount" ? ["x"] : ["x", "--amount", "1"],
    "faults add": flag === "--status" ? [] : ["--status", "503"],
    api: flag === "--data" ? ["POST", "/quotes"] : ["GET", "/config"],
    "timers postpone": ["x", "1m"],
    "snapshot export": ["x", join(folder, "x.snapshot")],
  };
  return rows[words] ?? ["x"];
};

const sentence = async (args: readonly string[]) => {
  const { code, stderr, stdout } = await runInProcess(args);
  return { code, says: (stderr + stdout).split("\nnext")[0] ?? "" };
};

// spec/errors.md#messages
test("a value that an option cannot have is refused by the option's name", {
  timeout: 240_000,
}, async () => {
  const { commands } = await listCommands(COMMANDS);
  const silent: string[] = [];
  let refused = 0;
  for (const { words, command } of commands.filter((one) => !GO_ON.has(one.words)))
    for (const { flags } of command.options.filter((one) => one.flags.includes("<"))) {
      const [flag = ""] = flags.split(" ");
      const value = flag === "--data" ? `@${NONSENSE}` : NONSENSE;
      const hasUrl = command.options.some((one) => one.flags.startsWith("--url"));
      const url = flag === "--url" || !hasUrl ? [] : ["--url", NOBODY];
      const own = command.operands === undefined ? [] : needed(words, flag);
      const more = own.length === 0 ? needed(words, flag).filter((one) => one !== "x") : own;
      const args = [...words.split(" "), ...more, flag, value, ...url];
      const { code, says } = await sentence(args);
      if (code !== 2 || !says.includes("nonsense?")) continue;
      refused += 1;
      if (!says.includes(flag)) silent.push(`${args.join(" ")}: ${says}`);
    }
  expect(silent).toEqual([]);
  expect(refused).toBeGreaterThan(30);
});

test("so is one of a start", { timeout: 120_000 }, async () => {
  const silent: string[] = [];
  let refused = 0;
  for (const { flags } of START_FLAGS.filter((one) => one.flags.includes("<"))) {
    const [flag = ""] = flags.split(" ");
    const { says } = await sentence([
      "doctor",
      flag,
      flag === "--brand" ? "9 x nonsense?" : NONSENSE,
    ]);
    const line = says.split("\n").find((one) => one.includes("nonsense?"));
    if (line === undefined || !/settings|error/.test(line)) continue;
    refused += 1;
    if (!line.includes(flag)) silent.push(`${flag}: ${line}`);
  }
  expect(silent).toEqual([]);
  expect(refused).toBeGreaterThan(5);
});
