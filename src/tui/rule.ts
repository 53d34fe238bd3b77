import { span } from "../rows/span.ts";
import { widthOf } from "../text/text-width.ts";
import { fitLine, type Line } from "./line.ts";

/** Cells of a rule besides its words and what fills the gap. */
const AROUND = 8;

/** The heavy rule at the start of the focused pane. */
export const ruleLine = (title: string, width: number): Line => {
  const text = `━━ ${title} `;
  return fitLine([span(text + "━".repeat(Math.max(0, width - text.length)), "bold")], width);
};

/** The light rule at the start of what has no focus, with a word at its right end. */
export const quietRule = (title: string, right: string, width: number): Line => {
  const gap = width - widthOf(title) - widthOf(right) - AROUND;
  return [
    span("── ", "dim"),
    span(`${title} `),
    span(`${"─".repeat(Math.max(0, gap))} ${right} ──`, "dim"),
  ];
};
