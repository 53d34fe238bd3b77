import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMAND_SECTIONS } from "../../../src/cli/command-sections.ts";
import { everyRow } from "../../setup/every-row.ts";
import { examplesIn, namesIn, readHelps, sectionsIn } from "../setup/helps.ts";
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
    "scenario",
    "worlds",
    "store",
    "timers",
    "snapshot",
    "webhooks",
    "outcomes",
    "approvals",
    "policy",
    "faults",
    "keys",
    "passkey",
    "oidc",
  ]);
  const words = commands.map((one) => one.words);
  expect(words).toContain("webhooks wait");
  const says = "each file of src/cli/commands has its line in src/cli/command-sections.ts";
  expect(words.sort(), says).toEqual(commandFiles().sort());
});

/** The whole help, heading by heading: each command stands below exactly one. */
const SECTIONS = COMMAND_SECTIONS.map(({ heading, commands: below }) => ({
  heading,
  names: Object.keys(below).join(" "),
}));

test("the help groups its commands, each below one heading", () => {
  const shown = sectionsIn(top).map(({ heading, text }) => ({
    heading,
    names: namesIn(`${text}`)
      .map(({ name }) => name)
      .join(" "),
  }));
  expect(shown).toEqual(SECTIONS);
  const all = COMMAND_SECTIONS.flatMap(({ commands: below }) => Object.keys(below));
  expect(new Set(all).size, "a command stands below two headings").toBe(all.length);
});

test("the help names the documents and their page", () => {
  expect(top).toContain("service-sim docs ");
  expect(top).toContain("http://127.0.0.1:4747/_sim/docs ");
  expect(top).toContain("service-sim help <command> ");
});

test.each([
  { args: ["help"], like: ["--help"] },
  { args: ["help", "timers"], like: ["timers", "--help"] },
  { args: ["help", "webhooks"], like: ["webhooks", "--help"] },
  { args: ["help", "webhooks", "list"], like: ["webhooks", "list", "--help"] },
  { args: ["--json", "help", "timers"], like: ["timers", "--help"] },
  { args: ["help", "help"], like: ["--help"] },
  { args: ["webhooks", "help"], like: ["webhooks", "--help"] },
  { args: ["webhooks", "help", "list"], like: ["webhooks", "list", "--help"] },
  { args: ["help", "webhooks", "help"], like: ["webhooks", "--help"] },
  { args: ["--json", "webhooks", "help"], like: ["webhooks", "--help"] },
  { args: ["--quiet"], like: ["--help"] },
])("$args prints what $like does", async ({ args, like }) => {
  const wanted = await runInProcess(like);
  expect(wanted).toMatchObject({ code: 0, stderr: "" });
  expect(await runInProcess(args)).toEqual(wanted);
});

test.each([
  {
    args: ["help", "statsu"],
    sentence: 'no command "statsu"',
    next: "--help    did you mean status?",
  },
  { args: ["help", "nosuch"], sentence: 'no command "nosuch"', next: "--help" },
  { args: ["nosuch", "--help"], sentence: 'no command "nosuch"', next: "--help" },
  {
    args: ["webhooks", "lsit"],
    sentence: 'no command "lsit"',
    next: "webhooks --help    did you mean list?",
  },
  {
    args: ["help", "webhooks", "resned"],
    sentence: 'no command "resned"',
    next: "webhooks --help    did you mean resend?",
  },
  // Words of other groups with the same meaning.
  ...[
    { group: "faults", word: "lift", meant: "clear" },
    { group: "webhooks", word: "clear", meant: "lift" },
    { group: "outcomes", word: "clear", meant: "lift" },
    { group: "timers", word: "remove", meant: "cancel" },
    { group: "snapshot", word: "restore", meant: "load" },
    { group: "worlds", word: "delete", meant: "remove" },
    { group: "worlds", word: "new", meant: "create" },
  ].map(({ group, word, meant }) => ({
    args: [group, word],
    sentence: `no command "${word}"`,
    next: `${group} --help    did you mean ${meant}?`,
  })),
  {
    args: ["--color", "never", "tiemrs"],
    sentence: 'no command "tiemrs"',
    next: "--help    did you mean timers?",
  },
])("$args is refused, with what was close", async ({ args, sentence, next }) => {
  expect(await runInProcess(args)).toEqual({
    code: 2,
    stdout: "",
    stderr: `error  ${sentence}\nnext   service-sim ${next}\n`,
  });
});

test.each([
  { args: ["timers", "-q"], flag: "-q", next: "timers list --help    did you mean --quiet?" },
  { args: ["requests", "-v"], flag: "-v", next: "requests --help    did you mean --verbose?" },
  { args: ["start", "-p", "3000"], flag: "-p", next: "start --help    did you mean --port?" },
  { args: ["timers", "-x"], flag: "-x", next: "timers list --help" },
  {
    args: ["timers", "-v"],
    flag: "-v",
    next: "timers list --help\n       service-sim --version    prints the version",
  },
])("a short option that $args has not is answered with what was meant", async (row) => {
  expect(await runInProcess(row.args)).toEqual({
    code: 2,
    stdout: "",
    stderr: `error  no option ${row.flag} here\nnext   service-sim ${row.next}\n`,
  });
});

test.each([
  {
    args: ["outcomes", "quotedPaymen.003"],
    sentence: "no test rule quotedPaymen.003",
    next: ["outcomes quotedPayment.003", "outcomes    prints all"],
  },
  {
    args: ["outcomes", "quotedPayment.999"],
    sentence: "no test rule quotedPayment.999",
    next: ["outcomes quotedPayment", "outcomes    prints all"],
  },
  {
    args: ["outcomes", "zzz"],
    sentence: "no test rule zzz",
    next: ["outcomes    prints all"],
  },
])("$args is refused, with what could be meant", async ({ args, sentence, next }) => {
  const [first, ...others] = next.map((line) => `service-sim ${line}`);
  expect(await runInProcess(args)).toEqual({
    code: 2,
    stdout: "",
    stderr: `error  ${sentence}\n${[`next   ${first}`, ...others.map((line) => `       ${line}`)].join("\n")}\n`,
  });
});

test.each([
  { args: ["-v"], stdout: "0.1.0\n" },
  { args: ["version"], stdout: "0.1.0\n" },
  { args: ["-V"], stdout: "0.1.0\n" },
  { args: ["--json", "version"], stdout: '{"version":"0.1.0"}\n' },
  { args: ["version", "--json"], stdout: '{"version":"0.1.0"}\n' },
])("$args prints the version", async ({ args, stdout }) => {
  expect(await runInProcess(args)).toEqual({ code: 0, stdout, stderr: "" });
});

test.each([
  { before: ["--json", "operations"], after: ["operations", "--json"] },
  { before: ["--quiet", "outcomes"], after: ["outcomes", "--quiet"] },
  { before: ["--color", "always", "outcomes"], after: ["outcomes", "--color", "always"] },
  { before: ["--color=always", "outcomes"], after: ["outcomes", "--color=always"] },
  { before: ["--json", "webhooks", "vector"], after: ["webhooks", "vector", "--json"] },
])("$before is $after", async ({ before, after }) => {
  const wanted = await runInProcess(after);
  expect(wanted).toMatchObject({ code: 0, stderr: "" });
  expect(await runInProcess(before)).toEqual(wanted);
});

/** Groups whose name alone runs a command; they show their help only when asked. */
const RUN_ALONE = ["timers", "outcomes"];

test("the word of a group alone prints its help, with every example", () =>
  everyRow(groups, async (group) => {
    const { name, help } = group;
    for (const args of RUN_ALONE.includes(name) ? [[name, "-h"]] : [[name], [name, "-h"]])
      expect(await runInProcess(args)).toEqual({ code: 0, stdout: help, stderr: "" });
    const below = commands.filter(({ words }) => words.startsWith(`${name} `));
    expect(examplesIn(help)).toEqual(below.flatMap(({ examples }) => examples));
  }));

test("--version prints the version alone", async () => {
  expect(await runInProcess(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
});

test("the help of every command shows an example", () =>
  everyRow(commands, ({ words, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples) expect(line).toMatch(new RegExp(`\\bservice-sim ${words}\\b`));
  }));
