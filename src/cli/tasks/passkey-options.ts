import type { CommandOption } from "../../options/option-row.ts";
import { type Invocation, usageError } from "../frame/command.ts";

/** Options of the passkey commands. */
export const CHALLENGE_OPTION: CommandOption = {
  flags: "--challenge <text>",
  summary: "challenge, as issued",
  noEnvironment: true,
};

export const KEY_OPTION: CommandOption = {
  flags: "--key <file>",
  summary: "file of the passkey's private key and counter",
  noEnvironment: true,
};

export const ORIGIN_OPTION: CommandOption = {
  flags: "--origin <url>",
  summary: "origin of the page (default: the relying party's own)",
  noEnvironment: true,
};

const MISSING = {
  challenge: "--challenge with the issued text",
  key: "--key with the passkey's file",
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
    `give ${MISSING[name]}`,
    `service-sim passkey ${command} --challenge <text> --key <file>`,
  );
};
