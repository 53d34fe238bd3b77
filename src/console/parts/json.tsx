import { safeText } from "../../text/safe-text.ts";
import { jsonTokens } from "./json-tokens.ts";

/** The same JSON with indents; a text that is none as it came. */
export const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const lines = (text: string) => text.split("\n").map(safeText).join("\n");

/** JSON with its names dimmed, as text alone. */
export const Json = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by the keyboard
  <pre role="region" tabIndex={0} aria-label={label}>
    {jsonTokens(text).map(({ text: part, kind }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
      <span key={at} className={kind}>
        {lines(part)}
      </span>
    ))}
  </pre>
);
