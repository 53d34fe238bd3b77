import { JournalDamage } from "../runtime/change.ts";
import { WorldExists } from "../runtime/open-world.ts";
import { StateLocked } from "../runtime/state-lock.ts";
import { OptionError, type SimulatorOptions } from "../simulator.ts";
import { CommandError, type CommandOption, EXIT, type Invocation, usageError } from "./command.ts";

/** Options that `start` and `exec` share. */
export const SIMULATOR_OPTIONS: readonly CommandOption[] = [
  { flags: "--seed <text>", summary: "same seed and same requests give the same ids" },
  { flags: "--now <instant>", summary: "starting instant of new state" },
  {
    flags: "--clock <mode>",
    summary: "real: runs with the wall's; manual: stands still until moved",
    choices: ["real", "manual"],
  },
  { flags: "--webhook-timeout <ms>", summary: "how long a receiver may take (default: 30000)" },
];

const text = (value: string | boolean | undefined) =>
  typeof value === "string" ? value : undefined;

const wholeNumber = (option: string, given: string, max: number) => {
  const number = Number(given);
  if (!/^[0-9]+$/.test(given) || number > max)
    throw usageError(
      `Expected ${option} to be a whole number up to ${max} but found "${given}"`,
      "service-sim start --help",
    );
  return number;
};

export const portOf = ({ options }: Invocation) =>
  wholeNumber("--port", String(options.port), 65_535);

const MAX_TIMEOUT_MS = 600_000;

export const simulatorOptions = ({ options }: Invocation, storage: string): SimulatorOptions => {
  const seed = text(options.seed);
  const now = text(options.now);
  const clock = text(options.clock) as SimulatorOptions["clock"];
  const timeout = text(options.webhookTimeout);
  return {
    storage,
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
    ...(clock !== undefined && { clock }),
    ...(timeout !== undefined && {
      webhookTimeoutMs: wholeNumber("--webhook-timeout", timeout, MAX_TIMEOUT_MS),
    }),
  };
};

/** What went wrong while opening, as a person reads it; anything else is thrown on. */
export const startFailure = (error: unknown): unknown => {
  if (error instanceof OptionError) return usageError(error.message, "service-sim start --help");
  if (error instanceof WorldExists)
    return usageError(
      error.message,
      "service-sim start                      go on with that state",
      "service-sim start --storage memory:    or start anew, without files",
    );
  if (error instanceof StateLocked) return lockedFailure(error);
  if (error instanceof JournalDamage)
    return new CommandError(
      {
        code: "STATE_DAMAGED",
        exitCode: EXIT.couldNotStart,
        details: { file: error.file, offset: error.offset, wholeRecords: error.wholeRecords },
      },
      error.message,
      ["service-sim start --storage memory:    start without files, or put a copy back"],
    );
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return error;
  return new CommandError(
    { code: "STATE_UNREADABLE", exitCode: EXIT.couldNotStart },
    `Expected a readable and writable state directory but found ${message}`,
    ["service-sim start --storage memory:    start without files"],
  );
};

const lockedFailure = ({ message, owner, isCertain }: StateLocked) =>
  new CommandError(
    { code: "STATE_LOCKED", exitCode: EXIT.couldNotStart, details: { pid: owner.pid } },
    message,
    isCertain
      ? [
          "service-sim stop                       stop that one, then start again",
          "service-sim start --storage memory:    run beside it, without files",
        ]
      : ["service-sim start --force              take it over; the other one must not run"],
  );
