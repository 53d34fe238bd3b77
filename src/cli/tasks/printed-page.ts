import { type DocPage, linkedTopics } from "../../control/core/doc-pages.ts";
import type { Terminal } from "../text/terminal.ts";

/** Prints a page of the documents: for people with its layout, elsewhere as it is written. */
export const printPage = async (page: DocPage, terminal: Terminal): Promise<void> => {
  const { topic, text } = page;
  terminal.document({ ...page });
  if (!terminal.json && !terminal.isTerminal) return terminal.answer(text.trimEnd());
  const { markdownLines } = await import("../text/markdown.ts");
  const linked = linkedTopics({ topic, text });
  const more = linked.length > 0 ? `\n\nLinked pages: ${linked.join(", ")}` : "";
  terminal.print(...markdownLines(`${text.trimEnd()}${more}`, terminal.style));
};
