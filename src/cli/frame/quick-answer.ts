import { fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../version.ts";
import { helpText } from "./help-layout.ts";
import { asksForVersionAlone, helpedWords } from "./quick-words.ts";

/** All help as the build writes it, so that it is printed without loading a command. */
export interface HelpTable {
  /** Variables of options without a value, which the help names while they are set. */
  switches: readonly string[];
  /** Help by the words in front of `--help`, as `helpText` takes it. */
  texts: Readonly<Record<string, string>>;
}

export const HELP_TABLE_FILE = "help.json";

const readTable = (folder: string): HelpTable | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, HELP_TABLE_FILE), "utf8"));
  } catch {
    return undefined;
  }
};

type Output = Pick<NodeJS.WriteStream, "isTTY" | "columns">;

const STANDARD_OUTPUT = 1;
const NO_TERMINAL: Output = { isTTY: false, columns: 0 };

/** The stream, which tells the columns, takes as long to make as all else: only for a device. */
const standardOutput = (): Output => {
  try {
    return fstatSync(STANDARD_OUTPUT).isCharacterDevice() ? process.stdout : NO_TERMINAL;
  } catch {
    return NO_TERMINAL;
  }
};

/**
 * The text that a command line asks for, when it is known without running a command: the version,
 * or help.
 * @param folder of the built program
 * @param stream gives the stream that the text is laid out for
 * @returns the text that the command line itself would print
 */
export const quickAnswer = (
  args: readonly string[],
  folder: string,
  stream = standardOutput,
): string | undefined => {
  if (asksForVersionAlone(args)) return `${VERSION}\n`;
  const words = helpedWords(args);
  if (words === undefined) return undefined;
  const table = readTable(folder);
  const name = words.join(" ");
  const help = table && Object.hasOwn(table.texts, name) ? table.texts[name] : undefined;
  if (!table || help === undefined) return undefined;
  if (table.switches.some((name) => process.env[name] !== undefined)) return undefined;
  return helpText(help, stream());
};
