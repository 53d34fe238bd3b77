/**
 * Ids of an index entry in ascending order, which is the order of creation. Read only, and as it
 * stands until the world's next change: whoever keeps it longer takes a `slice`.
 */
export interface Ids extends Iterable<string> {
  readonly length: number;
  /** The id at a position; negative ones count from the end. */
  at(position: number): string | undefined;
  /** A copy of a part, by the rules of `Array.slice`. */
  slice(from?: number, to?: number): string[];
  /** How many ids are lower than this one, where there is a faster way than to ask for each. */
  position?(id: string): number;
}

/** Position of `id` in ascending ids, or where it would go. */
export const positionIn = (ids: Ids, id: string): number => {
  if (ids.position) return ids.position(id);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids.at(middle) as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Whether an id is one of ascending ids. */
export const isIn = (ids: Ids, id: string): boolean => ids.at(positionIn(ids, id)) === id;

/** Position of the first id that is higher. */
export const positionAfter = (ids: Ids, id: string): number => {
  const position = positionIn(ids, id);
  return ids.at(position) === id ? position + 1 : position;
};
