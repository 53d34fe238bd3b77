/** A label that stands at a place of the future. */
export interface Flag {
  id: string;
  /** Distance from the clock's line. */
  xPx: number;
  /** Width of its label. */
  widthPx: number;
}

/** A flag with its row; row 0 is the lowest. */
export interface PlacedFlag {
  id: string;
  row: number;
  /** Written to the left of its place, since there is no room to the right. */
  isBack: boolean;
}

/** Rows of the future. */
export const FLAG_ROWS = 4;

/**
 * Places flags so that no stem crosses a label: the earliest has the lowest row, and each stem goes
 * up from the axis below the rows of later ones.
 * @param flags in firing order; those beyond the rows are left out
 */
export const placeFlags = (flags: readonly Flag[], roomPx: number): PlacedFlag[] =>
  flags.slice(0, FLAG_ROWS).map(({ id, xPx, widthPx }, at) => ({
    id,
    row: FLAG_ROWS - 1 - at,
    isBack: xPx + widthPx > roomPx && xPx > widthPx,
  }));
