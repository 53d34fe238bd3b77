import { safeText } from "../../text/safe-text.ts";
import css from "./code.module.css";
import { Copy } from "./copy.tsx";

/** A text of several lines as it is, with a button that copies it. */
export const Code = ({ text, label, what }: { text: string; label: string; what: string }) => (
  <div className={css.code}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by the keyboard */}
    <pre role="region" tabIndex={0} aria-label={label}>
      {text.split("\n").map(safeText).join("\n")}
    </pre>
    <Copy text={text} what={what} label="Copy" />
  </div>
);
