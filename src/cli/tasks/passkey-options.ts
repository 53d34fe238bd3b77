import { type CommandOption, type Invocation, usageError } from "../frame/command.ts";

/** Options of the passkey commands. */
export const CHALLENGE_OPTION: CommandOption = {
  flags: "--challenge <text>",
  summary: "the challenge, as it was issued",
  noEnvironment: true,
};

export const KEY_OPTION: CommandOption = {
  flags: "--key <file>",
  summary: "where its private key and its counter are kept",
  noEnvironment: true,
};

export const ORIGIN_OPTION: CommandOption = {
  flags: "--origin <url>",
  summary: "the page that asks (default: the relying party's own)",
  noEnvironment: true,
};

const MISSING = {
  challenge: "--challenge with the text that was issued",
  key: "--key with the file of the passkey",
} as const;

/** The value of a required option. */
export const required = (
  { options }: Invocation,
  name: keyof typeof MISSING,
  command: "create" | "assert",
): string => {
  const value = options[name];
  if (typeof value === "string" && value !== "") return value;
  throw usageError(
    `Expected ${MISSING[name]} but found nothing`,
    `service-sim passkey ${command} --challenge <text> --key <file>`,
  );
};
