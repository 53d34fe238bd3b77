/** Only this many characters of a text are compared, since the work grows quadratically. */
export const MAX_COMPARED = 200;

/**
 * Edit distance between two texts: letters to insert, remove, replace or swap with a neighbor
 * (Damerau and Levenshtein, optimal string alignment). Small packages do not count swaps
 * (fastest-levenshtein) or have no types (damerau-levenshtein).
 */
export const distance = (from: string, to: string): number => {
  const [a, b] = [from.slice(0, MAX_COMPARED), to.slice(0, MAX_COMPARED)];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const bySwap = isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const byOthers = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1);
      next.push(Math.min(byOthers, bySwap, (row[j - 1] ?? 0) + cost));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};
