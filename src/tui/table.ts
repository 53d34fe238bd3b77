import type { Column, RowContext } from "../rows/column.ts";
import { type Look, type Span, span } from "../rows/span.ts";
import { safeLine } from "../text/safe-text.ts";
import { cutEnd, cutMiddle, padTo, widthOf } from "../text/text-width.ts";
import { fitLine, type Line } from "./line.ts";

/** Escapes names and texts from others. */
const asSpan = (cell: Span | string): Span =>
  typeof cell === "string" ? span(safeLine(cell)) : { ...cell, text: safeLine(cell.text) };

/** Minimum width of a column that is cut. */
const LEAST_CUT = 4;

interface FittedColumn<Row> {
  column: Column<Row>;
  width: number;
  cells: Span[];
}

const gapOf = <Row>({ gap = 2 }: Column<Row>) => gap;

const total = <Row>(placed: readonly FittedColumn<Row>[]) =>
  placed.reduce((sum, { column, width }) => sum + width + gapOf(column), 0);

const place = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  context: RowContext,
): FittedColumn<Row>[] =>
  columns
    .filter(({ from = 0, below = Infinity }) => context.width >= from && context.width < below)
    .map((column) => {
      const cells = rows.map((row) => asSpan(column.cell(row, context)));
      const widest = Math.max(0, ...cells.map(({ text }) => widthOf(text)));
      return { column, cells, width: Math.max(widest, column.min ?? 0) };
    });

/** Enough cells for a path: until then it is cut before words are. */
const ENOUGH_OF_PATH = 29;

/** Takes cells away from columns that may be cut until all fit: paths first, then from the last. */
const squeeze = <Row>(placed: FittedColumn<Row>[], room: number): FittedColumn<Row>[] => {
  let over = total(placed) - room;
  const squeezed = [...placed];
  const shrink = (at: number, least: number) => {
    const one = squeezed[at];
    if (!one?.column.cut || over <= 0) return;
    const width = Math.min(one.width, Math.max(least, one.width - over));
    over -= one.width - width;
    squeezed[at] = { ...one, width };
  };
  const fromLast = [...placed.keys()].reverse();
  for (const at of fromLast) if (placed[at]?.column.cut === "middle") shrink(at, ENOUGH_OF_PATH);
  for (const at of fromLast) shrink(at, LEAST_CUT);
  return squeezed;
};

const cellText = (
  text: string,
  { column: { cut, align = "left" }, width }: FittedColumn<unknown>,
  ellipsis: string,
) => {
  const cutter = cut === "middle" ? cutMiddle : cutEnd;
  return padTo(cut ? cutter(text, width, ellipsis) : text, width, align);
};

const EMPTY_HEAD: Look = "dim";

/**
 * Rows of a pane under their heads, cut to the width of the line; the first two cells are the
 * cursor's.
 */
export const layoutTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  context: RowContext,
): { head: Line; lines: Line[] } => {
  const { width, ellipsis } = context;
  const placed = squeeze(place(columns, rows, context), width);
  const lineOf = (cellAt: (one: FittedColumn<Row>) => Span): Line => {
    const spans = placed.flatMap((one, at) => {
      const { text, look } = cellAt(one);
      const gap = at === 0 ? "" : " ".repeat(gapOf(one.column));
      return [span(gap), span(cellText(text, one as FittedColumn<unknown>, ellipsis), look)];
    });
    return fitLine([span("  "), ...spans], width, ellipsis);
  };
  const head = lineOf(({ column, width: cells }) =>
    span(cutEnd(column.head, cells, ellipsis), EMPTY_HEAD),
  );
  return { head, lines: rows.map((_, at) => lineOf(({ cells }) => cells[at] ?? span(""))) };
};
