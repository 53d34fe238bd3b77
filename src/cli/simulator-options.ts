import { readFileSync } from "node:fs";
import { JournalDamage, NewerFormat } from "../runtime/change.ts";
import { WorldExists } from "../runtime/open-world.ts";
import { JournalFailure } from "../runtime/ports.ts";
import { StateLocked } from "../runtime/state-lock.ts";
import { OptionError, type SimulatorOptions } from "../simulator.ts";
import { CommandError, EXIT, type Invocation, usageError } from "./command.ts";

const text = (value: string | boolean | undefined) =>
  typeof value === "string" ? value : undefined;

const list = (value: string | boolean | undefined) =>
  text(value)
    ?.split(",")
    .map((one) => one.trim())
    .filter(Boolean);

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

const keyIn = (file: string) => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(
      `Expected --webhook-key to name a PEM file but found ${code} at ${file}`,
      "openssl ecparam -name prime256v1 -genkey -noout -out webhook.pem    makes one",
    );
  }
};

export const simulatorOptions = ({ options }: Invocation, storage: string): SimulatorOptions => {
  const given = {
    seed: text(options.seed),
    now: text(options.now),
    clock: text(options.clock) as SimulatorOptions["clock"],
    clientId: text(options.clientId),
    clientSecret: text(options.clientSecret),
    webhookEndpoint: text(options.webhookEndpoint),
    fixture: text(options.fixture),
    crypto: text(options.crypto) as SimulatorOptions["crypto"],
    walletCredential: text(options.walletCredential) as SimulatorOptions["walletCredential"],
    oidcIssuers: list(options.oidcIssuer),
    oidcJwks: text(options.oidcJwks),
  };
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const timeout = text(options.webhookTimeout);
  const keyFile = text(options.webhookKey);
  return {
    storage,
    ...(Object.fromEntries(said) as SimulatorOptions),
    ...(keyFile !== undefined && { webhookKey: keyIn(keyFile) }),
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
      [
        `service-sim doctor --repair            keep the ${error.wholeRecords}, set the rest aside`,
        "service-sim start --storage memory:    or start without files",
      ],
    );
  if (error instanceof JournalFailure)
    return new CommandError(
      { code: "STATE_UNWRITABLE", exitCode: EXIT.couldNotStart },
      `Expected a journal that can be written but found ${error.message}`,
      ["service-sim start --storage memory:    start without files"],
    );
  if (error instanceof NewerFormat)
    return new CommandError({ code: "STATE_NEWER", exitCode: EXIT.couldNotStart }, error.message, [
      "start it with the newer version, which wrote it",
      "service-sim start --storage memory:    or start without files",
    ]);
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
