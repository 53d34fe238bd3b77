import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Ended } from "../../setup/cli.ts";
import { runInProcess } from "../setup/in-process.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

const DIST = fileURLToPath(new URL("../../../dist/", import.meta.url));

/** Frames and quotations of Node.js, which tell nothing to those who meet them. */
const RAW = /^ {4}at |^node:internal|triggerUncaught/m;

test("Node.js quotes no line of a bundle: each long one says so", () => {
  const files = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(cjs|mjs|js)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  const quoted = files.flatMap((name) =>
    readFileSync(`${DIST}${name}`, "utf8")
      .split("\n")
      .filter((line) => line.length > 300 && !line.includes("node-do-not-add-exception-line"))
      .map((line) => `${name}: ${line.slice(0, 80)}`),
  );
  expect(quoted).toEqual([]);
});

const script = (lines: string) => {
  writeFileSync(
    place().file("pay.mjs"),
    `import { connect, createSimulator } from ${JSON.stringify(`${DIST}simulator.mjs`)};
const sim = await createSimulator();
const nobody = { params: { customerId: "Customer:nobody" } };
${lines}
`,
  );
  return place().spawn([process.execPath, "pay.mjs"]).ended;
};

// spec/library.md#errors
test.each([
  {
    how: "not awaited",
    lines: "sim.call.getCustomer(nobody); await new Promise((go) => setTimeout(go, 1e4));",
  },
  { how: "of a wrong name", lines: "sim.call.getCustmer(nobody);" },
  {
    how: "in a helper",
    lines: "const pay = async () => { await sim.clock.set('x'); }; await pay();",
  },
  {
    how: "over HTTP",
    lines: `const { url } = await sim.listen();
const other = await connect(url, { clientSecret: sim.clientSecret });
await other.call.getCustomer(nobody);`,
  },
])("an uncaught error of a call $how is short, and names the line", async ({ lines }) => {
  const { code, stderr } = await script(lines);
  expect(code).toBe(1);
  expect(stderr.length).toBeLessThan(3000);
  const [first = ""] = stderr.split("\n").filter((line) => /^ {4}at /.test(line));
  expect(first).toMatch(/pay\.mjs:\d+:\d+/);
  expect(stderr).not.toContain(DIST);
});

describe("a command tells of a broken file in a sentence", () => {
  const FILES = {
    "cut.json": '{"customers": [',
    "empty.json": "",
    "list.json": "[]",
    "number.json": "7",
    "zeros.json": "\0\0\0\0",
  };

  const commandsFor = (name: string) => [
    `exec --fixture ${name} -- true`,
    `start --port 0 --storage memory: --fixture ${name}`,
    `exec --brand ${name} -- true`,
    `exec --webhook-key ${name} -- true`,
    `run ${name}`,
    `replay ${name}`,
    `conform ${name}`,
  ];

  const writeFiles = () => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(place().file(name), text);
  };

  const isSentence = ({ code, stdout, stderr }: Omit<Ended, "signal">, command: string) => {
    expect([1, 2, 3, 4], command).toContain(code);
    expect(stderr, command).toMatch(/^error {2}\S/);
    expect(stdout + stderr, command).not.toMatch(RAW);
    expect(stderr.length, command).toBeLessThan(1500);
  };

  test("of every kind", async () => {
    writeFiles();
    const kinds = Object.keys(FILES).flatMap(commandsFor);
    const others = ["exec --fixture . -- true", "exec --fixture /nowhere -- true"];
    for (const command of [...kinds, ...others, "replay .", "run ."])
      isSentence(await runInProcess(command.split(" "), { folder: place().path }), command);
  });

  test("as the installed program", async () => {
    writeFiles();
    for (const command of commandsFor("cut.json").slice(0, 2))
      isSentence(await place().run(command), command);
  });
});

test("an error of the program itself is a sentence, and its stack is there for a report", async () => {
  const preload = place().file("breaks.cjs");
  writeFileSync(
    preload,
    `const { Module } = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => {
  if (/status-/.test(name)) throw new RangeError("broken on purpose");
  return load(name, ...rest);
};`,
  );
  const env = { NODE_OPTIONS: `--require=${preload}`, SERVICE_SIM_CODE_CACHE: "off" };
  const { code, stderr } = await place().run("status", { env });
  expect(code).toBe(1);
  expect(stderr).toBe(
    "error  an error of service-sim itself: broken on purpose\n" +
      "next   run it again with NODE_DEBUG=service-sim, and report what that prints\n",
  );
  const debug = await place().run("status", { env: { ...env, NODE_DEBUG: "service-sim" } });
  expect(debug.stderr).toMatch(/^SERVICE-SIM \d+: .*RangeError: broken on purpose\n\s+at /s);
});

test("an error of a callback is one too", async () => {
  const preload = place().file("throws.cjs");
  writeFileSync(
    preload,
    `process.on("newListener", (name) => {
  if (name === "uncaughtException") setTimeout(() => { throw new Error("late\\nand long"); }, 300);
});`,
  );
  const { code, stderr } = await place().run("exec -- sleep 1", {
    env: { NODE_OPTIONS: `--require=${preload}` },
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    "error  an error of service-sim itself: late\n" +
      "next   run it again with NODE_DEBUG=service-sim, and report what that prints\n",
  );
});
