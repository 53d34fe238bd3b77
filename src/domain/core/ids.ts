/**
 * Ids of an index entry in ascending order, which is the order of creation. Valid until the world's
 * next change: take a `slice` to keep it longer.
 */
export interface Ids extends Iterable<string> {
  readonly length: number;
  /** The id at a position; negative positions count from the end. */
  at(position: number): string | undefined;
  /** A copy of a part, with the arguments of `Array.slice`. */
  slice(from?: number, to?: number): string[];
  /** Number of ids lower than this one, where an index can tell it faster than a search. */
  position?(id: string): number;
}

/** Position of `id` in ascending ids, or the position to insert it at. */
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

/** Whether ascending ids contain an id. */
export const isIn = (ids: Ids, id: string): boolean => ids.at(positionIn(ids, id)) === id;

/** Position of the first higher id. */
export const positionAfter = (ids: Ids, id: string): number => {
  const position = positionIn(ids, id);
  return ids.at(position) === id ? position + 1 : position;
};
