import { shownValue } from "../../contract/core/shown-value.ts";

const SPACE = /[ \t\n\r]*/y;
/** A text up to its closing quote, or up to the first character that cannot be in it. */
const IN_TEXT = /[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const WORD_LIKE = /[A-Za-z_$][\w$]*/y;

const LONGEST_FOUND = 20;

/** Raised at the first character that does not fit. */
class Misfit extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

/** Walks a text as RFC 8259 has it; nothing is built. */
class Walk {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document() {
    this.value();
    this.space();
    if (this.at < this.text.length) this.miss("the end of the text");
  }

  private value() {
    this.space();
    const next = this.text[this.at];
    if (next === '"') this.string();
    else if (next === "{") this.list("}", () => this.member());
    else if (next === "[") this.list("]", () => this.value());
    else if (!this.takes(NUMBER) && !this.takes(WORD)) this.miss("a value");
  }

  private member() {
    this.space();
    if (this.text[this.at] !== '"') this.miss("a member's name in double quotes");
    this.string();
    this.space();
    if (this.text[this.at] !== ":") this.miss('a ":"');
    this.at += 1;
    this.value();
  }

  /** Walks an object or an array, behind whose last comma an item has to follow. */
  private list(end: "}" | "]", item: () => void) {
    this.at += 1;
    this.space();
    if (this.text[this.at] !== end) item();
    for (;;) {
      this.space();
      const next = this.text[this.at];
      if (next !== "," && next !== end) this.miss(`a "," or a "${end}"`);
      this.at += 1;
      if (next === end) return;
      item();
    }
  }

  private string() {
    this.at += 1;
    this.takes(IN_TEXT);
    const next = this.text[this.at];
    if (next === "\\") this.miss("a known escape");
    if (next !== '"') this.miss("the closing quote of a text");
    this.at += 1;
  }

  private space() {
    this.takes(SPACE);
  }

  private takes(token: RegExp) {
    token.lastIndex = this.at;
    if (!token.test(this.text)) return false;
    this.at = token.lastIndex;
    return true;
  }

  private miss(expected: string): never {
    throw new Misfit(this.at, expected);
  }
}

const foundAt = (text: string, at: number) => {
  if (at >= text.length) return "the end of the text";
  WORD_LIKE.lastIndex = at;
  const [word = ""] = WORD_LIKE.exec(text) ?? [];
  if (word !== "" && word.length <= LONGEST_FOUND) return shownValue(word);
  return shownValue(String.fromCodePoint(text.codePointAt(at) ?? 0));
};

/** `line 2, column 7`; both count from 1. */
const placeOf = (text: string, at: number) => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
};

/**
 * Says where a text stops being JSON (RFC 8259), in the same words on every Node.js; nothing when
 * it is JSON. The caller has checked the depth of its nesting.
 */
export const jsonProblem = (text: string): string | undefined => {
  try {
    new Walk(text).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const { at, expected } = error;
    return `expected ${expected} at ${placeOf(text, at)} but found ${foundAt(text, at)}`;
  }
};
