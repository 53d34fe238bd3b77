import type { ControlCall } from "../../control/control-surface.ts";
import { type CommandOption, optionName } from "../../options/option-row.ts";
import { CONFIG_NAMES, START_FLAGS } from "../../options/start-options.ts";
import {
  CLIENT_OPTIONS,
  type CommandList,
  EXIT,
  EXIT_MEANINGS,
  type ListedCommand,
  SHARED_OPTIONS,
  variableOf,
} from "./command.ts";
import { OTHER_VARIABLES } from "./environment.ts";

/** Escapes bars, which end a table cell, and angle brackets, which start a tag. */
const cell = (text: string) => text.replaceAll("|", "\\|").replace(/<([^>]*)>/g, "\\<$1>");

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) => [
  `| ${head.join(" | ")} |`,
  `|${head.map(() => "---").join("|")}|`,
  ...rows.map((row) => `| ${row.join(" | ")} |`),
  "",
];

const longName = (flags: string) => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

const OF_START = new Set(START_FLAGS.map(({ flags }) => flags));

const isOfStart = ({ flags }: CommandOption) => OF_START.has(flags);

/** Options of a command; options shared with `start` are shortened when there are many. */
const optionsCell = ({ words, command: { options } }: ListedCommand) => {
  if (words === "start") return "below";
  const shared = options.filter(isOfStart);
  const own = options.filter((option) => !isOfStart(option));
  return [
    ...own.map(({ flags }) => code(longName(flags))),
    ...(shared.length === 0 ? [] : [ofStartCell(shared)]),
  ].join(" ");
};

const ofStartCell = (shared: readonly CommandOption[]) => {
  const sharedFlags = new Set(shared.map(({ flags }) => flags));
  const left = START_FLAGS.filter(({ flags }) => !sharedFlags.has(flags)).map(({ flags }) =>
    code(longName(flags)),
  );
  return left.length < shared.length
    ? `those of \`start\` without ${left.join(" ")}`
    : shared.map((option) => code(longName(option.flags))).join(" ");
};

const commandRows = ({ commands }: CommandList) =>
  commands.map((listed) => [
    code([listed.words, listed.command.usage ?? listed.command.operands].filter(Boolean).join(" ")),
    cell(listed.command.summary),
    optionsCell(listed),
  ]);

const MOST_CHOICES = 8;

const choicesText = (choices: readonly string[]) =>
  choices.length > MOST_CHOICES
    ? `one of ${choices.length}, as ${code(choices[0] ?? "")}; \`--help\` lists them`
    : `one of ${choices.map(code).join(" ")}`;

const summaryOf = ({ summary, choices = [], default: value }: CommandOption) => {
  const areTold = choices.every((choice) => summary.includes(choice));
  return [
    cell(summary),
    ...(areTold ? [] : [choicesText(choices)]),
    ...(value === undefined ? [] : [`default ${code(value)}`]),
  ].join("; ");
};

const settingRow = (option: CommandOption) => {
  const name = optionName(option.flags);
  return [
    code(option.flags),
    summaryOf(option),
    option.noEnvironment ? "" : code(variableOf(option.flags)),
    CONFIG_NAMES.includes(name) ? code(name) : "",
  ];
};

const SETTING_HEAD = ["option", "what it does", "variable", "config file"];

/** Options of one command only; options that several commands share are listed once. */
const ownRows = ({ commands }: CommandList) => {
  const common = new Set([...START_FLAGS, ...CLIENT_OPTIONS].map(({ flags }) => flags));
  const rows = new Map<string, { option: CommandOption; of: string[] }>();
  for (const { words, command } of commands)
    for (const option of command.options.filter(({ flags }) => !common.has(flags))) {
      const key = JSON.stringify(option);
      const row = rows.get(key) ?? { option, of: [] };
      row.of.push(code(words));
      rows.set(key, row);
    }
  return [...rows.values()].map(({ option, of }) => [
    of.join(", "),
    code(option.flags),
    summaryOf(option),
    option.noEnvironment ? "" : code(variableOf(option.flags)),
  ]);
};

const takenBy = ({ query, body }: ControlCall) =>
  [
    ...(query.length > 0 ? [code(`?${query.join("&")}`)] : []),
    ...(body.length > 0 ? [code(`{${body.join(", ")}}`)] : []),
  ].join(" ");

const callRows = (calls: readonly ControlCall[]) =>
  calls.map((call) => [
    code(`${call.method} ${call.path}`),
    cell(call.summary),
    takenBy(call),
    call.isOpen ? "open" : "",
  ]);

/** Exit codes and their meanings. */
export const exitCodes = () =>
  Object.entries(EXIT).map(([name, code]) => ({
    code,
    says: EXIT_MEANINGS[name as keyof typeof EXIT],
  }));

const variableRows = Object.entries(OTHER_VARIABLES).map(([name, says]) => [code(name), says]);

/** The reference as Markdown lines, under headings of the third level. */
export const referenceOf = (list: CommandList, calls: readonly ControlCall[]): string[] => [
  "### Commands",
  "",
  ...table(["command", "what it does", "options"], commandRows(list)),
  "### Options of every command",
  "",
  ...table(SETTING_HEAD, SHARED_OPTIONS.map(settingRow)),
  "Commands that talk to a running simulator also take:",
  "",
  ...table(SETTING_HEAD, CLIENT_OPTIONS.map(settingRow)),
  "### Options of `start`",
  "",
  ...table(SETTING_HEAD, START_FLAGS.map(settingRow)),
  "### Options of other commands",
  "",
  ...table(["command", "option", "what it does", "variable"], ownRows(list)),
  "### Other variables",
  "",
  ...table(["variable", "meaning"], variableRows),
  "### Exit codes",
  "",
  ...table(
    ["code", "meaning"],
    exitCodes().map(({ code, says }) => [String(code), says]),
  ),
  "### Control surface",
  "",
  "Open calls are answered for anyone. The others check `Host` and `Origin`, and beyond",
  "loopback they require the control token.",
  "",
  ...table(["call", "what it does", "takes", ""], callRows(calls)).slice(0, -1),
];
