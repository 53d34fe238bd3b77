const PLAIN = /^[\x20-\x7e]*$/;

/** Control characters, and characters that are invisible or change the order of their neighbors. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** The two selectors between an emoji and a plain sign. */
const PRESENTATION = /[\ufe0e\ufe0f]/;
const JOINER = /[\u200c\u200d]/;
/** Characters whose look a following joiner changes: emoji, and scripts without capitals. */
const JOINED = /[\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;

const caret = (one: string) => {
  const code = one.codePointAt(0) ?? 0;
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `^{${code.toString(16)}}`;
};

const shown = (one: string, at: number, text: string) => {
  const isKept =
    PRESENTATION.test(one) ||
    (JOINER.test(one) && JOINED.test(text.slice(Math.max(0, at - 2), at)));
  return isKept ? one : caret(one);
};

/**
 * Escapes every character of foreign text that a terminal obeys or that misleads a reader. Writes
 * `^[` for ESC, `^{202e}` for a bidirectional override and `^J` for a newline.
 */
export const safeText = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(UNSEEN, shown);

/** Escapes foreign text of several lines; its newlines and tabs stay. */
export const safeLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split("\t").map(safeText).join("\t"))
    .join("\n");

/** Escapes foreign text for a place that has one line: a newline becomes a space. */
export const safeLine = (text: string): string => safeText(text.replace(/\s*[\r\n]\s*/g, " "));

const escaped = (one: string) =>
  Array.from(
    { length: one.length },
    (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** Equivalent JSON in which every character that `safeText` would change is escaped. */
export const safeJson = (value: unknown, indent?: number): string => {
  const text = JSON.stringify(value, null, indent);
  return PLAIN.test(text)
    ? text
    : text.replace(UNSEEN, (one) => (one === "\n" ? one : escaped(one)));
};

/** Tells our own color codes apart from those in foreign text. */
export interface Seal {
  /** Marks color codes as our own without changing their width. */
  seal(text: string): string;
  /** A line ready to print: our own colors, and no other code that a terminal obeys. */
  printed(line: string): string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what colors begin with
const COLOR = /\u001b\[(?=[0-9]+m)/g;

/** Without colors, no code in a line is our own. */
export const NO_COLORS: Seal = { seal: (text) => text, printed: safeText };

/**
 * Makes a palette whose codes can be recognized.
 * @param mark digits that authors of printed text cannot guess
 */
export const sealWith = (mark: string): Seal => {
  const own = `\u001b[${mark};`;
  return {
    seal: (text) => text.replace(COLOR, own),
    printed: (line) =>
      line
        .split(own)
        .map((part, at) => (at === 0 ? safeText(part) : `\u001b[${safeText(part)}`))
        .join(""),
  };
};
