import { VERSION_WORDS } from "./word-order.ts";

const HELP_WORDS: readonly string[] = ["--help", "-h"];

/** Tells if a command line is a word for the version, and nothing else. */
export const asksForVersionAlone = (args: readonly string[]) =>
  args.length === 1 && VERSION_WORDS.includes(`${args[0]}`);

/** The words whose help is asked for: `webhooks list` of `help webhooks list`. */
export const helpedWords = (args: readonly string[]): readonly string[] | undefined => {
  if (args.length === 0) return [];
  const [first = ""] = args;
  const words = first === "help" ? args.slice(1) : args.slice(0, -1);
  const isAsked = first === "help" || HELP_WORDS.includes(args.at(-1) ?? "");
  return isAsked && words.every((word) => /^[a-z]/.test(word)) ? words : undefined;
};

/** Tells if a command line may be answered without running a command. */
export const isQuick = (args: readonly string[]) =>
  asksForVersionAlone(args) || helpedWords(args) !== undefined;
