import { Command as CommanderCommand, CommanderError, Option } from "commander";
import { VERSION } from "../version.ts";
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
import { type CommandTable, listCommands } from "./frame/command-table.ts";
import { type ConfigValues, readConfigFile } from "./frame/config-file.ts";
import { withNextSteps } from "./frame/next-steps.ts";
import { CONFIG_NAMES } from "./frame/start-options.ts";
import { usageSentence } from "./frame/usage-sentence.ts";
import { asCalled } from "./text/called-as.ts";
import { Terminal } from "./text/terminal.ts";

/** Every command, loaded only when it is called: the README promises a short start-up time. */
export const COMMANDS: CommandTable = {
  start: () => import("./commands/start.ts"),
  stop: () => import("./commands/stop.ts"),
  status: () => import("./commands/status.ts"),
  wait: () => import("./commands/wait.ts"),
  exec: () => import("./commands/exec.ts"),
  env: () => import("./commands/env.ts"),
  advance: () => import("./commands/advance.ts"),
  clock: () => import("./commands/clock.ts"),
  seed: () => import("./commands/seed.ts"),
  timers: () => import("./commands/timers.ts"),
  requests: () => import("./commands/requests.ts"),
  webhooks: () => import("./commands/webhooks.ts"),
  approvals: () => import("./commands/approvals.ts"),
  policy: () => import("./commands/policy.ts"),
  faults: () => import("./commands/faults.ts"),
  why: () => import("./commands/why.ts"),
  reset: () => import("./commands/reset.ts"),
  oidc: () => import("./commands/oidc.ts"),
  inbox: () => import("./commands/inbox.ts"),
  outcomes: () => import("./commands/outcomes.ts"),
  operations: () => import("./commands/operations.ts"),
  openapi: () => import("./commands/openapi.ts"),
  keys: () => import("./commands/keys.ts"),
  sign: () => import("./commands/sign.ts"),
  passkey: () => import("./commands/passkey.ts"),
  tui: () => import("./commands/tui.ts"),
  demo: () => import("./commands/demo.ts"),
  docs: () => import("./commands/docs.ts"),
  doctor: () => import("./commands/doctor.ts"),
  completion: () => import("./commands/completion.ts"),
  reference: () => import("./commands/reference.ts"),
};

/** A variable set to a "no" word leaves a switch off; commander takes any value for yes. */
const withVariable = (option: Option, flags: string) => {
  const variable = variableOf(flags);
  const saysNo = /^(|0|false|no)$/i.test(process.env[variable] ?? "");
  if (!option.isBoolean() || !saysNo) option.env(variable);
  return option;
};

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

/** Flags add up; a flag or a variable replaces the config file's text. */
const collect = (one: string, before: unknown) => (isList(before) ? [...before, one] : [one]);

/** Options of a single call: neither a variable nor a config file sets them. */
const typedOnly = new WeakSet<Option>();

const optionOf = ({ flags, summary, ...rest }: Command["options"][number]) => {
  const option = new Option(flags, summary);
  if (rest.default !== undefined) option.default(rest.default);
  if (rest.repeats) option.argParser(collect);
  if (rest.choices) option.choices([...rest.choices]);
  if (rest.noEnvironment) typedOnly.add(option);
  else withVariable(option, flags);
  return option;
};

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

const examplesText = (examples: readonly string[]) =>
  `\nExamples:\n${examples.map((line) => `  ${asCalled(line)}`).join("\n")}`;

/** Adds a group with the named command, or with all its commands. */
const registerGroup = async (
  program: CommanderCommand,
  { name, summary, subcommands }: CommandGroup,
  { ran, words }: { ran: Ran; words: readonly string[] },
) => {
  const group = program.command(name).description(summary).helpCommand(false);
  if (words[0] !== name) return;
  // commander prints the help of a bare group as an error; here it is the answer.
  group.configureOutput({ writeErr: (text) => process.stdout.write(text) });
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

const register = (program: CommanderCommand, command: Command, ran: Ran) => {
  const sub = program.command(command.name).description(command.summary);
  if (command.operands) sub.argument(command.operands);
  if (command.passesThrough) sub.passThroughOptions();
  if (command.bearsBadConfig) ran.bearsBadConfig = command.name;
  for (const option of [...command.options, ...SHARED_OPTIONS]) sub.addOption(optionOf(option));
  sub.addHelpText("after", examplesText(command.examples));
  sub.action(async (...given: unknown[]) => {
    const all = Object.entries(sub.opts());
    const options = Object.fromEntries(all.filter(([, value]) => !isList(value)));
    const operands = given.slice(0, -2).flat() as (string | undefined)[];
    const invocation: Invocation = {
      args: operands.filter((one): one is string => one !== undefined),
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
  const { json, quiet, color } = invocation.options;
  const terminal = await Terminal.open({
    json: json === true,
    quiet: quiet === true,
    color: typeof color === "string" ? color : undefined,
  });
  try {
    return await command.run(invocation, terminal);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.fail(withNextSteps(error, words, invocation));
    return error.exitCode;
  }
};

/** The words that named a command: `webhooks list`. */
const commandNamed = (program: CommanderCommand, args: readonly string[]) => {
  const words: string[] = [];
  let at: CommanderCommand | undefined = program;
  for (const word of args) {
    at = at.commands.find((one) => one.name() === word);
    if (!at) break;
    words.push(`${word} `);
  }
  return words.join("");
};

/** commander ends a usage error with exit code 1 and its own sentence; ours replace both. */
const usageFailure = (
  error: CommanderError,
  { args, program }: { args: readonly string[]; program: CommanderCommand },
) => {
  const [name = ""] = args;
  const negative = /unknown option '(-[0-9][^']*)'/.exec(error.message)?.[1];
  if (negative !== undefined && name === "advance")
    return usageError(
      `Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${negative}"`,
      "service-sim advance 6m",
    );
  const { sentence, guess } = usageSentence(error.message);
  const help = `service-sim ${commandNamed(program, args)}--help`;
  return usageError(sentence, guess === undefined ? help : `${help}    did you mean ${guess}?`);
};

const programFor = async (args: readonly string[], ran: Ran) => {
  const program = new CommanderCommand("service-sim")
    .description("A whole payments platform on your own machine")
    .version(VERSION, "--version")
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  const [name = ""] = args;
  const wanted = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  for (const load of wanted.map((one) => COMMANDS[one]))
    if (load) {
      const { command } = await load();
      if ("run" in command) register(program, command, ran);
      else await registerGroup(program, command, { ran, words: args });
    }
  return program;
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
  const file = await readConfigFile(process.cwd(), CONFIG_NAMES);
  if (!file) return undefined;
  for (const sub of program.commands.flatMap((one) => [one, ...one.commands]))
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

/**
 * Runs one command line.
 * @returns the exit code
 */
export const runCommandLine = async (args: readonly string[]): Promise<number> => {
  const ran: Ran = { code: EXIT.done };
  const program = await programFor(args, ran);
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  const json = ownWords(args).includes("--json");
  try {
    await takeConfig(program, ownWords(args), ran);
    await program.parseAsync([...args], { from: "user" });
    return ran.code;
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === HELP_SHOWN))
      return EXIT.done;
    const failure =
      error instanceof CommanderError ? usageFailure(error, { args, program }) : error;
    if (!(failure instanceof CommandError)) throw error;
    const terminal = await Terminal.open({ json, quiet: false, color: undefined });
    terminal.fail(failure);
    return failure.exitCode;
  }
};
