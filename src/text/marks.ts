/** Marks, the second signal after the word: color never carries meaning alone. */
export const MARKS = {
  done: { glyph: "✓", ascii: "+", color: "green" },
  waits: { glyph: "~", ascii: "~", color: "yellow" },
  asks: { glyph: "!", ascii: "!", color: "magenta" },
  failed: { glyph: "✗", ascii: "x", color: "red" },
  over: { glyph: "-", ascii: "-", color: "dim" },
  clock: { glyph: "@", ascii: "@", color: "cyan" },
} as const;

export type MarkName = keyof typeof MARKS;

/** Glyphs and their ASCII replacements for terminals that cannot show them. */
export const ASCII: Readonly<Record<string, string>> = {
  "→": ">",
  "←": "<",
  "↑": "^",
  "↓": "v",
  "…": "..",
  "✓": "+",
  "✗": "x",
  "▸": ">",
  "›": ">",
  "─": "-",
  "━": "=",
  "├": "|",
  "└": "\\",
  "▰": "#",
  "▱": ".",
  "·": "-",
  "×": "x",
  "÷": "/",
};

const GLYPHS = new RegExp(`[${Object.keys(ASCII).join("")}]`, "g");

/** Replaces every glyph by its ASCII form. */
export const asAscii = (text: string) => text.replace(GLYPHS, (glyph) => ASCII[glyph] ?? "?");
