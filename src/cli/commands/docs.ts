import { OPERATION_SPEC } from "../../api/operation-spec.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { anchorsOf, docPlace, sectionOf } from "../../contract/core/doc-sections.ts";
import {
  closestTopic,
  type DocPage,
  docPage,
  docTopics,
  topicsNamed,
} from "../../control/core/doc-pages.ts";
import { columns } from "../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { showConsole } from "../tasks/browser.ts";
import { printPage } from "../tasks/printed-page.ts";
import type { Style, Terminal } from "../text/terminal.ts";

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

/** The page of all decisions lists them: they would push the guide off the screen. */
const isListed = ({ topic }: DocPage) =>
  !topic.startsWith("decisions/") || topic === "decisions/README";

/** Pages that a topic names, and the section of the first one to print. */
interface NamedPages {
  topics: readonly string[];
  anchor: string | undefined;
}

/** The pages that a topic names: a page, a page with an anchor, or an operation of the platform. */
const pagesNamed = (topicName: string): NamedPages => {
  const named = Object.hasOwn(OPERATION_SPEC, topicName)
    ? OPERATION_SPEC[topicName as keyof typeof OPERATION_SPEC]
    : topicName;
  const [name = "", anchor] = named.split("#");
  return { topics: topicsNamed(name), anchor };
};

const unknownTopic = (topicName: string) => {
  const meant = closestTopic(topicName.split("#")[0] ?? "");
  return usageError(
    `no topic "${topicName}"`,
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

/** Opens the docs of the running simulator: the page that is named, or the reference. */
const openPage = async (
  topicName: string | undefined,
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> => {
  const { topics, anchor } = topicName === undefined ? { topics: [""] } : pagesNamed(topicName);
  const [topic] = topics;
  if (topicName !== undefined && topic === undefined) throw unknownTopic(topicName);
  if (topic && anchor !== undefined) partOf(docPage(topic), anchor);
  const { client } = findInstance(invocation);
  await reach(client.get("/ready"));
  const place = topic ? docPlace(topic, anchor) : "/reference";
  return (await showConsole(client, terminal, `#${place}`)) ? EXIT.done : EXIT.notDone;
};

export const command: Command = {
  name: "docs",
  summary: "print a page of the specification or guide, or list the pages",
  operands: "[topic]",
  options: [
    {
      flags: "--open",
      summary: "open the page of the running simulator in a browser",
      noEnvironment: true,
    },
    ...CLIENT_OPTIONS,
  ],
  examples: [
    "service-sim docs",
    "service-sim docs quotes",
    "service-sim docs quotes#expiry",
    "service-sim docs guide/webhook-lab",
    "service-sim docs executeQuote",
    "service-sim docs --open",
  ],
  run: async (invocation, terminal) => {
    const [topicName] = invocation.args;
    if (invocation.options.open === true) return openPage(topicName, invocation, terminal);
    if (topicName === undefined) {
      const pages = docTopics().map(docPage);
      terminal.document({ data: pages.map(({ topic, title }) => ({ topic, title })) });
      terminal.print(...formatTopics(pages.filter(isListed), terminal.style));
      return EXIT.done;
    }
    const { topics, anchor } = pagesNamed(topicName);
    const [topic, ...others] = topics;
    if (topic === undefined) throw unknownTopic(topicName);
    const page = docPage(topic);
    const text = anchor === undefined ? page.text : partOf(page, anchor);
    await printPage({ ...page, text }, terminal);
    for (const other of others) terminal.next(`service-sim docs ${other}`);
    return EXIT.done;
  },
};
