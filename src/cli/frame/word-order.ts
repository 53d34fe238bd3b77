import { namesOf } from "../../contract/choices.ts";
import { SHARED_OPTIONS, usageError } from "./command.ts";
import { sameCommand } from "./meant-command.ts";

/** Groups by name, each with the names of its commands. */
export type GroupNames = Readonly<Record<string, readonly string[]>>;

/** The commands that the names of some groups alone run: `list` for `timers`. */
export type AloneNames = Readonly<Record<string, string>>;

const VALUED = SHARED_OPTIONS.filter(({ flags }) => flags.includes("<"));

const longOf = (flags: string) => flags.split(" ")[0] ?? "";

const isValued = (word: string) => VALUED.some(({ flags }) => longOf(flags) === word);

const isShared = (word: string) =>
  SHARED_OPTIONS.some(({ flags }) => longOf(flags) === word.split("=")[0]);

/** A command in the place of an option's value would be lost without a word. */
const requireChoice = (word = "", value = "") => {
  const { choices = [] } = VALUED.find(({ flags }) => longOf(flags) === word) ?? {};
  if (choices.length === 0 || choices.includes(value)) return;
  throw usageError(
    `Expected ${word} to be ${namesOf(choices, value)} but found "${value}"`,
    "service-sim --help",
  );
};

/** Splits off the options of every command that stand before the command. */
const leadingOptions = (args: readonly string[]) => {
  let at = 0;
  while (isShared(args[at] ?? "")) {
    requireChoice(args[at], args[at + 1]);
    at += isValued(args[at] ?? "") ? 2 : 1;
  }
  return { options: args.slice(0, at), rest: args.slice(at) };
};

const HELP = "--help";

/** Words that ask for the version. */
export const VERSION_WORDS: readonly string[] = ["version", "--version", "-v", "-V"];

const HELP_WORDS: readonly string[] = ["help", HELP];

/** `help webhooks list` and `webhooks help list` are `webhooks list --help`. */
const withoutHelpWord = (args: readonly string[], groups: GroupNames) => {
  const at = Object.hasOwn(groups, args[0] ?? "") ? 1 : 0;
  if (args[at] !== "help") return args;
  return [...args.filter((word, place) => place > 2 || !HELP_WORDS.includes(word)), HELP];
};

/** Whether the words ask for the version: `version`, `-v`, `--version`. */
export const asksForVersion = (args: readonly string[]) =>
  VERSION_WORDS.includes(leadingOptions(args).rest[0] ?? "");

/** `timers` is `timers list`, and so is `timers --json`; `timers --help` stays as it is. */
export const withAlone = (
  args: readonly string[],
  { groups, alone }: { groups: GroupNames; alone: AloneNames },
): readonly string[] => {
  const { options, rest } = leadingOptions(args);
  const [name = "", below = ""] = rest;
  const runs = Object.hasOwn(alone, name) ? alone[name] : undefined;
  const known = groups[name] ?? [];
  if (runs === undefined || known.includes(below) || sameCommand(below, known)) return args;
  if (rest.some((word) => word === "-h" || HELP_WORDS.includes(word))) return args;
  return [...options, name, runs, ...rest.slice(1)];
};

/**
 * Puts a command line in the one order that is parsed: the command, then its options. The options
 * of every command may stand before it, and `help` may be its first word.
 */
export const inOrder = (args: readonly string[], groups: GroupNames): string[] => {
  const { options, rest } = leadingOptions(args);
  const words = withoutHelpWord(rest, groups);
  const [name = "", below = ""] = words;
  if (name === "" || name.startsWith("-")) return words.slice();
  const group = groups[name];
  const isBelow = group?.includes(below) === true;
  // The name of a group alone prints its help.
  if (group && !isBelow) return words.slice();
  const count = isBelow ? 2 : 1;
  return [...words.slice(0, count), ...options, ...words.slice(count)];
};

/** The first word that names no command, and the names that could stand there. */
export const unknownCommand = (
  args: readonly string[],
  { names, groups }: { names: readonly string[]; groups: GroupNames },
): { word: string; after: readonly string[]; names: readonly string[] } | undefined => {
  const [name = "", below = ""] = withoutHelpWord(leadingOptions(args).rest, groups);
  const isMissing = (word: string, known: readonly string[]) =>
    word !== "" && !word.startsWith("-") && !known.includes(word);
  if (isMissing(name, names)) return { word: name, after: [], names };
  const group = groups[name];
  return group && isMissing(below, group)
    ? { word: below, after: [name], names: group }
    : undefined;
};
