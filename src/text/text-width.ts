import stringWidth from "fast-string-width";

const PLAIN = /^[\x20-\x7e]*$/;

/** Made when a text is first cut: it takes as long as a tenth of a command's start. */
let segmenter: Intl.Segmenter | undefined;

/** Characters that are divided at a time: the segmenter copies its whole input for every sign. */
const CHUNK = 256;

/** Signs of a text as its reader counts them, from the first on. */
export function* graphemes(text: string): Generator<string, void> {
  if (PLAIN.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (let at = 0; at < text.length; ) {
    const isLast = at + CHUNK >= text.length;
    const signs = [...segmenter.segment(text.slice(at, at + CHUNK))].map(({ segment }) => segment);
    // The chunk may end within its last sign.
    const whole = isLast || signs.length === 1 ? signs : signs.slice(0, -1);
    for (const sign of whole) {
      yield sign;
      at += sign.length;
    }
  }
}

/** Width of a text in cells. */
export const widthOf = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

const beginning = (parts: Iterable<string>, width: number) => {
  let usedCells = 0;
  let text = "";
  for (const part of parts) {
    const cells = widthOf(part);
    if (usedCells + cells > width) break;
    usedCells += cells;
    text += part;
  }
  return text;
};

/** The beginning that fits, with a mark when it was cut. */
export const cutEnd = (text: string, width: number, ellipsis = "…"): string => {
  if (widthOf(text) <= width) return text;
  const rest = width - widthOf(ellipsis);
  if (rest < 0) return beginning(graphemes(text), Math.max(0, width));
  return beginning(graphemes(text), rest) + ellipsis;
};

/** The end that fits, with a mark when the beginning was cut: for a text that is being typed. */
export const cutStart = (text: string, width: number, ellipsis = "…"): string => {
  if (widthOf(text) <= width) return text;
  const tail = beginning([...graphemes(text)].reverse(), width - widthOf(ellipsis));
  return ellipsis + [...graphemes(tail)].reverse().join("");
};

/** Both ends of a path, with a mark for the part cut out of the middle. */
export const cutMiddle = (text: string, width: number, ellipsis = "…"): string => {
  if (widthOf(text) <= width) return text;
  const rest = width - widthOf(ellipsis);
  if (rest < 2) return cutEnd(text, width, ellipsis);
  const parts = [...graphemes(text)];
  const tail = beginning([...parts].reverse(), Math.floor(rest / 2));
  const end = [...graphemes(tail)].reverse().join("");
  return beginning(parts, rest - widthOf(end)) + ellipsis + end;
};

/** Pads a text with spaces, at the end or in front. */
export const padTo = (text: string, width: number, align: "left" | "right" = "left") => {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
};
