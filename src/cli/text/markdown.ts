import { Marked, type Token, type Tokens } from "marked";
import wrapAnsi from "wrap-ansi";
import { cellsOf } from "../../text/cells.ts";
import { columns } from "../../text/layout.ts";
import type { Style } from "./terminal.ts";

const WIDTH = 80;
/** Indent of a block of code. */
const CODE_INDENT = 4;

const wrapped = (text: string, width: number): string[] =>
  wrapAnsi(text.replace(/\s+/g, " "), width).split("\n");

/** Inline Markdown as plain text: a link by its text, code between its quotes. */
const inlineText = (tokens: readonly Token[] = []): string =>
  tokens
    .map((token) => {
      if (token.type === "codespan" || token.type === "escape") return token.raw;
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens) return inlineText(token.tokens);
      return "text" in token ? String(token.text) : token.raw;
    })
    .join("");

const indented = (lines: readonly string[], first: string) =>
  lines.map((line, at) => (at === 0 ? first + line : " ".repeat(first.length) + line));

const listLines = (list: Tokens.List, style: Style, width: number): string[] =>
  list.items.flatMap((item, at) => {
    const mark = list.ordered ? `${Number(list.start || 1) + at}. ` : "- ";
    const inner = blocksLines(item.tokens, style, width - mark.length).filter(
      (line) => line !== "",
    );
    return indented(inner, mark);
  });

/** Width below which a column is not made narrower. */
const NARROWEST = 12;
const GUTTER = 2;

const longestWord = (text: string) => Math.max(0, ...text.split(" ").map(cellsOf));

/** Widths of the columns: the widest becomes narrower until the table fits; no word is divided. */
const columnWidths = (cells: readonly (readonly string[])[], width: number): number[] => {
  const count = cells[0]?.length ?? 0;
  const every = (at: number, measure: (text: string) => number) =>
    Math.max(0, ...cells.map((row) => measure(row[at] ?? "")));
  const widths = Array.from({ length: count }, (_, at) => every(at, cellsOf));
  const least = widths.map((_, at) => Math.max(NARROWEST, every(at, longestWord)));
  const room = width - GUTTER * (count - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const spare = widths.map((one, at) => (one > (least[at] ?? 0) ? one : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    const at = spare.lastIndexOf(widest);
    widths[at] = widest - 1;
  }
  return widths;
};

/** A table that is too narrow for its words: each row as a list of heads and cells. */
const stackedLines = ([heads = [], ...rows]: readonly (readonly string[])[], width: number) =>
  rows.flatMap((row, at) => [
    ...(at > 0 ? [""] : []),
    ...row.flatMap((cell, place) => indented(wrapped(`${heads[place]}: ${cell}`, width - 2), "")),
  ]);

/** A table whose cells are wrapped where the page is narrower than the table. */
const tableLines = ({ header, rows }: Tokens.Table, { color }: Style, width: number): string[] => {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
  const widths = columnWidths(cells, width);
  const total = widths.reduce((sum, one) => sum + one, GUTTER * (widths.length - 1));
  if (total > width) return stackedLines(cells, width);
  const linesOf = (row: readonly string[]) => {
    const parts = row.map((cell, at) => wrapped(cell, widths[at] ?? width));
    const height = Math.max(...parts.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => parts.map((lines) => lines[line] ?? ""));
  };
  const heads = linesOf(cells[0] ?? []).length;
  return columns(cells.flatMap(linesOf)).map((line, at) => (at < heads ? color.dim(line) : line));
};

/** A block of code, without its indent where it would not fit with it. */
const codeLines = ({ text }: Tokens.Code, width: number): string[] => {
  const lines = text.split("\n");
  const widest = Math.max(...lines.map(cellsOf));
  const indent = " ".repeat(Math.max(0, Math.min(CODE_INDENT, width - widest)));
  return lines.map((line) => `${indent}${line}`.trimEnd());
};

const blockLines = (token: Token, style: Style, width: number): string[] => {
  switch (token.type) {
    case "heading":
      return [style.color.bold(inlineText(token.tokens))];
    case "code":
      return codeLines(token as Tokens.Code, width);
    case "list":
      return listLines(token as Tokens.List, style, width);
    case "table":
      return tableLines(token as Tokens.Table, style, width);
    case "space":
    case "html":
      return [];
    default:
      return wrapped(inlineText("tokens" in token ? token.tokens : [token]), width);
  }
};

/** Joins blocks with an empty line between them. */
const blocksLines = (tokens: readonly Token[], style: Style, width: number): string[] =>
  tokens
    .map((token) => blockLines(token, style, width))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));

/** Markdown as lines for a terminal: bold headings, aligned tables, wrapped paragraphs. */
export const markdownLines = (
  text: string,
  style: Style,
  width = Math.min(WIDTH, style.screen.width),
): string[] => blocksLines(new Marked({ gfm: true }).lexer(text), style, width);
