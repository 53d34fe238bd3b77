/** The chosen row, by its id, never by its number. A list without a cursor follows new rows. */
export interface Cursor {
  id: string;
  /** Lines between the top of the window and the row. */
  anchor: number;
  /** Index at which the row was last seen: a neighbor is chosen when the row is gone. */
  index: number;
  /** The first row when the window was pinned. */
  first: string;
}

/** The part of a list that is drawn. */
export interface Window {
  top: number;
  /** Index of the chosen row; -1 in an empty list. */
  chosen: number;
  /** Rows that came above since the window was pinned. */
  newCount: number;
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));

/** Index of a row, or of the row that took its place. */
export const chosenIndex = (ids: readonly string[], cursor: Cursor | undefined) => {
  if (ids.length === 0) return -1;
  if (!cursor) return 0;
  const at = ids.indexOf(cursor.id);
  return at >= 0 ? at : clamp(cursor.index, 0, ids.length - 1);
};

/** The window of a list: new rows never move the chosen row. */
export const windowOf = (
  ids: readonly string[],
  cursor: Cursor | undefined,
  height: number,
): Window => {
  const chosen = chosenIndex(ids, cursor);
  if (!cursor || chosen < 0) return { top: 0, chosen, newCount: 0 };
  const anchor = clamp(cursor.anchor, 0, Math.max(0, height - 1));
  const top = clamp(chosen - anchor, 0, Math.max(0, ids.length - height));
  return { top, chosen, newCount: Math.max(0, ids.indexOf(cursor.first)) };
};

/** Moves the cursor to another row, and the window no further than needed. */
export const cursorAt = (
  ids: readonly string[],
  index: number,
  { from, height }: { from: Cursor | undefined; height: number },
): Cursor | undefined => {
  if (ids.length === 0) return undefined;
  const { top } = windowOf(ids, from, height);
  const wanted = clamp(index, 0, ids.length - 1);
  const newTop = clamp(top, wanted - height + 1, wanted);
  return {
    id: ids[wanted] as string,
    anchor: wanted - newTop,
    index: wanted,
    first: from?.first ?? (ids[0] as string),
  };
};
