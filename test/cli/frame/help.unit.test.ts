import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { examplesIn, readHelps } from "../setup/helps.ts";
import { runInProcess } from "../setup/in-process.ts";

const { top, groups, commands } = await readHelps();

/** The commands as their files have them, groups as folders. */
const commandFiles = () => {
  const files = readdirSync("src/cli/commands", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replace(/\.ts$/, "").replace(/[\\/]/, " "));
  return files.filter((name) => !files.some((other) => other.startsWith(`${name} `)));
};

test.each([{ args: ["--help"] }, { args: ["-h"] }, { args: [] }])(
  "the help lists every command: $args",
  async ({ args }) => {
    expect(await runInProcess(args)).toEqual({ code: 0, stdout: top, stderr: "" });
  },
);

test("the help has every command and group", () => {
  expect(groups.map(({ name }) => name)).toEqual([
    "webhooks",
    "approvals",
    "policy",
    "faults",
    "oidc",
    "keys",
    "passkey",
  ]);
  const words = commands.map((one) => one.words);
  expect(words).toContain("webhooks wait");
  const says = "each file of src/cli/commands has its line in src/cli/command-sections.ts";
  expect(words.sort(), says).toEqual(commandFiles().sort());
});

test.each(groups)("the word $name alone prints its help, with every example", async (group) => {
  const { name, help } = group;
  for (const args of [[name], [name, "-h"]])
    expect(await runInProcess(args)).toEqual({ code: 0, stdout: help, stderr: "" });
  const below = commands.filter(({ words }) => words.startsWith(`${name} `));
  expect(examplesIn(help)).toEqual(below.flatMap(({ examples }) => examples));
});

test("--version prints the version alone", async () => {
  expect(await runInProcess(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

test.each(commands)("$words --help shows an example", ({ words, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const line of examples) expect(line).toMatch(new RegExp(`\\bservice-sim ${words}\\b`));
});
