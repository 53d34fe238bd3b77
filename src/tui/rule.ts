import { span } from "../rows/span.ts";
import { fitLine, type Line } from "./line.ts";

/** The heavy rule at the start of the focused pane. */
export const ruleLine = (title: string, width: number): Line => {
  const text = `━━ ${title} `;
  return fitLine([span(text + "━".repeat(Math.max(0, width - text.length)), "bold")], width);
};
