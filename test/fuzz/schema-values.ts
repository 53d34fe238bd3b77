import fc from "fast-check";
import type { Chance } from "../simulation/setup/chance.ts";
import { type FuzzedDocument, resolved, type Schema } from "./described-operations.ts";

/** Choices while a value of a schema is made. */
export interface Making {
  chance: Chance;
  document: FuzzedDocument;
  /** `edge` takes the shortest, longest, smallest and largest values that a schema allows. */
  at: "usual" | "edge";
  /** A known text for a member, such as the id of a record. */
  known(member: string): string | undefined;
}

/** Longest text that is made where a schema has no limit. */
const LONG = 300;
const DEEPEST = 8;

const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value : []);

/** Texts of each pattern, drawn once: to draw one costs more than the request that it is for. */
const TEXTS_OF_A_PATTERN = 40;
const textsByPattern = new Map<string, readonly string[]>();

/** A text that matches a pattern; the same draw gives the same text. */
const textMatching = (pattern: string, chance: Chance): string => {
  const known = textsByPattern.get(pattern);
  if (known) return chance.pick(known);
  const texts = fc.stringMatching(new RegExp(pattern, "u"));
  textsByPattern.set(pattern, fc.sample(texts, { seed: 1, numRuns: TEXTS_OF_A_PATTERN }));
  return textMatching(pattern, chance);
};

const FORMATS: Record<string, readonly string[]> = {
  "date-time": ["2026-01-05T09:00:00Z", "2026-03-11T00:00:00.001Z", "2026-01-05T10:00:00+01:00"],
  date: ["1991-11-02", "2024-02-29", "1900-01-01"],
  email: ["lena@shop.example", "a+b@x.co"],
  // Nothing beyond this machine may be called.
  uri: ["https://127.0.0.1:9/done", "http://127.0.0.1:9/hooks"],
};

const WORDS = [
  "Lena Ortiz",
  "x",
  "Ünïcødé ✓",
  "漢字",
  "a b  c",
  "0",
  "Rent",
  "$",
  "𝒳",
  "O'Neil; --",
];

const boundedText = (schema: Schema, making: Making): string => {
  const { chance, at } = making;
  const { minLength = 0, maxLength } = schema as { minLength?: number; maxLength?: number };
  const longest = maxLength ?? LONG;
  if (at === "edge") return "é".repeat(chance.pick([minLength, longest]));
  const word = chance.pick(WORDS).slice(0, longest);
  return word.padEnd(minLength, "a");
};

const textOf = (schema: Schema, making: Making): string => {
  const { format, pattern, maxLength = Number.POSITIVE_INFINITY } = schema;
  const formatted = FORMATS[String(format)];
  if (formatted) return making.chance.pick(formatted);
  if (typeof pattern !== "string") return boundedText(schema, making);
  return textMatching(pattern, making.chance).slice(0, maxLength as number);
};

const numberOf = (schema: Schema, { chance, at }: Making): number => {
  const { minimum, maximum, exclusiveMinimum, type } = schema as Record<string, number | undefined>;
  const lowest = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const highest = maximum ?? Number.MAX_SAFE_INTEGER;
  if (at === "edge") return chance.pick([lowest, highest, Math.min(highest, lowest + 1)]);
  const span = Math.min(highest - lowest, 100_000);
  const whole = lowest + chance.below(span + 1);
  return `${type}` === "number" && chance.oneIn(2) ? Math.min(highest, whole + 0.5) : whole;
};

const arrayOf = (schema: Schema, making: Making, depth: number): unknown[] => {
  const { chance, at } = making;
  const { minItems = 0, maxItems = 5 } = schema as { minItems?: number; maxItems?: number };
  const most = Math.min(maxItems, Math.max(minItems, at === "edge" ? 20 : 3));
  const length = at === "edge" ? chance.pick([minItems, most]) : Math.max(minItems, 1);
  const items = (schema.items ?? {}) as Schema;
  return Array.from({ length }, () => valueFor(items, making, { depth }));
};

const objectOf = (schema: Schema, making: Making, depth: number): Record<string, unknown> => {
  const { chance } = making;
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = new Set((schema.required ?? []) as string[]);
  const taken = Object.entries(properties).filter(
    ([name]) => required.has(name) || chance.below(10) < 6,
  );
  return Object.fromEntries(
    taken.map(([name, one]) => [name, valueFor(one, making, { member: name, depth })]),
  );
};

const kindOf = ({ type, properties }: Schema): string => {
  if (Array.isArray(type)) return String(type[0]);
  return type === undefined && properties ? "object" : String(type);
};

/** Makes a value that a schema allows. */
export const valueFor = (
  given: Schema,
  making: Making,
  { member, depth = 0 }: { member?: string; depth?: number } = {},
): unknown => {
  const schema = resolved(given, making.document);
  const { chance } = making;
  if (depth > DEEPEST) return null;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return chance.pick(schema.enum);
  const branches = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  if (branches.length > 0)
    return valueFor(chance.pick(branches), making, { ...(member && { member }), depth: depth + 1 });
  const kind = kindOf(schema);
  const known = member === undefined || kind !== "string" ? undefined : making.known(member);
  if (known !== undefined && !chance.oneIn(10)) return known;
  const makers: Record<string, () => unknown> = {
    string: () => textOf(schema, making),
    integer: () => numberOf(schema, making),
    number: () => numberOf(schema, making),
    boolean: () => chance.oneIn(2),
    array: () => arrayOf(schema, making, depth + 1),
    object: () => objectOf(schema, making, depth + 1),
    null: () => null,
  };
  return makers[kind]?.() ?? chance.pick<unknown>([null, 1, "x", { a: [1] }]);
};

/**
 * Changes a valid body in places where any value of the schema does: leaves out optional members,
 * and rewrites texts that name nothing.
 */
export const variedBody = (body: unknown, given: Schema, making: Making): unknown => {
  const schema = resolved(given, making.document);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = new Set((schema.required ?? []) as string[]);
  const isKnown = Object.keys(properties).length > 0;
  const kept = Object.entries(body).filter(
    ([name]) => !isKnown || required.has(name) || !making.chance.oneIn(6),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const one = properties[name];
      if (!one) return [name, value];
      const free = resolved(one, making.document);
      const isFree = free.type === "string" && !("pattern" in free) && "maxLength" in free;
      if (isFree && making.chance.oneIn(3)) return [name, boundedText(free, making)];
      return [name, variedBody(value, one, making)];
    }),
  );
};
