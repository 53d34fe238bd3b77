/** The anchor that Markdown renderers give a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const HEADING = /^(#{1,4}) (.+)$/;

const headingOf = (line: string) => HEADING.exec(line)?.[2];

/** Anchors of the headings of a page, in order. */
export const anchorsOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const heading = headingOf(line);
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
    const heading = headingOf(line);
    return heading !== undefined && anchorOf(heading) === anchor;
  });
  if (start < 0) return undefined;
  const rank = rankOf(lines[start] ?? "");
  const length = lines.slice(start + 1).findIndex((line) => rankOf(line) <= rank);
  const end = length < 0 ? lines.length : start + 1 + length;
  return `${lines.slice(start, end).join("\n").trim()}\n`;
};

/** The heading of the first section that has all words of a search; nothing without one. */
export const headingWith = (text: string, words: readonly string[]): string | undefined => {
  const sections = text.split(/\n(?=#{2,4} )/).slice(1);
  const found = sections.find((section) => hasWords(section, words));
  return found === undefined ? undefined : headingOf(found.split("\n", 1)[0] ?? "");
};

/** Whether a text has all words, in any case. */
export const hasWords = (text: string, words: readonly string[]): boolean => {
  const own = text.toLowerCase();
  return words.every((word) => own.includes(word.toLowerCase()));
};

/** Folders of the documents, each with the place of its pages. */
const PLACES: Readonly<Record<string, string>> = {
  spec: "spec",
  guide: "guides",
  decisions: "decisions",
};

/**
 * The place of a page of the documents in the console: `/spec/quotes?at=expiry`. A page beside the
 * folders is among the guides.
 */
export const docPlace = (topic: string, anchor?: string): string => {
  const [folder = "", name] = topic.split("/");
  const place = name === undefined ? `guides/${folder}` : `${PLACES[folder] ?? folder}/${name}`;
  return `/${place}${anchor === undefined ? "" : `?at=${encodeURIComponent(anchor)}`}`;
};

/** The topics that a place of the console may mean, the likelier first. */
export const topicsAt = (view: string, name: string): string[] =>
  view === "guides" ? [`guide/${name}`, name] : [`${view}/${name}`];
