import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import type { ErrorBody } from "../../contract/core/errors.ts";
import { REASON_SPELLINGS, REFUSALS, type RefusalWord } from "../../contract/refusals.ts";

export type RefusalDetails = Record<string, unknown>;

/** Sentences in place of those of the refusal's table, where finer ones are known. */
export interface RefusalWords {
  says?: string;
  /** The next step for the caller. */
  next?: string;
}

/** A documented error: nothing happened, and the caller is told why and what to do next. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly word: RefusalWord;
  readonly details: RefusalDetails;
  readonly sentence: string | undefined;
  readonly next: string | undefined;
  /** Details published beside the sentence. */
  published: RefusalDetails;

  constructor(word: RefusalWord, details: RefusalDetails, words: string | RefusalWords = {}) {
    super(word);
    this.word = word;
    this.details = details;
    this.published = details;
    this.sentence = typeof words === "string" ? words : words.says;
    this.next = typeof words === "string" ? undefined : words.next;
  }
}

/**
 * Ends a rule with a documented error; its draft is dropped whole.
 * @param details what the sentence of the table and the caller need: field, value, bounds
 * @param words stand in for the table's sentences; a text alone says what is wrong
 */
export const refuse = (
  word: RefusalWord,
  details: RefusalDetails = {},
  words?: string | RefusalWords,
): never => {
  throw new Refusal(word, details, words);
};

const LONGEST_SHOWN = 200;

/** A value inside a sentence: cut when it is long, quoted when nothing could be seen of it. */
const shown = (value: unknown) => {
  const text = String(value);
  if (text.trim() === "") return JSON.stringify(text.slice(0, LONGEST_SHOWN));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
};

/** A name without a detail keeps its braces: in a path it stands for an id of the reader's own. */
const filled = (template: string, details: RefusalDetails) =>
  template.replace(/\{(\w+)\}/g, (braced, name: string) => shown(details[name] ?? braced));

/**
 * Messages end up on terminals and in logs: text of a caller must not break their lines, hide, or
 * change the order of what stands beside it.
 */
const onOneLine = (text: string) =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * What is wrong, and what the caller can do next.
 * @param mode of the world, whose next steps name no proof that it refuses
 */
export const sentencesOf = (refusal: Refusal, mode: CryptoMode = "both") => {
  const { word, details, sentence, next: own } = refusal;
  const { says, next } = REFUSALS[word];
  return {
    says: onOneLine(sentence ?? filled(says, details)),
    next: onOneLine(own ?? filled(typeof next === "string" ? next : next[mode], details)),
  };
};

/** The `reason` that is published beside a code; nothing where the code says it all. */
const publishedReason = (word: RefusalWord) => {
  if (word === REFUSALS[word].code) return undefined;
  return Object.hasOwn(REASON_SPELLINGS, word) ? REASON_SPELLINGS[word] : word;
};

/** The one word that tells a refusal: its reason, else its code. */
export const reasonOf = ({ word }: Refusal): string => publishedReason(word) ?? REFUSALS[word].code;

/** The published body of a refusal (contract decisions, Errors). */
export const errorBody = (refusal: Refusal, mode?: CryptoMode): ErrorBody => {
  const { word, published: details } = refusal;
  const { status, code } = REFUSALS[word];
  const reason = publishedReason(word);
  const { says, next } = sentencesOf(refusal, mode);
  const message = `${says}. ${next}`;
  return {
    status,
    code,
    message,
    ...(reason !== undefined && { reason }),
    ...((reason !== undefined || Object.keys(details).length > 0) && {
      details: { ...details, ...(reason !== undefined && { reason }) },
    }),
  };
};
