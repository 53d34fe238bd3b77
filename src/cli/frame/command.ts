import type { Terminal } from "../text/terminal.ts";

/** One option of a command; its environment variable is `SERVICE_SIM_` and its name. */
export interface CommandOption {
  /** As commander reads it: `--port <number>`. */
  flags: string;
  summary: string;
  default?: string;
  choices?: readonly string[];
  /** Options that hold a secret or only make sense once have no variable. */
  noEnvironment?: boolean;
  /** It may be given several times; what was given stands in `Invocation.lists`. */
  repeats?: boolean;
}

/** The environment variable of an option: `SERVICE_SIM_PORT` of `--port <number>`. */
export const variableOf = (flags: string) =>
  `SERVICE_SIM_${/--([a-z-]+)/.exec(flags)?.[1]?.toUpperCase().replaceAll("-", "_")}`;

/** What a command was called with. */
export interface Invocation {
  args: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** What options were given that may be given several times, in order. */
  lists?: Readonly<Record<string, readonly string[]>>;
  /** What a config file says, also of options this command does not have. */
  config?: Readonly<Record<string, string | boolean>>;
  /** Where each value comes from: cli, env, config or default. */
  sources?: Readonly<Record<string, string | undefined>>;
  /** What is wrong with the config file, for a command that bears it. */
  configFailure?: CommandError;
  /** Loads every command, for those that tell of the command line as a whole. */
  everyCommand(): Promise<CommandList>;
}

/** A command of the command line. */
export interface Command {
  name: string;
  summary: string;
  /** Operands as commander reads them: `[span]`, `<command...>`. */
  operands?: string;
  options: readonly CommandOption[];
  /** Command lines that work as printed. */
  examples: readonly string[];
  /** Everything after the operands belongs to another program. */
  passesThrough?: boolean;
  /** Runs also when the config file cannot be read, and tells of it. */
  bearsBadConfig?: boolean;
  /** @returns the exit code */
  run(invocation: Invocation, terminal: Terminal): Promise<number>;
}

/** Commands below one word, like `webhooks list`; the word alone prints their help. */
export interface CommandGroup {
  name: string;
  summary: string;
  /** By their names, each loaded only when it is called. */
  subcommands: Readonly<Record<string, () => Promise<{ command: Command }>>>;
}

/** A command that can be run, with the words that call it: `webhooks list`. */
export interface ListedCommand {
  words: string;
  command: Command;
}

/** The whole command line: groups by their names, and all that can be run. */
export interface CommandList {
  groups: readonly Pick<CommandGroup, "name" | "summary">[];
  commands: readonly ListedCommand[];
}

/** Exit codes (ARCHITECTURE, Command line). */
export const EXIT = {
  done: 0,
  notDone: 1,
  usage: 2,
  notReachable: 3,
  couldNotStart: 4,
} as const;

/** What each exit code says to a script. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  notDone: "the thing asked for did not happen",
  usage: "the command line, or what it was given, is wrong",
  notReachable: "no simulator is reachable",
  couldNotStart: "the simulator could not start",
};

/** A failure that is told to a person: one sentence, and what to do next. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: string;
  readonly exitCode: number;
  readonly next: readonly string[];
  readonly details: Record<string, unknown> | undefined;

  constructor(
    failure: { code: string; exitCode: number; details?: Record<string, unknown> },
    message: string,
    next: readonly string[],
  ) {
    super(message);
    this.code = failure.code;
    this.exitCode = failure.exitCode;
    this.details = failure.details;
    this.next = next;
  }
}

export const usageError = (message: string, ...next: string[]) =>
  new CommandError({ code: "USAGE", exitCode: EXIT.usage }, message, next);

/** Options of every command. */
export const SHARED_OPTIONS: readonly CommandOption[] = [
  { flags: "--json", summary: "print one JSON document and nothing else" },
  { flags: "--quiet", summary: "print only what was asked for, and errors" },
  { flags: "--color <when>", summary: "color the output", choices: ["auto", "always", "never"] },
];

/** Options of every command that talks to a running simulator. */
export const CLIENT_OPTIONS: readonly CommandOption[] = [
  { flags: "--url <origin>", summary: "the simulator to talk to (default: .service-sim)" },
];
