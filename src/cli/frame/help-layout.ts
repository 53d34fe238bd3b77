import type { Help } from "commander";
import { columnsOf } from "../text/screen.ts";
import { fitted, wrapped } from "../text/wrap.ts";

/** Narrowest column of descriptions; where it would be narrower they stand below their names. */
const LEAST_DESCRIPTION = 30;
const INDENT = "  ";
const BELOW = "      ";
/** Width of help that goes to a file or a pipe. */
const USUAL = 80;

/** The name of an option or a command, and its description beside it or below it. */
const formatItem = (
  name: string,
  { widest, description, width }: { widest: number; description: string; width: number },
): string => {
  if (description === "") return INDENT + name;
  const start = INDENT.length + widest + INDENT.length;
  const isBeside = width - start >= LEAST_DESCRIPTION;
  const lines = wrapped(description, width - (isBeside ? start : BELOW.length));
  return isBeside
    ? (INDENT + name).padEnd(start) + lines.join(`\n${" ".repeat(start)}`)
    : `${INDENT}${name}\n${BELOW}${lines.join(`\n${BELOW}`)}`;
};

type ItemArguments = Parameters<Help["formatItem"]>;

/** commander's help, in the columns of the terminal. */
export const HELP_LAYOUT = {
  formatItem: (...[name, widest, description, { helpWidth = USUAL }]: ItemArguments) =>
    formatItem(name, { widest, description, width: helpWidth }),
};

const helpWidth = () => (process.stdout.isTTY === true ? columnsOf(process.stdout) : USUAL);

/** Prints help; its examples stay commands that can be pasted. */
export const printHelp = (text: string) => {
  const lines = text.split("\n").flatMap((line) => fitted(line, columnsOf(process.stdout)));
  process.stdout.write(lines.join("\n"));
};

/** commander's way to print help: on stdout, as wide as the terminal. */
export const HELP_OUTPUT = {
  writeOut: printHelp,
  getOutHelpWidth: helpWidth,
  getErrHelpWidth: helpWidth,
};
