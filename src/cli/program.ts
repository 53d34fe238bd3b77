import { Command as CommanderCommand, CommanderError, Option } from "commander";
import { closestTo } from "../contract/core/closest.ts";
import { workingFolder } from "../machine/working-folder.ts";
import { CONFIG_NAMES } from "../options/start-options.ts";
import { VERSION } from "../version.ts";
import { COMMAND_SECTIONS, COMMANDS } from "./command-sections.ts";
import {
  type Command,
  CommandError,
  type CommandGroup,
  EXIT,
  type Invocation,
  SHARED_OPTIONS,
  usageError,
  variableOf,
} from "./frame/command.ts";
import { listCommands } from "./frame/command-table.ts";
import { type ConfigValues, readConfigFile } from "./frame/config-file.ts";
import { toldFailure } from "./frame/failure-message.ts";
import { HELP_LAYOUT, helpText, MORE_HELP } from "./frame/help-layout.ts";
import { meantCommand } from "./frame/meant-command.ts";
import { withNextSteps } from "./frame/next-steps.ts";
import { unknownOption, usageSentence } from "./frame/usage-sentence.ts";
import {
  asksForVersion,
  type GroupNames,
  inOrder,
  unknownCommand,
  VERSION_WORDS,
  withAlone,
} from "./frame/word-order.ts";
import { Terminal } from "./text/terminal.ts";

/** A variable set to a "no" word leaves a switch off; commander takes any value for yes. */
const withVariable = (option: Option, flags: string) => {
  const variable = variableOf(flags);
  const saysNo = /^(|0|false|no)$/i.test(process.env[variable] ?? "");
  if (!option.isBoolean() || !saysNo) option.env(variable);
  return option;
};

const printHelp = (help: string) => void process.stdout.write(helpText(help, process.stdout));

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

/** Flags add up; a flag or a variable replaces the config file's text. */
const collect = (value: string, before: unknown) => (isList(before) ? [...before, value] : [value]);

/** Options of a single call: neither a variable nor a config file sets them. */
const typedOnly = new WeakSet<Option>();

const optionOf = (wanted: Command["options"][number]) => {
  const { flags, summary } = wanted;
  const option = new Option(flags, summary);
  if (wanted.default !== undefined) option.default(wanted.default);
  if (wanted.repeats) option.argParser(collect);
  if (wanted.choices) option.choices([...wanted.choices]);
  if (wanted.isHidden) option.hideHelp();
  if (wanted.noEnvironment) typedOnly.add(option);
  else withVariable(option, flags);
  return option;
};

/** Words in which a command is looked for: options of every command may stand before it. */
const MAX_LEADING_WORDS = 6;

/** commander's code for help that it printed because no command was named. */
const HELP_SHOWN = "commander.help";

/** State of a run beside its command: its exit code and the config file's content. */
interface Ran {
  code: number;
  config?: ConfigValues;
  configFailure?: CommandError;
  /** The command that runs even when the config file cannot be read. */
  bearsBadConfig?: string;
}

const linesBelow = (heading: string, lines: readonly string[]) =>
  `\n${heading}:\n${lines.map((line) => `  ${line}`).join("\n")}`;

const examplesText = (examples: readonly string[]) => linesBelow("Examples", examples);

/** Adds a group with the named command, or with all its commands. */
const registerGroup = async (
  program: CommanderCommand,
  { name, summary, subcommands }: CommandGroup,
  { ran, words }: { ran: Ran; words: readonly string[] },
) => {
  const group = program.command(name).description(summary).helpCommand(false);
  if (words[0] !== name) return;
  // commander prints the help of a bare group as an error; here it is the answer.
  group.configureOutput({ writeErr: printHelp });
  const [, word = ""] = words;
  const wanted = Object.hasOwn(subcommands, word) ? [word] : Object.keys(subcommands);
  const examples: string[] = [];
  for (const load of wanted.map((one) => subcommands[one]))
    if (load) {
      const { command } = await load();
      register(group, command, ran);
      examples.push(...command.examples);
    }
  group.addHelpText("after", examplesText(examples));
};

const wordsOf = (command: CommanderCommand): string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : [];

/** Refuses words beyond the operands, and names the first one. */
const refuseExcess = (sub: CommanderCommand) => {
  const { args, registeredArguments: operands } = sub;
  const extra = args[operands.length];
  if (extra === undefined || operands.some(({ variadic }) => variadic)) return;
  const words = wordsOf(sub);
  const before = [...words, ...args.slice(0, operands.length)].join(" ");
  throw usageError(
    `Expected nothing after ${before} but found "${extra}"`,
    helpLine(words, undefined),
  );
};

const register = (program: CommanderCommand, command: Command, ran: Ran) => {
  const sub = program.command(command.name).description(command.summary);
  if (command.operands) sub.arguments(command.operands);
  if (command.usage) sub.usage(`[options] ${command.usage}`);
  if (command.passesThrough) sub.passThroughOptions();
  if (command.bearsBadConfig) ran.bearsBadConfig = command.name;
  for (const option of [...command.options, ...SHARED_OPTIONS]) sub.addOption(optionOf(option));
  if (command.notes) sub.addHelpText("after", linesBelow("Fields", command.notes));
  sub.addHelpText("after", examplesText(command.examples));
  sub.allowExcessArguments();
  sub.action(async (...values: unknown[]) => {
    refuseExcess(sub);
    const all = Object.entries(sub.opts());
    const options = Object.fromEntries(all.filter(([, value]) => !isList(value)));
    const operands = values.slice(0, -2).flat() as (string | undefined)[];
    const invocation: Invocation = {
      args: operands.filter((operand): operand is string => operand !== undefined),
      options,
      lists: Object.fromEntries(all.filter(([, value]) => isList(value))),
      ...(ran.config && { config: ran.config }),
      ...(ran.configFailure && { configFailure: ran.configFailure }),
      everyCommand: () => listCommands(COMMANDS),
      sources: Object.fromEntries(all.map(([name]) => [name, sub.getOptionValueSource(name)])),
    };
    const words = program.parent ? `${program.name()} ${command.name}` : command.name;
    ran.code = await runCommand(command, words, invocation);
  });
};

const runCommand = async (
  command: Command,
  words: string,
  invocation: Invocation,
): Promise<number> => {
  const { json, quiet, color, world } = invocation.options;
  const terminal = await Terminal.open({
    json: json === true,
    quiet: quiet === true,
    color: typeof color === "string" ? color : undefined,
    world: invocation.sources?.world === "cli" ? String(world) : undefined,
  });
  try {
    return await command.run(invocation, terminal);
  } catch (thrown) {
    const error = toldFailure(thrown);
    terminal.fail(await withNextSteps(error, words, invocation));
    return error.exitCode;
  }
};

/** The command that the words name, and these words: `webhooks list`. */
const commandNamed = (program: CommanderCommand, args: readonly string[]) => {
  let named = program;
  const words: string[] = [];
  for (const word of args) {
    const below = named.commands.find((command) => command.name() === word);
    if (!below) break;
    named = below;
    words.push(word);
  }
  return { named, words };
};

const helpLine = (words: readonly string[], guess: string | undefined) => {
  const help = ["service-sim", ...words, "--help"].join(" ");
  return guess === undefined ? help : `${help}    did you mean ${guess}?`;
};

/** Letters that mean the same in most programs, whatever else begins with them. */
const USUAL: Readonly<Record<string, string>> = { "-p": "--port" };

/** The option that was probably meant: `-q` is `--quiet`, the only one of one word with this letter. */
const meantFlag = (flag: string, flags: readonly string[]) => {
  if (flag.startsWith("--")) return closestTo(flag, flags);
  if (flag.length !== 2) return undefined;
  const usual = USUAL[flag];
  if (usual !== undefined && flags.includes(usual)) return usual;
  const fitting = [...new Set(flags.filter((option) => option.startsWith(`-${flag}`)))];
  const short = fitting.filter((option) => !option.slice("--".length).includes("-"));
  const [first, ...others] = short.length > 0 ? short : fitting;
  return others.length === 0 ? first : undefined;
};

/** commander ends a usage error with exit code 1 and its own sentence; ours replace both. */
const usageFailure = (
  error: CommanderError,
  { args, program }: { args: readonly string[]; program: CommanderCommand },
) => {
  const flag = unknownOption(error.message);
  if (flag !== undefined && /^-[0-9]/.test(flag) && args[0] === "advance")
    return usageError(
      `Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${flag}"`,
      "service-sim advance 6m",
    );
  const { named, words } = commandNamed(program, args);
  const shared = SHARED_OPTIONS.flatMap((option) => optionOf(option).long ?? []);
  const flags = [...named.options.flatMap(({ long }) => long ?? []), ...shared];
  const guess = flag && meantFlag(flag, flags);
  const version = "service-sim --version    prints the version";
  return usageError(
    usageSentence(error.message),
    helpLine(words, guess),
    ...(guess === undefined && VERSION_WORDS.includes(flag ?? "") ? [version] : []),
  );
};

/** The groups that the words name: their commands, and the one that the name alone runs. */
const groupsNamed = async (args: readonly string[]) => {
  const groups: Record<string, readonly string[]> = {};
  const alone: Record<string, string> = {};
  for (const name of args.filter((word) => Object.hasOwn(COMMANDS, word))) {
    const { command } = (await COMMANDS[name]?.()) ?? {};
    if (!command || !("subcommands" in command)) continue;
    groups[name] = Object.keys(command.subcommands);
    if (command.alone !== undefined) alone[name] = command.alone;
  }
  return { groups: groups satisfies GroupNames, alone };
};

/** The command line in the order that commander reads. Refuses a name that no command has. */
const ordered = async (argv: readonly string[]): Promise<string[]> => {
  const { groups, alone } = await groupsNamed(ownWords(argv).slice(0, MAX_LEADING_WORDS));
  const args = withAlone(argv, { groups, alone });
  const unknown = unknownCommand(args, { names: [...Object.keys(COMMANDS), "version"], groups });
  if (!unknown) return inOrder(args, groups);
  const { word, after, names } = unknown;
  throw usageError(`no command "${word}"`, helpLine(after, meantCommand(word, names)));
};

const programFor = async (args: readonly string[], ran: Ran, writeHelp = printHelp) => {
  const program = new CommanderCommand("service-sim")
    .description("A whole payments platform on your own machine")
    .version(VERSION, "-v, --version", "show the version")
    .helpOption("-h, --help", "show the help")
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => {}, writeOut: writeHelp })
    .configureHelp(HELP_LAYOUT);
  const [name = ""] = args;
  const isNamed = Object.hasOwn(COMMANDS, name);
  for (const { heading, commands } of COMMAND_SECTIONS) {
    program.commandsGroup(`${heading}:`);
    for (const [word, load] of Object.entries(commands)) {
      if (isNamed && word !== name) continue;
      const { command } = await load();
      if ("run" in command) register(program, command, ran);
      else await registerGroup(program, command, { ran, words: args });
    }
  }
  if (!isNamed) program.addHelpText("after", `\n${MORE_HELP}`);
  return program;
};

/**
 * The help of the program, or of the command or group that the words name.
 * @returns it as `helpText` takes it
 */
export const helpOf = async (words: readonly string[]): Promise<string> => {
  const parts: string[] = [];
  const program = await programFor(words, { code: EXIT.done }, (part) => void parts.push(part));
  commandNamed(program, words).named.outputHelp();
  return parts.join("");
};

/** Words before `--`; those after it belong to another program. */
const ownWords = (args: readonly string[]) => {
  const end = args.indexOf("--");
  return end < 0 ? args : args.slice(0, end);
};

const badValue = (where: string, expected: string, found: unknown) =>
  usageError(
    `Expected ${where} to be ${expected} but found ${JSON.stringify(found)}`,
    "service-sim doctor    shows each option and its source",
  );

/** A switch takes only true and false, so that "false" never means yes. */
const requireFitting = (option: Option, value: string | boolean, where: string) => {
  if (option.argChoices && !option.argChoices.includes(String(value)))
    throw badValue(where, `one of ${option.argChoices.join(", ")}`, value);
  if (option.isBoolean() !== (typeof value === "boolean"))
    throw badValue(where, option.isBoolean() ? "true or false" : "text or a number", value);
};

/** Applies the config file where neither a flag nor the environment sets a value. */
const applyConfigFile = async (
  program: CommanderCommand,
  args: readonly string[],
): Promise<ConfigValues | undefined> => {
  if (args.some((word) => ["--help", "-h", "--version"].includes(word))) return undefined;
  const folder = workingFolder();
  const file = folder === undefined ? undefined : await readConfigFile(folder, CONFIG_NAMES);
  if (!file) return undefined;
  for (const sub of program.commands.flatMap((command) => [command, ...command.commands]))
    for (const option of sub.options) {
      const name = option.attributeName();
      const value = file.values[name];
      if (value === undefined || typedOnly.has(option)) continue;
      requireFitting(option, value, `${name} of ${file.path}`);
      sub.setOptionValueWithSource(name, value, "config");
    }
  return file.values;
};

const takeConfig = async (program: CommanderCommand, args: readonly string[], ran: Ran) => {
  try {
    const config = await applyConfigFile(program, args);
    if (config) ran.config = config;
  } catch (error) {
    if (!(error instanceof CommandError) || args[0] !== ran.bearsBadConfig) throw error;
    ran.configFailure = error;
  }
};

const failWith = async (failure: CommandError, args: readonly string[]) => {
  const json = ownWords(args).includes("--json");
  const terminal = await Terminal.open({ json, quiet: false, color: undefined });
  terminal.fail(failure);
  return failure.exitCode;
};

const printVersion = async (args: readonly string[]) => {
  const json = args.includes("--json");
  const terminal = await Terminal.open({ json, quiet: false, color: undefined });
  terminal.document({ version: VERSION });
  if (!json) terminal.answer(VERSION);
  return EXIT.done;
};

const runOrdered = async (args: readonly string[], ran: Ran): Promise<number> => {
  const program = await programFor(args, ran);
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await takeConfig(program, ownWords(args), ran);
    await program.parseAsync([...args], { from: "user" });
    return ran.code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === HELP_SHOWN) return EXIT.done;
    throw usageFailure(error, { args, program });
  }
};

/**
 * Runs one command line.
 * @returns the exit code
 */
export const runCommandLine = async (args: readonly string[]): Promise<number> => {
  try {
    if (asksForVersion(args)) return await printVersion(args);
    return await runOrdered(await ordered(args), { code: EXIT.done });
  } catch (error) {
    return failWith(toldFailure(error), args);
  }
};
