import type { Span } from "./span.ts";

/** Context for drawing rows. */
export interface RowContext {
  /** Width of the line, in cells. */
  width: number;
  /** Simulated epoch milliseconds; undefined while the time is unknown. */
  nowMs: number | undefined;
  /** The clock's own day and time, ISO 8601. */
  now: string;
  ellipsis: string;
}

/** One column of a pane's rows. */
export interface Column<Row> {
  head: string;
  cell(row: Row, context: RowContext): Span | string;
  align?: "left" | "right";
  /** Cells before it; 2 by default. */
  gap?: number;
  /** Can be cut where the line is too narrow: at its end or in its middle. */
  cut?: "end" | "middle";
  /** Hidden in lines with fewer cells. */
  from?: number;
  /** Hidden in lines with this many cells or more. */
  below?: number;
  /** Minimum width in cells, so that it does not jump. */
  min?: number;
}
