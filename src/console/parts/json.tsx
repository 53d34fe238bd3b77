import { safeLines } from "../../text/safe-text.ts";
import css from "./json.module.css";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

interface Token {
  text: string;
  kind: "name" | "text" | "number" | undefined;
}

const LOOKS = { name: css.name, text: undefined, number: css.number };

/** Cuts JSON text into names, texts, numbers and what is between them. */
export const jsonTokens = (text: string): Token[] => {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    if (match.index > from) tokens.push({ text: text.slice(from, match.index), kind: undefined });
    const kind = quoted === undefined ? "number" : colon === undefined ? "text" : "name";
    tokens.push({ text: whole, kind });
    from = match.index + whole.length;
  }
  if (from < text.length) tokens.push({ text: text.slice(from), kind: undefined });
  return tokens;
};

/** The same JSON with indents; a text that is none as it came. */
export const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** JSON with its names dimmed, as text alone. */
export const Json = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by the keyboard
  <pre className="lines" role="region" tabIndex={0} aria-label={label}>
    {jsonTokens(text).map(({ text: part, kind }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
      <span key={at} className={kind && LOOKS[kind]}>
        {safeLines(part)}
      </span>
    ))}
  </pre>
);
