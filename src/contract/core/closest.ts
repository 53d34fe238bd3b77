/** Only this many characters of a text are compared, since the work grows quadratically. */
const MAX_COMPARED = 200;

/**
 * Most edits that count as a typing slip, per character of the intended text
 * (spec/errors.md#unknown-operations).
 */
const SLIPS_PER_CHARACTER = 0.34;

/**
 * Edit distance between two texts: letters to insert, remove, replace or swap with a neighbor
 * (Damerau and Levenshtein, optimal string alignment).
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

/** Whether this number of edits is a slip in a text of this length; a single one always is. */
export const isSlip = (edits: number, length: number) =>
  edits <= Math.max(1, Math.floor(length * SLIPS_PER_CHARACTER));

/** A name without case and separators, which people mistype most. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, "");

/** The name that was most likely meant, or nothing when none is close. */
export const closestTo = (asked: string, names: readonly string[]): string | undefined => {
  const typed = plain(asked);
  if (typed === "" || typed.length > MAX_COMPARED) return undefined;
  const [best] = names
    .map((name) => ({ name, edits: distance(typed, plain(name)) }))
    .sort((a, b) => a.edits - b.edits);
  return best && isSlip(best.edits, plain(best.name).length) ? best.name : undefined;
};
