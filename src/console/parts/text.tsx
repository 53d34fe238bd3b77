import type { Look, Span } from "../../rows/span.ts";
import { MARKS, type MarkName } from "../../text/marks.ts";
import { safeLine, safeLines, safeText } from "../../text/safe-text.ts";
import { placeOf } from "../routes.ts";
import css from "./text.module.css";

const CLASSES: Readonly<Record<Look, string>> = {
  green: "done",
  yellow: "waits",
  magenta: "asks",
  red: "failed",
  cyan: "clock",
  dim: "over",
  bold: "b",
};

/** A mark beside its word; readers of the page are told the word alone. */
export const Mark = ({ name }: { name: MarkName }) => (
  <span className={`mk ${name}`} aria-hidden="true">
    {MARKS[name].glyph}
  </span>
);

/** A piece of text in its look; text of others is made harmless. */
export const Piece = ({ of }: { of: Span | string }) => {
  const { text, look } = typeof of === "string" ? { text: of, look: undefined } : of;
  if (look === undefined) return safeLine(text);
  const isMark = text.length === 1;
  return (
    <span
      className={`${CLASSES[look]}${isMark ? " mk" : ""}`}
      {...(isMark && { "aria-hidden": true })}
    >
      {safeLine(text)}
    </span>
  );
};

/** Text of others that may have several lines, shown as lines. */
export const Lines = ({ text }: { text: string }) => (
  <span className="lines">{safeLines(text)}</span>
);

/** An id by its last six digits, leading to its place. */
export const IdLink = ({ id, whole = false }: { id: string; whole?: boolean }) => {
  const isLong = !whole && /:.*[0-9a-f]{12}$/.test(id);
  return (
    <a className={`m ${css.id}`} href={`#${placeOf(id)}`} title={safeText(id)}>
      {safeText(isLong ? `${id.slice(0, id.indexOf(":") + 1)}…${id.slice(-6)}` : id)}
    </a>
  );
};

/** A word with its mark, such as the status of a record. */
export const Status = ({ mark, children }: { mark: MarkName; children: string }) => (
  <span className={`${css.status} m ${mark}`}>
    <Mark name={mark} /> {safeText(children)}
  </span>
);

/** Damaged worlds and snapshots, each with its reason. */
export const Damaged = ({
  of = [],
}: {
  of?: readonly { name: string; found: string }[] | undefined;
}) =>
  of.map(({ name, found }) => (
    <p key={name} className="failed">
      <Mark name="failed" /> {safeText(`${name}: ${found}`)}
    </p>
  ));
