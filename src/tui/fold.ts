import { type Span, span } from "../rows/span.ts";
import { graphemes, widthOf } from "../text/text-width.ts";
import { fitLine, type Line, lineWidth, plainOf } from "./line.ts";

interface Part {
  from: number;
  to: number;
}

/** Parts of a text that fit: each ends at a space, or within a word that is wider than a line. */
const partsOf = (text: string, width: number): Part[] => {
  const parts: Part[] = [];
  let [from, at, cells] = [0, 0, 0];
  /** The last spaces of the part, and the cells up to their end. */
  let spaces: { at: number; end: number; cells: number } | undefined;
  for (const sign of graphemes(text)) {
    const wide = widthOf(sign);
    const end = at + sign.length;
    cells += wide;
    if (sign === " " && at > from) spaces = { at: spaces?.end === at ? spaces.at : at, end, cells };
    if (cells > width && at > from) {
      parts.push({ from, to: spaces?.at ?? at });
      from = spaces?.end ?? at;
      cells -= spaces?.cells ?? cells - wide;
      spaces = undefined;
    }
    at = end;
  }
  return from < at ? [...parts, { from, to: at }] : parts;
};

/** The part of a line between two places of its text. */
const partOf = (line: Line, { from, to }: Part): Line => {
  let at = 0;
  return line.flatMap(({ text, look }): Span[] => {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return part === "" ? [] : [span(part, look)];
  });
};

/** Cells that at least tell a line below from a line of its own: a foreign text forges none. */
const LEAST_HANG = 2;

/** The margin that lines below the first leave free: a label, or the depth of the line. */
const marginOf = (line: Line, width: number) => {
  const [first] = line;
  const text = plainOf(line);
  const margin = line.length > 1 ? (first?.text ?? "") : text.slice(0, -text.trimStart().length);
  return widthOf(margin) <= width / 2 ? margin : "";
};

const foldedLine = (line: Line, width: number): Line[] => {
  const margin = marginOf(line, width);
  const hang = Math.max(LEAST_HANG, widthOf(margin));
  return partsOf(plainOf(line).slice(margin.length), width - hang).map(({ from, to }, at) => {
    const place = { from: at === 0 ? 0 : from + margin.length, to: to + margin.length };
    const [first = span(""), ...rest] = partOf(line, place);
    const start = at === 0 ? first : span(" ".repeat(hang) + first.text, first.look);
    return fitLine([start, ...rest], width);
  });
};

/** A line in as many as it may take; the last one tells that there is more. */
export const foldedTo = (
  line: Line,
  count: number,
  { width, ellipsis }: { width: number; ellipsis: string },
): Line[] => {
  const lines = folded([line], width);
  if (lines.length <= count) return lines;
  const rest = lines.slice(count - 1).flatMap((one, at) => (at === 0 ? one : [span(" "), ...one]));
  return [...lines.slice(0, count - 1), fitLine(rest, width, ellipsis)];
};

/** Folds lines that are too wide. */
export const folded = (lines: readonly Line[], width: number): Line[] =>
  lines.flatMap((line) => (lineWidth(line) <= width ? [line] : foldedLine(line, width)));
