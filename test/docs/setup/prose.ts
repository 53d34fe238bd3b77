import { readFileSync } from "node:fs";

/** A comment of a source file, or a paragraph of a page, as plain text. */
export interface Passage {
  file: string;
  line: number;
  text: string;
  isDocstring: boolean;
}

const lineAt = (text: string, at: number) => text.slice(0, at).split("\n").length;

const COMMENT = /\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n?)+/gm;

const plain = (comment: string) =>
  comment
    .replace(/^\s*\/\*\*?|\*\/\s*$/g, "")
    .replace(/^[ \t]*(?:\*|\/\/) ?/gm, "")
    .trim();

/** Comment marks inside strings, as in URLs and patterns, do not count. */
const startsComment = (text: string, at: number) =>
  /^\s*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at)) || text.startsWith("/**", at);

/** The comments of a source file, in the order in which they stand. */
export const commentsOf = (file: string): Passage[] => {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(COMMENT)]
    .filter(({ index }) => startsComment(text, index))
    .map(([comment, block], at, all) => ({
      file,
      line: lineAt(text, (all[at] as RegExpExecArray).index),
      text: plain(comment),
      isDocstring: block !== undefined && comment.startsWith("/**"),
    }))
    .filter(({ text: words }) => !/^(biome-ignore|@ts-|@type\b)/.test(words));
};

/** The paragraphs and list items of a Markdown page: no code, no tables, no headings. */
export const paragraphsOf = (file: string): Passage[] => {
  const text = readFileSync(file, "utf8").replace(/```[\s\S]*?```/g, (block) =>
    block.replace(/[^\n]/g, ""),
  );
  const passages: Passage[] = [];
  for (const [block] of text.matchAll(/(?:^(?!#|\||<|!\[|\s*$).+\n?)+/gm))
    for (const item of block.split(/\n(?=\s*(?:[-*]|\d+\.) )/))
      passages.push({
        file,
        line: 0,
        text: item.replace(/^\s*(?:[-*]|\d+\.) /, ""),
        isDocstring: false,
      });
  return passages;
};

/** Openers of a clause: a docstring opens with a verb or a noun. */
const CLAUSE = /^(What|Who|Whose|Whom|Where|Which|That|How|Why|When|Whether)\b/;

/** A predicate's whole description may open with "Whether", if it is one short sentence. */
const isPredicate = (text: string) => /^Whether [^.]+\.?$/.test(text.replace(/`[^`]*`/g, "x"));

/** Archaic words and circumlocutions, each with the word to write. */
export const WORDS_TO_AVOID: readonly (readonly [RegExp, string])[] = [
  [
    /\bthereof\b|\bthereby\b|\bhereby\b|\bwherein\b|\bwhereof\b|\bhitherto\b/i,
    "of it, so, in which",
  ],
  [/\bless its\b/i, "without its"],
  [/\bline end\b/i, "newline"],
  [/\bthe wall'?s\b|\bwall's clock\b/i, "the system clock"],
  [/\bby hand made\b|\bof above\b/i, "made by hand, above"],
  [
    /\bsteers? no\b|(?<!there )\bis no (?:path|frame|id|member|list|object|number)\b/i,
    "is not a …",
  ],
  [/\bfor ever\b/i, "forever"],
  [/\bwhat is not sent\b/i, "omitted fields"],
  [/\bin the course of\b/i, "during"],
  [
    /\bcolour|behaviour|honour|recognis|serialis|normalis|organis(?!ationId)|authoris/i,
    "American spelling",
  ],
  [/\bNothing is known (?:as|of)\b/i, "not found"],
  [/\bamong those present\b/i, "that exist"],
  [/\bas said\b|\bas it were\b|\bso many\b/i, "(leave out), N"],
  [/\bnot any more\b|\bno more than\b/i, "no longer, at most"],
  // Words that we coined where the field has one.
  [/\bgo(?:es|ing)? on\b(?! (?:the|its|a) )|\bwent on\b/i, "continue"],
  [/\banew\b/i, "again"],
  [/\bin (?:its|their) place\b/i, "instead"],
  [/\bdeeds?\b/i, "action"],
  [/\bgreetings?\b|\bunheard\b/i, "snapshot event, initial"],
  [/\bstand-ins?\b/i, "placeholder"],
  [/\brehears/i, "dry run"],
  [/\bcascades?\b/i, "timer chain"],
  [/\bkept points?\b/i, "restore point"],
  [/\bbe it\b|\balbeit\b|\blest\b|\bupon\b|\bwhilst\b/i, "plain conjunctions"],
];

const MAX_WORDS = 25;

const sentencesOf = (text: string) =>
  text
    .replace(/^@\w+.*$/gm, (tag) => tag.replace(/^@\w+\s*/, ". "))
    .replace(/`[^`]*`/g, "code")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\((?:spec|decisions|guide)\/[^)]*\)/g, "")
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?:;])["')]?\s+/);

const wordsOf = (sentence: string) => sentence.split(" ").filter((word) => /[A-Za-z]/.test(word));

/** Complaints about the words of a text; none for plain English. */
export const complaintsAboutText = (text: string): string[] => {
  const words = text.replace(/`[^`]*`/g, "code").replace(/\]\([^)]*\)/g, "]");
  return WORDS_TO_AVOID.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(words) ?? [];
    return found === undefined ? [] : [`says "${found}": write ${instead}`];
  });
};

/** Complaints about a comment: its words, its opener and the length of its sentences. */
export const complaintsAbout = ({ text, isDocstring }: Passage): string[] => {
  const opener = isDocstring && !isPredicate(text) ? CLAUSE.exec(text)?.[1] : undefined;
  return [
    ...(opener === undefined ? [] : [`opens with "${opener}": open with a verb or a noun`]),
    ...complaintsAboutText(text),
    ...sentencesOf(text)
      .map((sentence) => ({ sentence, count: wordsOf(sentence).length }))
      .filter(({ count }) => count > MAX_WORDS)
      .map(({ sentence, count }) => `a sentence of ${count} words: ${sentence.slice(0, 60)}…`),
  ];
};
