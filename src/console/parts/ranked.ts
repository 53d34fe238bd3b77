/** Ranks what begins with the words before what has a word that does, before what has them anywhere. */
const rankOf = (says: string, typed: string): number | undefined => {
  const [text, wanted] = [says.toLowerCase(), typed.trim().toLowerCase()];
  if (wanted === "") return 2;
  if (text.startsWith(wanted)) return 0;
  if (text.split(/[^a-z0-9]+/).some((word) => word.startsWith(wanted))) return 1;
  return text.includes(wanted) ? 2 : undefined;
};

/** The last: each word is somewhere, also in what is not shown. */
const rankAmong = (text: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
    ? 3
    : undefined;

/** The targets that fit, the best first; equal ones stay in their order. */
export const ranked = <One extends { says: string; also?: string }>(
  all: readonly One[],
  typed: string,
): One[] =>
  all
    .flatMap((one) => {
      const { says, also = "" } = one;
      const rank = rankOf(says, typed) ?? rankAmong(`${says} ${also}`, typed);
      return rank === undefined ? [] : [{ one, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
