import { cutNote } from "../contract/core/cut-body.ts";
import { inGroups } from "../contract/core/digit-groups.ts";
import { type Look, span } from "../rows/span.ts";
import { safeText } from "../text/safe-text.ts";
import { type Line, textLine } from "./line.ts";

/** Cells of the labels of facts. */
export const LABEL_WIDTH = 13;

/** Cells of a tab, which a terminal would move its cursor by. */
const TAB = " ".repeat(4);

/** The lines of a text, as its writer ended them. */
export const linesIn = (text: string): string[] => text.replaceAll("\t", TAB).split(/\r\n|[\r\n]/);

/** A text of others, in as many lines as it has. */
export const textLines = (text: string, look?: Look): Line[] =>
  linesIn(text).map((line) => textLine(safeText(line), look));

/** A label and its text; more lines stand below the first. */
export const labelled = (label: string, text: string, look?: Look): Line[] =>
  linesIn(text).map((line, at) => [
    span((at === 0 ? label : "").padEnd(LABEL_WIDTH), "dim"),
    span(safeText(line), look),
  ]);

const indented = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split("\n");
  } catch {
    return linesIn(text.trimEnd());
  }
};

/** A body with its size, indented where it is JSON. */
export const bodyLines = (label: string, text: string | undefined, cut?: number): Line[] =>
  text === undefined || text === ""
    ? []
    : [
        ...labelled(label, cutNote(text, cut) ?? `${inGroups(Buffer.byteLength(text))} bytes`),
        ...indented(text).map((line) => textLine(`  ${safeText(line)}`)),
      ];
