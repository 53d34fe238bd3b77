const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

interface Token {
  text: string;
  kind: "k" | "v" | "n" | undefined;
}

/** Cuts JSON text into names, texts, numbers and what is between them. */
export const jsonTokens = (text: string): Token[] => {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, number] = match;
    if (match.index > from) tokens.push({ text: text.slice(from, match.index), kind: undefined });
    const kind = quoted === undefined ? "n" : colon === undefined ? "v" : "k";
    tokens.push({ text: whole, kind: number === undefined && quoted === undefined ? "n" : kind });
    from = match.index + whole.length;
  }
  if (from < text.length) tokens.push({ text: text.slice(from), kind: undefined });
  return tokens;
};
