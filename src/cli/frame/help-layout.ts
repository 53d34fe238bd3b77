import type { Help } from "commander";
import { hints } from "../../text/layout.ts";
import { columnsOf } from "../../text/screen.ts";
import { asCalled } from "../text/called-as.ts";
import { fitted, longestWord, wrapped } from "../text/wrap.ts";
import { instanceDirectory, readInstance } from "./instance-file.ts";

const USUAL_ORIGIN = "http://127.0.0.1:4747";

/** Lines at the end of the whole help, with the docs page of the simulator of this folder. */
const moreHelp = (): string[] => {
  const running = readInstance(instanceDirectory(process.env.SERVICE_SIM_STORAGE));
  return hints(
    [asCalled("service-sim help <command>"), "options and examples"],
    [asCalled("service-sim docs"), "the guide and the specification"],
    [`${running?.url ?? USUAL_ORIGIN}/_sim/docs`, "every operation, to try out while it runs"],
  );
};

/** Narrowest column of descriptions; where it would be narrower they stand below their names. */
const LEAST_DESCRIPTION = 30;
const INDENT = "  ";
const BELOW = "      ";
/** Width of help that goes to a file or a pipe. */
const USUAL = 80;

/** The name of an option or a command, and its description beside it or below it. */
interface HelpItem {
  name: string;
  /** Length of the longest name of this help. */
  widest: number;
  description: string;
}

/** A line that is laid out when it is printed: an item, a paragraph, or the lines of `moreHelp`. */
type Open = { item: HelpItem } | { paragraph: string } | { more: true };

/** In front of an open line; no help has this character. */
const OPEN = "\0";

const opened = (line: Open) => OPEN + JSON.stringify(line);

type ItemArguments = Parameters<Help["formatItem"]>;

/** commander's help with open lines: the same text for every terminal, folder and way to start. */
export const HELP_LAYOUT = {
  formatItem: (...[name, widest, description]: ItemArguments) =>
    opened({ item: { name, widest, description } }),
  boxWrap: (paragraph: string) => opened({ paragraph }),
};

/** The line in whose place `moreHelp` stands. */
export const MORE_HELP = opened({ more: true });

const itemLines = ({ name, widest, description }: HelpItem, width: number): string[] => {
  if (description === "") return [INDENT + name];
  const start = INDENT.length + widest + INDENT.length;
  const isBeside = width - start >= Math.max(LEAST_DESCRIPTION, longestWord(description));
  const lines = wrapped(description, width - (isBeside ? start : BELOW.length));
  if (!isBeside) return [INDENT + name, ...lines.map((line) => BELOW + line)];
  const [first, ...rest] = lines;
  return [(INDENT + name).padEnd(start) + first, ...rest.map((line) => " ".repeat(start) + line)];
};

const openLines = (line: Open, width: number): string[] => {
  if ("item" in line) return itemLines(line.item, width);
  return "more" in line ? moreHelp() : wrapped(line.paragraph, width);
};

const USAGE = "Usage:";

/** Lays help out in the columns of a stream; its examples stay commands that can be pasted. */
export const helpText = (
  help: string,
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns">,
): string => {
  const columns = columnsOf(stream);
  const width = stream.isTTY === true ? columns : USUAL;
  const linesOf = (line: string) => {
    if (line.startsWith(OPEN)) return openLines(JSON.parse(line.slice(OPEN.length)), width);
    return [line.startsWith(USAGE) ? line : asCalled(line)];
  };
  return help
    .split("\n")
    .flatMap(linesOf)
    .flatMap((line) => fitted(line, columns))
    .join("\n");
};
