import { safeText } from "./safe-text.ts";
import type { Screen } from "./screen.ts";
import { cutEnd as cutText, widthOf } from "./text-width.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: color codes have no width
const COLOR_CODES = /\u001b\[[0-9;]*m/g;

/** Text without its color codes. */
export const uncolored = (text: string) => text.replace(COLOR_CODES, "");

/** ASCII, Latin letters and our own glyphs, one cell each. */
const ONE_CELL = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff…→←✓✗▸─━├└·]*$/;

/** Cells that a text takes on a terminal, as it is printed. */
export const cellsOf = (text: string): number => {
  const plain = uncolored(text);
  return ONE_CELL.test(plain) ? plain.length : widthOf(safeText(plain));
};

const ellipsisOf = ({ isAscii }: Screen) => (isAscii ? ".." : "…");

/** The beginning of a free text that fits, with a mark when it was cut. */
export const cutEnd = (text: string, width: number, screen: Screen): string =>
  cellsOf(text) <= width ? text : cutText(safeText(text), width, ellipsisOf(screen));

/** Longest beginning of a path without an id, and the shortest of one with an id. */
const HEAD = 10;
const LEAST_HEAD = 5;
/** A shortened id, whose digits are never cut. */
const SHORT_ID = /(?:…|\.\.)[0-9a-f]{6}/g;

/** Start and end of the shortened id around a place of a text, or the place itself. */
const idAround = (text: string, at: number) => {
  for (const { index: start, 0: id } of text.matchAll(SHORT_ID))
    if (at > start && at < start + id.length) return { start, end: start + id.length };
  return { start: at, end: at };
};

/**
 * Both ends of a path, with a mark for the part cut out of the middle. Keeps the last id and what
 * is behind it, whose own mark then stands for the cut.
 */
export const cutPath = (text: string, width: number, screen: Screen): string => {
  if (cellsOf(text) <= width) return text;
  const mark = ellipsisOf(screen);
  const safe = safeText(text);
  const idAt = [...safe.matchAll(SHORT_ID)].at(-1)?.index ?? safe.length;
  const headWithId = width - (safe.length - idAt);
  if (idAt < safe.length && headWithId >= LEAST_HEAD)
    return cutText(safe.slice(0, headWithId) + safe.slice(idAt), width, mark);
  const rest = Math.max(0, width - mark.length);
  const head = idAround(safe, Math.min(HEAD, Math.floor(rest / 2))).start;
  const tail = idAround(safe, safe.length - (rest - head)).end;
  return cutText(safe.slice(0, head) + mark + safe.slice(tail), width, mark);
};

/** Fills a text up with spaces, at the end or in front. */
export const padCells = (text: string, width: number, align: "left" | "right" = "left") => {
  const space = " ".repeat(Math.max(0, width - cellsOf(text)));
  return align === "left" ? text + space : space + text;
};
