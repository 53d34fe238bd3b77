import { cellsOf, cutEnd, cutPath, padCells } from "../../text/cells.ts";
import { asAscii } from "../../text/marks.ts";
import type { Screen } from "../../text/screen.ts";
import { longestWord, wrapped } from "./wrap.ts";

/** A column of a table, and its way to become narrower. */
export interface Column {
  head?: string;
  /**
   * `whole`: never shortened, as amounts, statuses and ids. `text`: cut at its end. `path`: cut in
   * its middle. `words`: wrapped, and put below the row when it is very narrow; last column only.
   */
  as?: "whole" | "text" | "path" | "words";
  /** Narrowest width of a column that is shortened. */
  least?: number;
  /** Order in which columns are left out when shortening is not enough; others always stay. */
  leaves?: number;
  align?: "right";
}

/** A table that fits: its head, and the lines of each row. */
export interface Fitted {
  head: string;
  rows: readonly (readonly string[])[];
  /** Column in which the second shown column begins, for remarks below a row. */
  indent: number;
}

const GUTTER = 2;
/** Width below which nothing is cut, since nothing would be left. */
const NARROWEST = 10;
const LEAST = { text: 10, path: 20, words: 20 } as const;

const leastOf = ({ as = "whole", least }: Column) => least ?? (as === "whole" ? 0 : LEAST[as]);

interface TableContent {
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
}

const naturalWidths = ({ columns, rows }: TableContent) =>
  columns.map(({ head = "" }, at) =>
    Math.max(cellsOf(head), ...rows.map((row) => cellsOf(row[at] ?? ""))),
  );

const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, GUTTER * (widths.length - 1));

interface Narrowing {
  columns: readonly Column[];
  as: Column["as"];
  width: number;
  least(column: Column): number;
}

/** Makes the columns of one kind narrower, the widest first, until the table fits. */
const narrow = (widths: number[], { columns, as, width, least }: Narrowing) => {
  const places = columns.flatMap((column, at) => (column.as === as ? [at] : []));
  for (;;) {
    const over = total(widths) - width;
    const most = (at: number) => (widths[at] ?? 0) - least(columns[at] ?? {});
    const widest = places.reduce<number | undefined>(
      (best, at) => (best === undefined || most(at) > most(best) ? at : best),
      undefined,
    );
    if (over <= 0 || widest === undefined || most(widest) <= 0) return;
    widths[widest] = (widths[widest] ?? 0) - Math.min(over, 1);
  }
};

const fittedWidths = ({ columns, rows }: TableContent, width: number): number[] => {
  const widths = naturalWidths({ columns, rows });
  for (const as of ["words", "text", "path"] as const)
    narrow(widths, { columns, as, width, least: leastOf });
  return widths;
};

/** Widths when no column is left to leave out: texts and paths become as narrow as they can. */
const narrowestWidths = ({ columns, rows }: TableContent, width: number): number[] => {
  const widths = fittedWidths({ columns, rows }, width);
  for (const as of ["text", "path"] as const)
    narrow(widths, { columns, as, width, least: () => NARROWEST });
  return widths;
};

const without = ({ columns, rows }: TableContent, place: number): TableContent => ({
  columns: columns.filter((_, at) => at !== place),
  rows: rows.map((row) => row.filter((_, at) => at !== place)),
});

/** The column to leave out next. */
const leavingFirst = (columns: readonly Column[]) => {
  const orders = columns.map(({ leaves }) => leaves ?? Number.POSITIVE_INFINITY);
  const first = Math.min(...orders);
  return Number.isFinite(first) ? orders.indexOf(first) : undefined;
};

const fitColumns = (
  shown: TableContent,
  width: number,
): { shown: TableContent; widths: number[] } => {
  const widths = fittedWidths(shown, width);
  if (total(widths) <= width) return { shown, widths };
  const leaving = leavingFirst(shown.columns);
  if (leaving !== undefined) return fitColumns(without(shown, leaving), width);
  const last = shown.columns.length - 1;
  const isBelow = shown.columns[last]?.as === "words";
  // The words move below the row, so the columns in front of them have the whole line.
  return isBelow
    ? { shown, widths: [...narrowestWidths(without(shown, last), width), width] }
    : { shown, widths: narrowestWidths(shown, width) };
};

const shortened = (cell: string, { as }: Column, { width, screen }: Cut) => {
  if (as === "text") return cutEnd(cell, width, screen);
  return as === "path" ? cutPath(cell, width, screen) : cell;
};

interface Cut {
  width: number;
  screen: Screen;
}

/** The lines of one row: the last cell beside the others, wrapped, or below them. */
const rowLines = (cells: readonly string[], indent: number, place: TableLayout): string[] => {
  const { columns, widths, screen } = place;
  const aligned = cells.map((cell, at) => {
    const column = columns[at] ?? {};
    const width = widths[at] ?? 0;
    const text = shortened(cell, column, { width, screen });
    return at === cells.length - 1 && column.align === undefined
      ? text
      : padCells(text, width, column.align);
  });
  const whole = aligned.join(" ".repeat(GUTTER)).trimEnd();
  if (columns.at(-1)?.as !== "words" || cellsOf(whole) <= screen.width) return [whole];
  const last = cells.at(-1) ?? "";
  const front = aligned.slice(0, -1).join(" ".repeat(GUTTER));
  const start = cellsOf(front) + GUTTER;
  if (!place.isBeside || longestWord(last) > screen.width - start)
    return [
      front.trimEnd(),
      ...wrapped(last, screen.width - indent).map((line) => " ".repeat(indent) + line),
    ];
  const [first = "", ...rest] = wrapped(last, screen.width - start);
  return [`${front}${" ".repeat(GUTTER)}${first}`, ...rest.map((line) => " ".repeat(start) + line)];
};

interface TableLayout {
  columns: readonly Column[];
  widths: readonly number[];
  screen: Screen;
  /** Whether wrapped words stand beside the other columns rather than below them. */
  isBeside: boolean;
}

/** Lays a table out for a screen: shortens columns, then wraps, then leaves columns out. */
export const tableOf = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  screen: Screen,
): Fitted => {
  const printed = screen.isAscii ? rows.map((row) => row.map(asAscii)) : rows;
  const { shown, widths } = fitColumns({ columns, rows: printed }, screen.width);
  const heads = shown.columns.map(({ head = "" }) => head);
  const indent = shown.columns.length > 1 ? (widths[0] ?? 0) + GUTTER : GUTTER;
  const isBeside = total(widths) <= screen.width;
  const place = { columns: shown.columns, widths, screen, isBeside };
  const [head = ""] = rowLines(heads, indent, { ...place, isBeside: false });
  return { head, rows: shown.rows.map((row) => rowLines(row, indent, place)), indent };
};

/** The rows of a table, below its head when it has one. */
export const tableLines = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { screen, color }: { screen: Screen; color: { dim(text: string): string } },
): string[] => {
  const { head, rows: lines } = tableOf(columns, rows, screen);
  return [...(head === "" ? [] : [color.dim(head)]), ...lines.flat()];
};

/** The subject of an output and what is told beside it, on further lines when it is too long. */
export const headLines = (parts: readonly string[], { screen }: { screen: Screen }): string[] => {
  const [subject = "", ...rest] = parts.filter((part) => part !== "");
  const line = [subject, ...rest].join("    ");
  return cellsOf(line) <= screen.width || rest.length === 0
    ? [line]
    : [subject, `  ${rest.join("    ")}`];
};
