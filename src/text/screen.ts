/** The room that printed lines have. */
export interface Screen {
  /** Columns of the terminal; infinite off a terminal, where nothing is cut or wrapped. */
  readonly width: number;
  /** Whether glyphs are replaced by ASCII, which changes their width. */
  readonly isAscii: boolean;
}

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 120;
/** Width of a terminal that does not tell its own. */
const USUAL = 80;

/** Columns for the lines of a stream. */
export const columnsOf = ({ isTTY, columns }: Pick<NodeJS.WriteStream, "isTTY" | "columns">) =>
  isTTY === true ? Math.min(WIDEST, columns || USUAL) : Number.POSITIVE_INFINITY;

/** Room without bounds, for lines that another component cuts. */
export const NO_SCREEN: Screen = { width: Number.POSITIVE_INFINITY, isAscii: false };
