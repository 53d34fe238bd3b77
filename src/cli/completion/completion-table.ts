import type { CommandOption } from "../../options/option-row.ts";
import { type Command, type CommandList, SHARED_OPTIONS } from "../frame/command.ts";

/** Candidates for a value. */
export type Values = { kind: "words"; words: readonly string[] } | { kind: "files" | "free" };

export interface CompletedOption {
  /** `--port`. */
  flag: string;
  summary: string;
  /** Absent for a switch. */
  values?: Values;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** `webhooks list`. */
  words: string;
  options: readonly CompletedOption[];
  operands: Values;
  /** Words that are offered right after another word instead of the operands. */
  after: readonly { word: string; values: Values }[];
  /** The words after `--` belong to another program. */
  runsAnother: boolean;
}

/** A word that may follow others, with its summary. */
export interface NextWord {
  /** The words before it: empty, or a group's name. */
  after: string;
  word: string;
  summary: string;
}

/** The data that the completion scripts are generated from. */
export interface CompletionTable {
  words: readonly NextWord[];
  commands: readonly CompletedCommand[];
}

/** Placeholders for files and folders in an option's flags or a command's operands. */
const NAMES_A_FILE = /file|name or path|fixture/;

const valuesOf = (placeholder: string, choices?: readonly string[]): Values => {
  if (choices) return { kind: "words", words: choices };
  if (placeholder.includes("|") && !NAMES_A_FILE.test(placeholder))
    return { kind: "words", words: placeholder.split("|") };
  return { kind: NAMES_A_FILE.test(placeholder) ? "files" : "free" };
};

const wordsOf = (completes: CommandOption["completes"]) =>
  typeof completes === "function" ? completes() : completes;

const optionOf = ({ flags, summary, choices, completes }: CommandOption): CompletedOption => {
  const [, flag = "", placeholder] = /(--[a-z-]+)(?: <(.*)>)?$/.exec(flags) ?? [];
  return {
    flag,
    summary,
    ...(placeholder !== undefined && {
      values: valuesOf(placeholder, choices ?? wordsOf(completes)),
    }),
  };
};

const operandsOf = ({ operands = "", completes }: Command): Values =>
  completes
    ? { kind: "words", words: completes.words }
    : valuesOf(operands.replace(/[[\]<>]/g, ""));

const HELP: CompletedOption = { flag: "--help", summary: "show help" };

const VERSION: NextWord = { after: "", word: "--version", summary: "show the version" };

const HELP_WORD = "help";

/** Builds the completion table from the command table itself. */
export const completionTable = ({ groups, commands }: CommandList): CompletionTable => {
  const single = commands.filter(({ words }) => !words.includes(" "));
  const below = commands.filter(({ words }) => words.includes(" "));
  const first = [
    ...single.map(({ words, command }) => ({ after: "", word: words, summary: command.summary })),
    ...groups.map(({ name, summary }) => ({ after: "", word: name, summary })),
  ];
  return {
    words: [
      ...first,
      { after: "", word: HELP_WORD, summary: HELP.summary },
      ...first.map((one) => ({ ...one, after: HELP_WORD })),
      { after: "", word: HELP.flag, summary: HELP.summary },
      VERSION,
      ...below.map(({ words, command }) => ({
        after: words.slice(0, words.indexOf(" ")),
        word: command.name,
        summary: command.summary,
      })),
    ],
    commands: commands.map(({ words, command }) => ({
      words,
      options: [...[...command.options, ...SHARED_OPTIONS].map(optionOf), HELP],
      operands: operandsOf(command),
      after: Object.entries(command.completes?.after ?? {}).map(([word, words]) => ({
        word,
        values: { kind: "words", words },
      })),
      runsAnother: command.passesThrough === true,
    })),
  };
};

/** Names of the groups, and an empty name for the top level. */
export const placesOf = ({ words }: CompletionTable): string[] => [
  ...new Set(words.map(({ after }) => after)),
];

/** Words of a command that a value follows: options, and operands with operands of their own. */
export const valuedWords = ({ options, after }: CompletedCommand) => [
  ...options.flatMap(({ flag, values }) => (values === undefined ? [] : [{ word: flag, values }])),
  ...after,
];

/** Alternatives of a `case` in bash and zsh: groups, and commands that run another program. */
export const patternsOf = (table: CompletionTable) => ({
  groups: placesOf(table).filter(Boolean).map(quoted).join("|"),
  runners: table.commands
    .filter(({ runsAnother }) => runsAnother)
    .map(({ words }) => quoted(words))
    .join("|"),
});

/** Inserts lines at a placeholder of a shell script, such as `@values@`. */
export const filled = (frame: string, parts: Readonly<Record<string, string>>): string =>
  frame.trimEnd().replace(/@([a-z]+)@/g, (_, name: string) => parts[name] ?? "");

/** Quotes a word for bash and zsh. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
