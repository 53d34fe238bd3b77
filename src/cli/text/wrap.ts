import { cellsOf, uncolored } from "../../text/cells.ts";

/** A word with the spaces in front of it; letters that need no spaces between words stand alone. */
const WORD =
  / *(?:[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]|[^ \u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+)/gu;

/** A word of a shell with the spaces in front of it: quotes hold it together. */
const SHELL_WORD = / *(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Puts words into lines; a word that is wider than a line stays whole. */
const fill = (words: readonly string[], widths: { first: number; rest: number }) => {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const width = lines.length === 0 ? widths.first : widths.rest;
    if (line !== "" && cellsOf(line + word) > width) {
      lines.push(line);
      line = word.trimStart();
    } else line += word;
  }
  return [...lines, line];
};

const wordsOf = (text: string, pattern = WORD): string[] => text.match(pattern) ?? [];

/** Cells of the longest word of a text. */
export const longestWord = (text: string): number =>
  Math.max(0, ...wordsOf(text).map((word) => cellsOf(word.trimStart())));

/** Wraps a text at its spaces. */
export const wrapped = (text: string, width: number): string[] =>
  fill(wordsOf(text), { first: width, rest: width });

const indented = ([first = "", ...rest]: readonly string[], indent: number) => [
  first,
  ...rest.map((line) => " ".repeat(indent) + line),
];

/** Widest label that further lines are indented by. */
const WIDEST_LABEL = 24;
const LABEL = /^( *\S+(?: \S+){0,2} {2,})\S/;
const MARK = /^( *[✓✗~!+x-] +)\S/;

/** Column in which further lines of a text begin: below the text beside its label or mark. */
const hangOf = (plain: string) => {
  const label = LABEL.exec(plain)?.[1]?.length;
  if (label !== undefined && label <= WIDEST_LABEL) return label;
  return MARK.exec(plain)?.[1]?.length ?? plain.length - plain.trimStart().length + 2;
};

const proseLines = (line: string, width: number) => {
  const hang = hangOf(uncolored(line));
  return indented(fill(wordsOf(line), { first: width, rest: width - hang }), hang);
};

/** A shell would take a newline for the end of the command; other shells know no backslash. */
const CONTINUED = " \\";
const CONTINUES = process.platform !== "win32";

const commandLines = (command: string, width: number): string[] => {
  if (!CONTINUES || cellsOf(command) <= width) return [command];
  const room = width - CONTINUED.length;
  const lines = fill(wordsOf(command, SHELL_WORD), { first: room, rest: room - 2 });
  const last = lines.length - 1;
  return indented(lines, 2).map((line, at) => (at < last ? line + CONTINUED : line));
};

/** Label of a command to paste. */
const LABEL_OF_COMMAND = /^ *(?:next +|note +|older: )?/;
const OTHER_PROGRAM = /^(?:npx|node|curl|kill|eval) /;
const OWN_PROGRAM = /^(\S+) [a-z-]/;

const isCommand = (text: string) =>
  OTHER_PROGRAM.test(text) || OWN_PROGRAM.exec(text)?.[1]?.includes("service-sim") === true;
const REMARK = / {3}(?=\S)/;

const pasteLines = (label: string, text: string, width: number): string[] => {
  const gap = REMARK.exec(text);
  const command = gap ? text.slice(0, gap.index).trimEnd() : text;
  const remark = gap ? text.slice(gap.index + gap[0].length) : "";
  const room = width - cellsOf(label);
  const remarks = remark === "" ? [] : wrapped(remark, room - 4).map((line) => `    ${line}`);
  const lines = [...commandLines(command, room), ...remarks];
  return indented([label + (lines[0] ?? ""), ...lines.slice(1)], cellsOf(label));
};

const JSON_LINE = /^ *(?:"(?:[^"\\]|\\.)*"[:,]?|[[\]{}])/;
const JSON_MEMBER = /^( *)("(?:[^"\\]|\\.)*":) ./;
// biome-ignore lint/suspicious/noControlCharactersInRegex: color codes have no width
const CODE = /(\u001b\[[0-9;]*m)/;

/** The place in a colored line behind a number of its plain characters. */
const placeBehind = (line: string, plainLength: number) => {
  let plain = plainLength;
  let at = 0;
  for (const part of line.split(CODE)) {
    const isCode = part.startsWith("\u001b");
    if (!isCode && plain <= part.length) return at + plain;
    if (!isCode) plain -= part.length;
    at += part.length;
  }
  return at;
};

/** JSON stays JSON: a value may move below its name, and no string is divided. */
const jsonLines = (line: string) => {
  const [, indent, name] = JSON_MEMBER.exec(uncolored(line)) ?? [];
  if (indent === undefined || name === undefined) return [line];
  const end = placeBehind(line, indent.length + name.length);
  return [line.slice(0, end), `${indent}  ${line.slice(end).replace(" ", "")}`];
};

/** A line whose one word is too wide behind its indent, moved to the left as far as it needs. */
const movedLeft = (line: string, width: number) => {
  const over = cellsOf(line) - width;
  const indent = line.length - line.trimStart().length;
  return over > 0 && !JSON_LINE.test(uncolored(line)) ? line.slice(Math.min(over, indent)) : line;
};

/**
 * Divides a line that is wider than the terminal. Divides a command to paste only where it still
 * works, and leaves one word that is wider than a line whole.
 */
export const fitted = (line: string, width: number): string[] =>
  cellsOf(line) <= width ? [line] : divided(line, width).map((one) => movedLeft(one, width));

const divided = (line: string, width: number): string[] => {
  const plain = uncolored(line);
  if (JSON_LINE.test(plain)) return jsonLines(line);
  const command = plain.replace(LABEL_OF_COMMAND, "");
  if (!isCommand(command)) return proseLines(line, width);
  const start = line.indexOf(command.slice(0, 4));
  return pasteLines(line.slice(0, start), line.slice(start), width);
};
