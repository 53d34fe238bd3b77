/** Marks, the second signal after the word (TERMINAL, principle 3). */
export const MARKS = {
  done: { glyph: "✓", ascii: "+", color: "green" },
  waits: { glyph: "~", ascii: "~", color: "yellow" },
  asks: { glyph: "!", ascii: "!", color: "magenta" },
  failed: { glyph: "✗", ascii: "x", color: "red" },
  over: { glyph: "-", ascii: "-", color: "dim" },
} as const;

export type MarkName = keyof typeof MARKS;

/** Glyphs and their stand-ins where a terminal cannot show them (TERMINAL, principle 8). */
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
};

const GLYPHS = new RegExp(`[${Object.keys(ASCII).join("")}]`, "g");

/** The text with a stand-in for every glyph. */
export const asAscii = (text: string) => text.replace(GLYPHS, (glyph) => ASCII[glyph] ?? "?");
