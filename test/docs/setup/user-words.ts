import { complaintsAboutText } from "./prose.ts";

/**
 * Words and phrases that a colleague would not say, each with what to write instead. For texts that
 * people see in commands, screen, console, errors and summaries; comments and pages have a table of
 * their own (./prose.ts).
 */
export const USER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bledger is (?:zero|off)\b|\bsums? to zero(?: in|:)/i, "ledger balanced, not balanced"],
  [/^in all$/i, "net change"],
  [/^sets$/i, "starts timer"],
  [/\bend otherwise\b/i, "try another outcome"],
  [/^(?:the )?next one(?: takes.*)?$/i, "use for next payment"],
  [/\bbelongs? together\b/i, "related"],
  [/\bas the (?:platform|feed) (?:shows|tells) (?:it|them)\b/i, "API response"],
  [/\b(?:may be|when) left out\b/i, "optional, if omitted"],
  [/^leave it(?: waiting)?$/i, "cancel"],
  [/\b(?:the|a) starting (?:one|world)\b/i, "default world"],
  [/\bpresent (?:state|one|instant|world)\b/i, "current"],
  [/\bstanding still\b/i, "frozen"],
  [
    /\b(?:webhooks|events|it|which) (?:is|are|was|were|are then) collected\b|\bcollected, (?:no|not|never)\b/i,
    "not sent, no endpoint",
  ],
  [/\bundeliverable\b/, "not sent, no endpoint"],
  [/\(wall\)|\bwall (?:time|clock)\b/i, "your computer's clock"],
  [/\bin place of\b/i, "instead of"],
  [/\balone\b/i, "only"],
  [/\bnone is\b|\b(?:that|which) is none\b|\bof none\b/i, "not …"],
  [/\bof which\b/i, "two sentences"],
  [/(?<!there )\bis no (?!longer\b|more\b)\w+|\bit has no end\b/i, "is not a …"],
  [/\btells? (?:of|what|that|how)\b|\btold by\b/i, "show, report, say"],
  [/\b(?:its|since) birth\b/i, "when created"],
  [/\b(?:is|are|as) meant\b|\bmeant differences\b/i, "expected"],
  [/\brightly\b/i, "correctly"],
  [/\bwhat (?:came|comes) of\b/i, "result"],
  [/\btakes? (?:it|them|this) in\b|\btake(?:n)? (?:it |this |these )?back\b/i, "add, undo"],
  [/\bputs? (?:one|it|them) back\b/i, "restore"],
  [/\bhand(?:s|ed)? on\b|\bpass(?:es|ed)? on (?!the)/i, "forward, pass to"],
  [/\bstr(?:uck|ikes?)\b/i, "fault changed it, affected"],
  [/\bfits? (?:the|no|a|its|payloadToSign)\b/i, "match"],
  [/\bbookkeeping\b/i, "internal changes"],
  [/\bthose (?:there|that there) are\b/i, "existing"],
  [
    /\bnames? (?:them all|those|no (?:account|customer|lookup|path)s?)\b/i,
    "list, is not the id of",
  ],
  [/\bbeside the\b/i, "next to, in addition to"],
  [/\bby hand made\b|\bas (?:yet|from now)\b/i, "(leave out)"],
  [/\bnobody (?:knows|took|took them)\b/i, "unknown, not accepted"],
  [/\bwrite(?:s)? down\b|\bwritten down\b/i, "record, save"],
  [/\bof the package\b/i, "bundled"],
  [/\bthings go\b/i, "outcome"],
];

const MAX_WORDS = 25;

/** Code, markup and tables of numbers are no sentences. */
const isProse = (text: string) => !/[<{#;]\S|\\|\$\(|&&|[a-z]=/.test(text);

const sentencesOf = (text: string) => text.split(/(?<=[.!?:;])["')]?\s+/);

const wordsIn = (sentence: string) =>
  sentence.split(" ").filter((word) => /^["'(]?[A-Za-z][a-z’'-]+[^\w+]*$/.test(word));

/** Complaints about a text that people see, each with what to write; none for plain words. */
export const complaintsAboutUserText = (text: string): string[] => [
  ...complaintsAboutText(text),
  ...USER_WORDS.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`says "${found}": write ${instead}`];
  }),
  ...(isProse(text) ? sentencesOf(text) : [])
    .filter((sentence) => wordsIn(sentence).length > MAX_WORDS)
    .map((sentence) => `a long sentence, ${sentence.slice(0, 60)}…: write two sentences`),
];
