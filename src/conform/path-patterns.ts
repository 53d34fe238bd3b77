/** Pieces of a text, with gaps of any text between them. */
interface Gapped {
  pieces: readonly string[];
  /** Characters that each gap has at least. */
  least: 0 | 1;
}

/**
 * Tells whether a text has the pieces in their order. It takes the first place of each, so that many
 * gaps take no longer than one.
 */
const hasPieces = (text: string, { pieces, least }: Gapped): boolean => {
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let end = first.length;
  for (const piece of others) {
    const at = text.indexOf(piece, end + least);
    if (at < 0) return false;
    end = at + piece.length;
  }
  return end + least <= text.length - last.length && text.endsWith(last);
};

/** A pattern in which `*` stands for any text. */
export const fitsPattern = (pattern: string, text: string): boolean =>
  hasPieces(text, { pieces: pattern.split("*"), least: 0 });

/** Reads a path template, whose parameters each stand for a part of one segment. */
export const pathMatcher = (template: string): ((path: string) => boolean) => {
  const segments = template
    .split("/")
    .map((segment): Gapped => ({ pieces: segment.split(/\{[^{}]*\}/), least: 1 }));
  return (path) => {
    const parts = path.split("/");
    return (
      parts.length === segments.length &&
      segments.every((segment, at) => hasPieces(parts[at] ?? "", segment))
    );
  };
};
