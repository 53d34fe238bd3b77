import { OPERATION_SPEC } from "../../api/operation-spec.ts";
import { closestTo } from "../../contract/core/closest.ts";
import {
  anchorsOf,
  closestTopic,
  type DocPage,
  docPage,
  docTopics,
  linkedTopics,
  sectionOf,
  topicsNamed,
} from "../../control/docs-page/doc-pages.ts";
import { type Command, EXIT, usageError } from "../frame/command.ts";
import { columns } from "../text/layout.ts";
import type { Style } from "../text/terminal.ts";

const LIST = "service-sim docs    lists the topics";

/** Topics by folder, each with the title of its page. */
export const formatTopics = (pages: readonly DocPage[], { color }: Style): string[] => {
  const rows = columns(pages.map(({ topic, title }) => [topic, title]));
  const folders = pages.map(({ topic }) => (topic.includes("/") ? topic.split("/")[0] : "more"));
  return folders.flatMap((folder = "", at) => {
    const isFirst = folder !== folders[at - 1];
    return [...(isFirst ? [...(at === 0 ? [] : [""]), color.bold(folder)] : []), rows[at] ?? ""];
  });
};

/** Pages that a topic names, and the section of the first one to print. */
interface NamedPages {
  topics: readonly string[];
  anchor: string | undefined;
}

/** The pages that a topic names: a page, a page with an anchor, or an operation of the platform. */
const pagesNamed = (given: string): NamedPages => {
  const named = Object.hasOwn(OPERATION_SPEC, given)
    ? OPERATION_SPEC[given as keyof typeof OPERATION_SPEC]
    : given;
  const [name = "", anchor] = named.split("#");
  return { topics: topicsNamed(name), anchor };
};

const unknownTopic = (given: string) => {
  const meant = closestTopic(given.split("#")[0] ?? "");
  return usageError(
    `no topic "${given}"`,
    ...(meant === undefined ? [] : [`service-sim docs ${meant}`]),
    LIST,
  );
};

const partOf = ({ topic, text }: DocPage, anchor: string): string => {
  const part = sectionOf(text, anchor);
  if (part !== undefined) return part;
  const meant = closestTo(anchor, anchorsOf(text));
  throw usageError(
    `no section "${anchor}" in ${topic}`,
    ...(meant === undefined ? [] : [`service-sim docs ${topic}#${meant}`]),
    `service-sim docs ${topic}`,
  );
};

export const command: Command = {
  name: "docs",
  summary: "print a page of the specification or guide, or list the pages",
  operands: "[topic]",
  options: [],
  examples: [
    "service-sim docs",
    "service-sim docs quotes",
    "service-sim docs quotes#expiry",
    "service-sim docs guide/webhook-lab",
    "service-sim docs executeQuote",
  ],
  run: async ({ args: [given] }, terminal) => {
    if (given === undefined) {
      const pages = docTopics().map(docPage);
      terminal.document({ data: pages.map(({ topic, title }) => ({ topic, title })) });
      terminal.print(...formatTopics(pages, terminal.style));
      return EXIT.done;
    }
    const { topics, anchor } = pagesNamed(given);
    const [topic, ...others] = topics;
    if (topic === undefined) throw unknownTopic(given);
    const page = docPage(topic);
    const text = anchor === undefined ? page.text : partOf(page, anchor);
    terminal.document({ ...page, text });
    if (!terminal.json && !terminal.isTerminal) terminal.answer(text.trimEnd());
    else {
      const { markdownLines } = await import("../text/markdown.ts");
      const linked = linkedTopics({ topic, text });
      const more = linked.length > 0 ? `\n\nLinked pages: ${linked.join(", ")}` : "";
      terminal.print(...markdownLines(`${text.trimEnd()}${more}`, terminal.style));
    }
    for (const other of others) terminal.next(`service-sim docs ${other}`);
    return EXIT.done;
  },
};
