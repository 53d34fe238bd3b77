import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import { defined } from "../../contract/core/defined.ts";
import { withoutPasswords } from "../../contract/core/endpoint-address.ts";
import type { ErrorBody } from "../../contract/core/errors.ts";
import { REASON_SPELLINGS, REFUSALS, type RefusalWord } from "../../contract/refusals.ts";

export type RefusalDetails = Record<string, unknown>;

/** Sentences that replace those of the refusal's table, where a more precise one is known. */
export interface RefusalWords {
  says?: string;
  /** The next step for the caller. */
  next?: string;
}

/** A documented error: nothing changed, and the caller gets the cause and the next step. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly word: RefusalWord;
  readonly details: RefusalDetails;
  readonly sentence: string | undefined;
  /** The next step, where a closer one than the table's is known. */
  next: string | undefined;
  /** Details published beside the message (spec/errors.md#details). */
  published: RefusalDetails;
  /** The rows of the sandbox's tables that decided it (spec/sandbox.md#rule-header). */
  rules: readonly string[] = [];
  /** Id of what set the row that refused, where a tester set it; the refusal uses it up. */
  setBy: string | undefined;

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
 * Ends a rule with a documented error; the whole draft is dropped.
 * @param details values for the table's sentence and for the caller: field, value, bounds
 * @param words replace the table's sentences; a plain text replaces the first one
 */
export const refuse = (
  word: RefusalWord,
  details: RefusalDetails = {},
  words?: string | RefusalWords,
): never => {
  throw new Refusal(word, details, words);
};

/** A documented error that a row of the sandbox's tables decided. */
export const refusalByRule = (
  rule: string,
  ...of: ConstructorParameters<typeof Refusal>
): Refusal => Object.assign(new Refusal(...of), { rules: [rule] });

/** Ends a rule with a documented error that a row of the sandbox's tables decided. */
export const refuseByRule = (rule: string, ...of: ConstructorParameters<typeof Refusal>): never => {
  throw refusalByRule(rule, ...of);
};

const LONGEST_SHOWN = 200;

/** A value inside a sentence: long ones are cut, invisible ones quoted. */
const shown = (value: unknown) => {
  const text = String(value);
  if (text.trim() === "") return JSON.stringify(text.slice(0, LONGEST_SHOWN));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
};

/** Fills the places of a template. Names without a detail keep their braces, as in a path. */
const filled = (template: string, details: RefusalDetails) =>
  template.replace(/\{(\w+)\}/g, (braced, name: string) => shown(details[name] ?? braced));

/**
 * Makes a caller's text safe for terminals and logs: it must not break lines, hide text, or reorder
 * the text beside it (Unicode UAX #9), nor show the password of an address.
 */
const onOneLine = (text: string) =>
  withoutPasswords(text).replace(
    /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * The problem and the caller's next step (spec/errors.md#messages).
 * @param mode crypto mode of the world; steps name only proofs that this mode accepts
 */
export const sentencesOf = (refusal: Refusal, mode: CryptoMode = "both") => {
  const { word, details, sentence, next: own } = refusal;
  const { says, next } = REFUSALS[word];
  return {
    says: onOneLine(sentence ?? filled(says, details)),
    next: onOneLine(own ?? filled(typeof next === "string" ? next : next[mode], details)),
  };
};

/** The `reason` published beside a code; `undefined` if the code is enough. */
const publishedReason = (word: RefusalWord) => {
  if (word === REFUSALS[word].code) return undefined;
  return Object.hasOwn(REASON_SPELLINGS, word) ? REASON_SPELLINGS[word] : word;
};

/** The most precise word of a refusal: its reason, else its code. */
export const reasonOf = ({ word }: Refusal): string => publishedReason(word) ?? REFUSALS[word].code;

/** Details without the passwords of addresses (spec/webhooks.md#endpoint-passwords). */
const shownDetails = (details: RefusalDetails): RefusalDetails =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === "string" ? withoutPasswords(value) : value,
    ]),
  );

/** The published body of a refusal (spec/errors.md#body). */
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
    ...defined({ reason }),
    ...((reason !== undefined || Object.keys(details).length > 0) && {
      details: { ...shownDetails(details), ...defined({ reason }) },
    }),
  };
};
