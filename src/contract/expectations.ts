import type * as z from "zod";
import { choiceOf, namesOf } from "./choices.ts";
import { patternWords } from "./core/pattern-words.ts";

type Issue = z.core.$ZodIssue;
type Code = Issue["code"];
type IssueOf<One extends Code> = Extract<Issue, { code: One }>;

const article = (noun: string) => (/^[aeio]/i.test(noun) ? `an ${noun}` : `a ${noun}`);

/** Nouns for types in a schema; other types keep their own name. */
const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  never: "nothing",
  nonoptional: "a value",
  null: "null",
  record: "an object",
  tuple: "an array",
  undefined: "nothing",
  void: "nothing",
};

/** Phrases for the formats of a text. */
const FORMATS: Readonly<Record<z.core.$ZodStringFormats, string>> = {
  base64: "text in base64",
  base64url: "text in base64url",
  cidrv4: "an IPv4 range like 10.0.0.0/8",
  cidrv6: "an IPv6 range like fd00::/8",
  credit_card: "a card number",
  cuid: "a CUID",
  cuid2: "a CUID2",
  date: "a date like 1990-01-31",
  datetime: "an instant with its offset, like 2026-01-05T09:00:00Z",
  duration: "an ISO 8601 duration like PT6M",
  e164: "a telephone number like +15551234567",
  email: "an e-mail address like lena@example.com",
  emoji: "an emoji",
  ends_with: "text with another ending",
  guid: "a GUID",
  iban: "an IBAN",
  includes: "text that contains another part",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  json_string: "text that is JSON",
  jwt: "a JWT",
  ksuid: "a KSUID",
  lowercase: "text in lower case",
  nanoid: "a nanoid",
  regex: "text in another format",
  starts_with: "text with another beginning",
  time: "a time like 09:00:00",
  ulid: "a ULID",
  uppercase: "text in upper case",
  url: "a URL with its scheme, like https://example.com/logo.png",
  uuid: "a UUID like 019b8d62-7a80-7000-8000-1a6379edde34",
  xid: "an XID",
};

/** Units for sizes; other kinds are compared by value. */
const UNITS: Readonly<Record<string, string>> = {
  array: "item",
  file: "byte",
  map: "entry",
  set: "item",
  string: "character",
};

const sizeOf = (origin: string, words: string, limit: number | bigint) => {
  const unit = UNITS[origin];
  if (unit === undefined) return `a number of ${words} ${limit}`;
  const plural = unit === "entry" ? "entries" : `${unit}s`;
  return `${words} ${limit} ${limit === 1 || limit === 1n ? unit : plural}`;
};

const boundOf = (
  { exact, inclusive }: { exact?: boolean | undefined; inclusive?: boolean | undefined },
  words: { inclusive: string; exclusive: string },
) => {
  if (exact) return "exactly";
  return inclusive === false ? words.exclusive : words.inclusive;
};

const formatOf = (issue: IssueOf<"invalid_format">) => {
  const { format, pattern, prefix, suffix, includes } = issue as { format: string } & Partial<
    Record<"pattern" | "prefix" | "suffix" | "includes", string>
  >;
  if (prefix !== undefined) return `text that begins with ${JSON.stringify(prefix)}`;
  if (suffix !== undefined) return `text that ends with ${JSON.stringify(suffix)}`;
  if (includes !== undefined) return `text with ${JSON.stringify(includes)} in it`;
  if (format === "regex" && pattern !== undefined) return patternWords(pattern) ?? FORMATS.regex;
  return (FORMATS as Record<string, string>)[format] ?? `text in the form ${format}`;
};

/** The part of an issue's message after "Expected ". */
const phraseIn = (issue: Issue | undefined) => (issue?.message ?? "").replace(/^Expected /, "");

/** Phrase for a union that nothing matches: each shape in words, or all of them by type. */
const unionOf = (issue: IssueOf<"invalid_union">) => {
  if (issue.inclusive === false) return "a value of exactly one type";
  if (issue.options) return choiceOf(issue.options, memberAt(issue.input, issue.discriminator));
  const firsts = issue.errors.map(([first]) => phraseIn(first)).filter((phrase) => phrase !== "");
  return [...new Set(firsts)].join(", or ") || "another value";
};

const memberAt = (value: unknown, name: string | undefined) =>
  typeof value === "object" && value !== null && name !== undefined && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Member names that a shape allows, as far as the shape tells. */
const knownNames = (issue: object): string[] => {
  const { inst } = issue as { inst?: { _zod: { def: { shape?: object } } } };
  return Object.keys(inst?._zod.def.shape ?? {});
};

/** One row for each code that the library reports: the expectation, in our words. */
const EXPECTATIONS: { readonly [One in Code]: (issue: IssueOf<One>) => string } = {
  custom: () => "another value",
  invalid_element: ({ issues }) => phraseIn(issues[0]) || "other elements",
  invalid_format: formatOf,
  invalid_key: ({ issues }) => phraseIn(issues[0]) || "another name",
  invalid_type: ({ expected }) => TYPES[expected] ?? article(expected),
  invalid_union: unionOf,
  invalid_value: ({ values, input }) => choiceOf(values, input),
  not_multiple_of: ({ divisor }) => `a multiple of ${divisor}`,
  too_big: (issue) =>
    sizeOf(
      issue.origin,
      boundOf(issue, { inclusive: "at most", exclusive: "less than" }),
      issue.maximum,
    ),
  too_small: (issue) =>
    sizeOf(
      issue.origin,
      boundOf(issue, { inclusive: "at least", exclusive: "more than" }),
      issue.minimum,
    ),
  unrecognized_keys: (issue) => {
    const names = knownNames(issue);
    return names.length > 0 ? namesOf(names, issue.keys[0]) : "a known name";
  },
};

/** The codes that have a row. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(EXPECTATIONS);
/** The text formats that have a phrase. */
export const EXPLAINED_FORMATS: readonly string[] = Object.keys(FORMATS);

/**
 * Parse options that begin every message with "Expected " and continue in our words. Messages of a
 * shape's own stay.
 */
export const IN_OUR_WORDS = {
  error: (issue: z.core.$ZodRawIssue): string => {
    const row = EXPECTATIONS[issue.code as Code] as ((issue: Issue) => string) | undefined;
    return `Expected ${row?.(issue as unknown as Issue) ?? "another value"}`;
  },
};
