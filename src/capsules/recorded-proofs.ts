import { isUtf8 } from "node:buffer";
import { isCodeChoice } from "../contract/core/code-choices.ts";
import type { FindFact } from "../domain/core/facts.ts";
import { typeLength } from "../domain/customers/document-files.ts";
import { JSON_TOKENS } from "../http/log/redaction.ts";
import { FactNotes, type NotedFact } from "../worlds/fact-notes.ts";
import { isCodeName, isProofName } from "./proof-names.ts";
import { type Redactions, SHORTEST_SECRET } from "./redactions.ts";

/** A string or number in JSON text, and the name of the member that holds it. */
interface Scalar {
  name: string;
  /** As it is written. */
  token: string;
}

const textOf = (token: string): string => {
  try {
    return JSON.parse(token);
  } catch {
    return token.replace(/^"|"$/g, "");
  }
};

interface Level {
  isList: boolean;
  /** Name of the member whose value comes; empty where a name comes. */
  name: string;
}

/**
 * JSON text with some of its strings and numbers written again, and each other character as it was.
 * The text may be cut off.
 * @param written the new token, or nothing to leave it
 */
const rewriteScalars = (text: string, written: (scalar: Scalar) => string | undefined): string => {
  const levels: Level[] = [{ isList: false, name: "" }];
  let last = "";
  const rewritten: string[] = [];
  for (const [token] of text.matchAll(JSON_TOKENS)) {
    const level = levels.at(-1) as Level;
    let shown = token;
    if (token === "{") levels.push({ isList: false, name: "" });
    else if (token === "[") levels.push({ isList: true, name: level.name });
    else if (token === "}" || token === "]") {
      if (levels.length > 1) levels.pop();
    } else if (token === ":") level.name = textOf(last);
    else if (token === ",") level.name = level.isList ? level.name : "";
    else if (level.name !== "" && token.trim() !== "") {
      const bare = token.trim();
      shown = token.replace(bare, () => written({ name: level.name, token: bare }) ?? bare);
    } else if (token.startsWith('"')) last = token;
    rewritten.push(shown);
  }
  return rewritten.join("");
};

const LINE = "\r\n";
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i;
/** A part with a file; its name stays, since its ending decides (spec/documents.md#file-name-endings). */
const IS_FILE = /;\s*filename\*?=/i;

/** A file without its bytes; its first ones tell the type (spec/documents.md#file-type). */
const placeholder = (file: Buffer, bytesFor: (bytes: Uint8Array) => Buffer): Buffer => {
  const known = typeLength(file);
  return Buffer.concat([file.subarray(0, known), bytesFor(file.subarray(known))]);
};

/**
 * A form (RFC 7578) with other bytes in place of its files. What cannot be read as a form is
 * replaced as a whole.
 */
const withoutFiles = (
  form: Buffer,
  contentType: string,
  bytesFor: (bytes: Uint8Array) => Buffer,
): Buffer => {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? bare ?? ""}`;
  const first = delimiter === "--" ? -1 : form.indexOf(delimiter);
  if (first < 0) return bytesFor(form);
  const shown: Buffer[] = [form.subarray(0, first)];
  for (let at = first; at < form.length; ) {
    const next = form.indexOf(LINE + delimiter, at + delimiter.length);
    const end = next < 0 ? form.length : next;
    const head = form.indexOf(LINE + LINE, at);
    const from = head < 0 || head > end ? end : head + LINE.length * 2;
    const isFile = IS_FILE.test(form.subarray(at, from).toString("latin1"));
    shown.push(form.subarray(at, from));
    const content = form.subarray(from, end);
    shown.push(isFile ? placeholder(content, bytesFor) : content);
    if (next >= 0) shown.push(form.subarray(next, next + LINE.length));
    at = next < 0 ? form.length : next + LINE.length;
  }
  return Buffer.concat(shown);
};

const CONTROL = /^\/_sim(\/|$)/;
const CODE_CHOICE = /^\/_sim\/inbox\/codes\/?$/;
const DOCUMENTS = /\/documents(\/[^/]*)?\/?$/;
const SIGNATURE_HEADER = "service-wallet-signature";

/** Depth of JSON within JSON: a text to sign is one string of a reply. */
const DEPTHS = 2;

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** Whether a text is a code that somebody chose, and no way to make codes. */
export const isChosenCode = (text: unknown): text is string =>
  isCodeChoice(text) && /^[0-9]/.test(text);

/** The whole number or string that a token of JSON writes. */
const valueIn = (token: string): string | undefined => {
  if (/^[0-9]+$/.test(token)) return token;
  if (!token.startsWith('"')) return undefined;
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1);
  }
};

/** A text with another token in place of one; names of members and longer words stay. */
const replaced = (text: string, token: string, other: string) => {
  const isNumber = /^[0-9]/.test(token);
  const isWhole = (at: number) => {
    const [before = "", after = ""] = [text[at - 1], text[at + token.length]];
    return isNumber ? !/\w/.test(before + after) : after !== ":";
  };
  return text.replaceAll(token, (match, at: number) => (isWhole(at) ? other : match));
};

/** Parts of a request by which its body is read. */
interface AskedOf {
  url: string;
  headers: { get(name: string): string | null | undefined };
}

/**
 * One request while it is recorded: the facts that its checks found, and placeholders for proofs in
 * its body, its headers and its reply (spec/capsules.md#facts).
 */
export class RecordedProofs {
  private readonly redactions: Redactions;
  private readonly notes = new FactNotes();
  /** Tokens of JSON, each with the one of its placeholder. */
  private readonly tokens = new Map<string, string>();
  private readonly path: string;
  private readonly type: string;
  private kept: Buffer | { text: string; encoding: "utf8" | "latin1" } = Buffer.alloc(0);

  constructor({ url, headers }: AskedOf, redactions: Redactions) {
    this.redactions = redactions;
    this.path = new URL(url).pathname;
    this.type = headers.get("content-type") ?? "application/json";
  }

  readonly find: FindFact = (of, check) => this.notes.find(of, check);

  get facts(): readonly NotedFact[] {
    return this.notes.facts;
  }

  /** Takes the body, before anything is made of it. */
  take(bytes: Buffer) {
    const bytesFor = (file: Uint8Array) => this.redactions.bytesFor(file);
    if (/json/i.test(this.type)) {
      // Bytes that are no text are refused for that, and have to stay as they are.
      const encoding = isUtf8(bytes) ? "utf8" : "latin1";
      const text = bytes.toString(encoding);
      this.redactions.takeJson(text);
      this.kept = { text: this.withoutProofs(text), encoding };
    } else if (/^\s*multipart\//i.test(this.type))
      this.kept = DOCUMENTS.test(this.path) ? withoutFiles(bytes, this.type, bytesFor) : bytes;
    // No operation reads a body of another type.
    else this.kept = bytesFor(bytes);
  }

  /** The body without proofs and other secrets. */
  get body(): Buffer {
    const { kept } = this;
    return Buffer.isBuffer(kept)
      ? kept
      : Buffer.from(this.redactions.hidden(kept.text), kept.encoding);
  }

  /** The value of a header, without its proof. */
  header(name: string, value: string): string {
    const isProof = name === SIGNATURE_HEADER && value.length >= SHORTEST_SECRET;
    return isProof ? this.redactions.placeholder(value) : value;
  }

  /** A reply without the proofs of the body, which it may repeat. */
  reply(text: string): string {
    let shown = text;
    for (let [token, other] of this.tokens)
      for (let depth = 0; depth <= DEPTHS; depth += 1) {
        if (shown.includes(token)) shown = replaced(shown, token, other);
        [token, other] = [escaped(token), escaped(other)];
      }
    return shown;
  }

  private withoutProofs(text: string) {
    return rewriteScalars(text, (scalar) => {
      const value = this.isProof(scalar) ? valueIn(scalar.token) : undefined;
      return value === undefined ? undefined : this.written(scalar.token, value);
    });
  }

  private isProof({ name, token }: Scalar) {
    const value = valueIn(token) ?? "";
    if (CONTROL.test(this.path))
      return CODE_CHOICE.test(this.path) && name === "codes" && isChosenCode(value);
    return isCodeName(name) || (isProofName(name) && value.length >= SHORTEST_SECRET);
  }

  private written(token: string, value: string): string {
    const other = this.redactions.placeholder(value);
    if (token.startsWith('"')) {
      this.tokens.set(JSON.stringify(value), JSON.stringify(other));
      return JSON.stringify(other);
    }
    // A number begins with no zero.
    const number = other.replace(/^0(?=.)/, "1");
    this.tokens.set(token, number);
    return number;
  }
}
