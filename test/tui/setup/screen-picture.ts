import type { Look, Span } from "../../../src/rows/span.ts";
import { widthOf } from "../../../src/text/text-width.ts";
import type { Line } from "../../../src/tui/line.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";

const FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Width and height of a terminal's cell, in pixels. */
const CELL = { width: 8.4, height: 19 };

const MARGIN = 16;

const BACKGROUND = "#0d1117";

const PLAIN_COLOR = "#d1d7e0";

/** Colors of the looks, each with a contrast of at least 4.5 to the background. */
const COLORS: Record<Exclude<Look, "bold">, string> = {
  green: "#3fb950",
  yellow: "#e3b341",
  magenta: "#d2a8ff",
  red: "#ff7b72",
  cyan: "#56d4dd",
  dim: "#8b949e",
};

/** Splits a line into rules of titles, words with single spaces, and glyphs of other fonts. */
const PIECES = /[━─]+|[!-~]+(?: [!-~]+)*|[^\s━─!-~]/gu;

const colorOf = (look: Look | undefined) =>
  look === undefined || look === "bold" ? PLAIN_COLOR : COLORS[look];

const round = (pixels: number) => String(Math.round(pixels * 100) / 100);

const xOf = (cell: number) => round(MARGIN + cell * CELL.width);

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Piece {
  text: string;
  look: Look | undefined;
  /** The column it starts at. */
  cell: number;
  /** The row it is on. */
  row: number;
}

/** Draws a rule as a shape, since fonts leave gaps between its characters. */
const ruleOf = ({ text, look, cell, row }: Piece) => {
  const y = round(MARGIN + (row + 0.5) * CELL.height);
  const thickness = text.startsWith("━") ? 2 : 1;
  const path = `M${xOf(cell)} ${y}H${xOf(cell + text.length)}`;
  return `<path d="${path}" stroke="${colorOf(look)}" stroke-width="${thickness}"/>`;
};

/** Keeps text to its cells, however wide the characters of the reader's font are. */
const textOf = ({ text, look, cell, row }: Piece) => {
  const y = round(MARGIN + (row + 0.72) * CELL.height);
  const length = round(widthOf(text) * CELL.width);
  const weight = look === "bold" ? ' font-weight="bold"' : "";
  const fill = look === undefined || look === "bold" ? "" : ` fill="${colorOf(look)}"`;
  const place = `x="${xOf(cell)}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place}${weight}${fill}>${escaped(text)}</text>`;
};

const drawn = (piece: Piece) => (/^[━─]/.test(piece.text) ? ruleOf(piece) : textOf(piece));

const piecesOf = (line: Line, row: number): Piece[] => {
  let before = 0;
  return line.flatMap(({ text, look }: Span) => {
    const start = before;
    before += widthOf(text);
    return [...text.matchAll(PIECES)].map((found) => ({
      text: found[0],
      look,
      cell: start + widthOf(text.slice(0, found.index)),
      row,
    }));
  });
};

/** Size of a picture of so many lines, in pixels. */
export const sizeOf = (lines: number, columns: number) => ({
  width: round(2 * MARGIN + columns * CELL.width),
  height: round(2 * MARGIN + lines * CELL.height),
});

/** Shapes and texts of one line of a terminal. */
export const drawnLine = (line: Line, row: number): string[] => piecesOf(line, row).map(drawn);

/** A picture of a terminal around what is drawn in it. */
export const pictureAround = (
  inside: readonly string[],
  {
    title,
    lines,
    columns,
    style = "",
  }: { title: string; lines: number; columns: number; style?: string },
): string => {
  const { width, height } = sizeOf(lines, columns);
  const size = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="${NAMESPACE}" viewBox="0 0 ${width} ${height}" ${size} role="img">`,
    `<title>${escaped(title)}</title>`,
    ...(style === "" ? [] : [`<style>${style}</style>`]),
    `<rect ${size} rx="8" fill="${BACKGROUND}"/>`,
    `<g fill="${PLAIN_COLOR}" font-family="${FONTS}" font-size="14">`,
    ...inside,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
};

/**
 * A frame of the screen as an SVG picture, readable on light and dark pages.
 * @param lines the frame, without escape sequences
 * @param columns width of the terminal, in cells
 */
export const pictureOf = (lines: readonly Line[], columns: number): string =>
  pictureAround(lines.flatMap(drawnLine), {
    title: "The screen of service-sim tui",
    lines: lines.length,
    columns,
  });
