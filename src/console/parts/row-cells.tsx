import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";
import type { Column, RowContext } from "../../rows/column.ts";
import type { List } from "../../rows/list.ts";
import type { ListedName, ListedRows } from "../../rows/world.ts";
import { safeText } from "../../text/safe-text.ts";
import css from "./row-cells.module.css";
import { Piece } from "./text.tsx";

/** Rows whose cells decide how wide the columns are. */
const MEASURED_ROWS = 60;

const textOf = <Row,>(column: Column<Row>, row: Row, context: RowContext) => {
  const cell = column.cell(row, context);
  return typeof cell === "string" ? cell : cell.text;
};

const shown = <Row,>(columns: readonly Column<Row>[], { width }: RowContext) =>
  columns.filter(({ from = 0, below = Infinity }) => width >= from && width < below);

const cellsOf = <Row,>(column: Column<Row>, rows: readonly Row[], context: RowContext) => {
  const texts = rows.slice(0, MEASURED_ROWS).map((row) => textOf(column, row, context).length);
  return Math.max(column.min ?? 0, column.head.length, 2, ...texts);
};

/** Cells that a column keeps when it is cut. */
const LEAST_CUT = 8;

/** Cells between two columns. */
const GAP = 2;

/** The columns of a list in a line of some width, and whether the row is told in words below them. */
export interface Layout<Row> {
  columns: readonly Column<Row>[];
  template: string;
  isNarrow: boolean;
}

interface Measured<Row> {
  column: Column<Row>;
  cells: number;
}

/** The columns that fit into a narrow line; one that is cut is told by the words. */
const fitting = <Row,>(columns: readonly Measured<Row>[], width: number) => {
  let left = width;
  return columns.filter(({ column, cells }) => {
    if (column.cut) return false;
    left -= cells + GAP;
    return left >= -GAP;
  });
};

/** Below this many cells a row is told in words too: columns are hidden there. */
const PHONE_CELLS = 62;

/** Lays a list out: lines too narrow for all columns show those that fit. */
const layoutOf = <Row,>(measured: readonly Measured<Row>[], width: number): Layout<Row> => {
  const least = measured.map(({ column, cells }) => (column.cut ? LEAST_CUT : cells));
  const cells = least.reduce((sum, one) => sum + one + GAP, -GAP);
  const isNarrow = width < PHONE_CELLS || cells > width;
  const columns = isNarrow ? fitting(measured, width) : measured;
  const template = columns
    .map(({ column, cells }) => (column.cut ? "minmax(8ch, 1fr)" : `${cells}ch`))
    // The words below the cells take the whole line.
    .concat(isNarrow ? "minmax(0, 1fr)" : [])
    .join(" ");
  return { columns: columns.map(({ column }) => column), template, isNarrow };
};

/**
 * The layout of a list. Columns become wider with the rows that come into sight, and never narrower:
 * nothing moves to and fro.
 */
export const useLayout = <Name extends ListedName>(
  list: List<Name>,
  rows: readonly ListedRows[Name][],
  context: RowContext,
): Layout<ListedRows[Name]> => {
  const widest = useRef(new Map<Column<ListedRows[Name]>, number>());
  // Cells have other texts at another width.
  const of = useRef({ list, width: context.width });
  if (of.current.list !== list || of.current.width !== context.width) widest.current.clear();
  of.current = { list, width: context.width };
  const measured = shown(list.columns, context).map((column) => {
    const known = widest.current.get(column) ?? 0;
    const cells = Math.max(known, cellsOf(column, rows, context));
    widest.current.set(column, cells);
    return { column, cells };
  });
  return layoutOf(measured, context.width);
};

/** Width of an element in pixels, as it changes; undefined until it is measured. */
export const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
};

const classOf = ({ align, cut }: { align?: "left" | "right"; cut?: "end" | "middle" }) =>
  [align === "right" && "r", cut && "cut"].filter(Boolean).join(" ") || undefined;

/** The heads of the columns. */
export const Heads = <Row,>({ columns, template }: Layout<Row>) => (
  <div role="row" className={`${css.row} ${css.heads}`} style={{ gridTemplateColumns: template }}>
    {columns.map((column, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: several columns have no head
      <span key={place} role="columnheader" className={classOf(column)}>
        {column.head || <span className="vh">{place === 0 ? "mark" : "to"}</span>}
      </span>
    ))}
  </div>
);

interface RowLineProps<Name extends ListedName> {
  list: List<Name>;
  layout: Layout<ListedRows[Name]>;
  context: RowContext;
  /** Missing while it is being read. */
  row: ListedRows[Name] | undefined;
  /** The place to which it leads. */
  href: string | undefined;
  /** Its place in the list, from 0. */
  position: number;
  /** True for the one row of the list that Tab reaches. */
  isCursor: boolean;
  onFocus(): void;
}

/** One row: a link across all its cells, so that it can be opened beside and its address copied. */
export const RowLine = <Name extends ListedName>({
  list,
  layout: { columns, template, isNarrow },
  context,
  row,
  href,
  position,
  isCursor,
  onFocus,
}: RowLineProps<Name>) => {
  const style: CSSProperties = { gridTemplateColumns: template };
  const says = row && safeText(list.explain(row, context));
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      className={`${css.row} ${css.leads} ${isNarrow ? css.narrow : ""}`}
      data-row={row?.id}
      aria-busy={row === undefined || undefined}
      tabIndex={isCursor ? 0 : -1}
      style={style}
      title={says}
      onFocus={onFocus}
    >
      {columns.map((column, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several columns have no head
        <span key={place} role="gridcell" className={classOf(column)}>
          {place === 0 && href !== undefined && row && (
            <a className={css.cover} href={`#${href}`} tabIndex={-1}>
              <span className="vh">{safeText(list.subject(row))}</span>
            </a>
          )}
          {row ? <Piece of={column.cell(row, context)} /> : place === 0 ? "…" : ""}
        </span>
      ))}
      {isNarrow && (
        <span role="gridcell" className={css.words}>
          {says}
        </span>
      )}
    </div>
  );
};
