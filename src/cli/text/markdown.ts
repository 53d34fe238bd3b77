import { Marked, type Token, type Tokens } from "marked";
import wrapAnsi from "wrap-ansi";
import { columns } from "./layout.ts";
import type { Style } from "./terminal.ts";

const WIDTH = 80;

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

/** Narrowest column for wrapped text; below it a table grows wider than the page. */
const NARROWEST = 24;

/** A table with its last column wrapped into the remaining width. */
const tableLines = ({ header, rows }: Tokens.Table, { color }: Style, width: number): string[] => {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inlineText(tokens)));
  const [first = ""] = columns(cells.map((row) => [...row.slice(0, -1), "|"]));
  const left = Math.max(NARROWEST, width - first.indexOf("|"));
  const lines = cells.flatMap((row) => {
    const [text = "", ...rest] = wrapped(row.at(-1) ?? "", left);
    const empty = row.slice(0, -1).map(() => "");
    return [[...row.slice(0, -1), text], ...rest.map((line) => [...empty, line])];
  });
  const heads = wrapped(cells[0]?.at(-1) ?? "", left).length;
  return columns(lines).map((line, at) => (at < heads ? color.dim(line) : line));
};

const blockLines = (token: Token, style: Style, width: number): string[] => {
  switch (token.type) {
    case "heading":
      return [style.color.bold(inlineText(token.tokens))];
    case "code":
      return (token as Tokens.Code).text.split("\n").map((line) => `    ${line}`.trimEnd());
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
export const markdownLines = (text: string, style: Style, width = WIDTH): string[] =>
  blocksLines(new Marked({ gfm: true }).lexer(text), style, width);
