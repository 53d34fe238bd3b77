/** Places of the rows of the list that was shown last, from top to bottom. */
let places: () => readonly string[] = () => [];

/** Remembers a list while it is shown: its records can then be gone through one by one. */
export const rememberList = (rows: () => readonly string[]) => {
  places = rows;
};

/**
 * The place before or after one in the list that somebody came from.
 * @param step -1 for the row above, 1 for the row below
 */
export const neighborOf = (place: string, step: -1 | 1): string | undefined => {
  const all = places();
  const at = all.indexOf(place);
  return at < 0 ? undefined : all[at + step];
};
