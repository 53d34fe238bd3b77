/** Look of a piece of text: the terminal's own 16 colors, bold and dim; a page has its own for each. */
export type Look = "green" | "yellow" | "magenta" | "red" | "cyan" | "dim" | "bold";

/** A piece of text in one look. */
export interface Span {
  text: string;
  look?: Look | undefined;
}

export const span = (text: string, look?: Look): Span => ({ text, look });
