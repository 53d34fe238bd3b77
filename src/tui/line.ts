import { type Look, type Span, span } from "../rows/span.ts";
import { cutEnd, widthOf } from "../text/text-width.ts";

/** One line of the screen. */
export type Line = readonly Span[];

/** A line of text in one look. */
export const textLine = (text: string, look?: Look): Line => [span(text, look)];

export const plainOf = (line: Line) => line.map(({ text }) => text).join("");

export const lineWidth = (line: Line) => line.reduce((sum, { text }) => sum + widthOf(text), 0);

/** Cuts a line to a width. */
export const fitLine = (line: Line, width: number, ellipsis = "…"): Line => {
  const fitted: Span[] = [];
  let rest = width;
  for (const [at, { text, look }] of line.entries()) {
    const cells = widthOf(text);
    const isLast = at === line.length - 1;
    if (cells < rest || (cells === rest && isLast)) {
      fitted.push({ text, look });
      rest -= cells;
      continue;
    }
    const after = line.slice(at + 1).reduce((sum, one) => sum + widthOf(one.text), 0);
    const shown =
      cells + after <= rest ? text : cutEnd(`${text}${"·".repeat(after)}`, rest, ellipsis);
    fitted.push({ text: shown, look });
    if (cells + after > rest) break;
    rest -= cells;
  }
  return fitted;
};

/** Joins two lines, the second at the right end; when they do not fit, returns the first alone. */
export const withRight = (left: Line, right: Line, width: number): Line => {
  const gap = width - lineWidth(left) - lineWidth(right);
  if (gap < 2) return fitLine(left, width);
  return [...left, span(" ".repeat(gap)), ...right];
};

const CODES: Record<Look, readonly [on: number, off: number]> = {
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  red: [31, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** Options for writing to a terminal. */
export interface Paint {
  color: boolean;
  ascii: boolean;
}

/** A line with the escape sequences of a terminal. */
export const paintLine = (line: Line, { color }: Pick<Paint, "color">) =>
  line
    .map(({ text, look }) => {
      if (!color || look === undefined) return text;
      const [on, off] = CODES[look];
      return `\u001b[${on}m${text}\u001b[${off}m`;
    })
    .join("")
    .trimEnd();
