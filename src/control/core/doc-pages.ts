import { posix } from "node:path";
import { closestTo } from "../../contract/core/closest.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import { docPages } from "../../machine/doc-files.ts";

const OPERATION_NAMES = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId);

/** A page of `src/docs`. */
export interface DocPage {
  /** Its path below `src/docs` without the ending: `spec/quotes`. */
  topic: string;
  title: string;
  /** Markdown. */
  text: string;
}

/** Folders in the order in which a bare name is looked up; the pages beside them come last. */
const FOLDERS = ["spec", "guide", "decisions", ""];

const folderOf = (topic: string) => topic.slice(0, Math.max(0, topic.lastIndexOf("/")));

const byFolder = (a: string, b: string) =>
  FOLDERS.indexOf(folderOf(a)) - FOLDERS.indexOf(folderOf(b)) || (a < b ? -1 : 1);

/** Topics of all pages: the specification first, then the guide, the decisions and the rest. */
export const docTopics = (): string[] => [...docPages().keys()].sort(byFolder);

/** Reads a page by its exact topic. */
export const docPage = (topic: string): DocPage => {
  const text = docPages().get(topic) ?? "";
  return { topic, title: /^# (.+)$/m.exec(text)?.[1] ?? topic, text };
};

/** Topics that a name stands for: `quotes`, `spec/quotes`, `spec/quotes.md`. */
export const topicsNamed = (name: string): string[] => {
  const wanted = name.replace(/\.md$/, "").toLowerCase();
  const topics = docTopics();
  const exact = topics.filter((topic) => topic.toLowerCase() === wanted);
  const lastNameOf = (topic: string) => topic.slice(topic.lastIndexOf("/") + 1).toLowerCase();
  return exact.length > 0 ? exact : topics.filter((topic) => lastNameOf(topic) === wanted);
};

/** The topic that was most likely meant, also by the name of an operation. */
export const closestTopic = (name: string): string | undefined => {
  const topics = docTopics();
  const bare = topics.map((topic) => topic.slice(topic.lastIndexOf("/") + 1));
  return closestTo(name, [...topics, ...bare, ...OPERATION_NAMES]);
};

/** Topics of the other pages that a text links to, in the order of the links. */
export const linkedTopics = ({ topic, text }: Pick<DocPage, "topic" | "text">): string[] => {
  const links = [...text.matchAll(/\]\(([^)\]\s#:]+)\.md(?:#[^)\]]*)?\)/g)];
  const folder = posix.dirname(`/${topic}`);
  const topics = new Set(links.map(([, path = ""]) => posix.resolve(folder, path).slice(1)));
  const known = new Set(docTopics());
  return [...topics].filter((one) => one !== topic && known.has(one));
};
