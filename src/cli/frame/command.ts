import type { CommandOption } from "../../options/option-row.ts";
import type { Terminal } from "../text/terminal.ts";

/** The environment variable of an option: `SERVICE_SIM_PORT` for `--port <number>`. */
export const variableOf = (flags: string) =>
  `SERVICE_SIM_${/--([a-z-]+)/.exec(flags)?.[1]?.toUpperCase().replaceAll("-", "_")}`;

/** The arguments and options of one call. */
export interface Invocation {
  args: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** Values of repeatable options, in order. */
  lists?: Readonly<Record<string, readonly string[]>>;
  /** Content of the config file, including options this command does not have. */
  config?: Readonly<Record<string, string | boolean>>;
  /** Source of each value: cli, env, config or default. */
  sources?: Readonly<Record<string, string | undefined>>;
  /** Error in the config file, for a command that runs in spite of it. */
  configFailure?: CommandError;
  /** Loads every command, for commands that describe the whole command line. */
  everyCommand(): Promise<CommandList>;
}

/** A command of the command line. */
export interface Command {
  name: string;
  summary: string;
  /** Operands as commander reads them: `[span]`, `<command...>`. */
  operands?: string;
  /** Operands in words for people, where the name in `operands` does not say enough. */
  usage?: string;
  /** Words that shells offer instead of an operand: anywhere, and right after another word. */
  completes?: {
    words: readonly string[];
    after: Readonly<Record<string, readonly string[]>>;
  };
  options: readonly CommandOption[];
  /** Lines of the help above its examples. */
  notes?: readonly string[];
  /** Command lines that work as printed. */
  examples: readonly string[];
  /** The words after the operands belong to another program. */
  passesThrough?: boolean;
  /** Runs even when the config file cannot be read, and reports the error. */
  bearsBadConfig?: boolean;
  /** @returns the exit code */
  run(invocation: Invocation, terminal: Terminal): Promise<number>;
}

/**
 * Commands under one word, like `webhooks list`. The word alone prints their help, or runs the one
 * that `alone` names.
 */
export interface CommandGroup {
  name: string;
  summary: string;
  /** The command that the word alone runs, or the word and an operand: `list`. */
  alone?: string;
  /** Commands by name, each loaded only when it is called. */
  subcommands: Readonly<Record<string, () => Promise<{ command: Command }>>>;
}

/** A command that can be run, with the words that call it: `webhooks list`. */
export interface ListedCommand {
  words: string;
  command: Command;
}

/** The whole command line: groups by name, and every command that can be run. */
export interface CommandList {
  groups: readonly Pick<CommandGroup, "name" | "summary" | "alone">[];
  commands: readonly ListedCommand[];
}

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  notDone: 1,
  usage: 2,
  notReachable: 3,
  couldNotStart: 4,
} as const;

/** The meaning of each exit code for a script. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  notDone: "the command failed, or a check did not pass",
  usage: "the command line or its input is wrong",
  notReachable: "no simulator is reachable",
  couldNotStart: "the simulator could not start",
};

/** A failure with one sentence for the user and the next steps. */
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

const withDetails = ({ code, exitCode, details }: CommandError) => ({
  code,
  exitCode,
  ...(details && { details }),
});

/** Reads the value of an option; a refusal of it begins with the option's name. */
export const ofOption = <Read>(flag: string, read: () => Read): Read => {
  try {
    return read();
  } catch (error) {
    throw error instanceof CommandError && !error.message.includes(flag)
      ? new CommandError(withDetails(error), `${flag}: ${error.message}`, error.next)
      : error;
  }
};

/** Options of every command. */
export const SHARED_OPTIONS: readonly CommandOption[] = [
  { flags: "--json", summary: "print one JSON document and nothing else" },
  { flags: "--quiet", summary: "print only the requested value, and errors" },
  { flags: "--color <when>", summary: "color the output", choices: ["auto", "always", "never"] },
];

/** Options of every command that talks to a running simulator. */
export const CLIENT_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--url <origin>",
    summary: "address of the simulator (default: the one in .service-sim)",
  },
  {
    flags: "--world <name>",
    summary: "name of a world, as in worlds list (default: the default world)",
  },
];
