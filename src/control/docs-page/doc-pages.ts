import { posix } from "node:path";
import { closestTo } from "../../contract/core/closest.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import { docPages } from "../../machine/doc-files.ts";

const OPERATION_NAMES = OPERATIONS.map(({ operationId }) => operationId);

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

/** The anchor that Markdown renderers give a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const HEADING = /^(#{1,4}) (.+)$/;

/** Anchors of the headings of a page, in order. */
export const anchorsOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const heading = HEADING.exec(line)?.[2];
    return heading === undefined ? [] : [anchorOf(heading)];
  });

/**
 * A section of a page: its heading and everything below it up to the next heading of its rank, or
 * nothing if the page has no such anchor.
 */
export const sectionOf = (text: string, anchor: string): string | undefined => {
  const lines = text.split("\n");
  const rankOf = (line: string) => HEADING.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY;
  const start = lines.findIndex((line) => {
    const heading = HEADING.exec(line)?.[2];
    return heading !== undefined && anchorOf(heading) === anchor;
  });
  if (start < 0) return undefined;
  const rank = rankOf(lines[start] ?? "");
  const length = lines.slice(start + 1).findIndex((line) => rankOf(line) <= rank);
  const end = length < 0 ? lines.length : start + 1 + length;
  return `${lines.slice(start, end).join("\n").trim()}\n`;
};

/** Topics of the other pages that a text links to, in the order of the links. */
export const linkedTopics = ({ topic, text }: Pick<DocPage, "topic" | "text">): string[] => {
  const links = [...text.matchAll(/\]\(([^)\]\s#:]+)\.md(?:#[^)\]]*)?\)/g)];
  const folder = posix.dirname(`/${topic}`);
  const topics = new Set(links.map(([, path = ""]) => posix.resolve(folder, path).slice(1)));
  const known = new Set(docTopics());
  return [...topics].filter((one) => one !== topic && known.has(one));
};
