import * as z from "zod";
import type { RefusalWord } from "../contract/refusals.ts";
import { refuse } from "../domain/refusal.ts";

type Issue = z.core.$ZodIssue;

/** Ill-formed fields are answered before unusable amounts (decisions, order of checks). */
const SHAPE_REFUSALS = [
  "INVALID_INPUT",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const satisfies RefusalWord[];

const wordOf = (issue: Issue) => {
  const wanted = issue.code === "custom" ? issue.params?.refusal : undefined;
  return SHAPE_REFUSALS.find((word) => word === wanted) ?? "INVALID_INPUT";
};

const rank = (issue: Issue) => SHAPE_REFUSALS.indexOf(wordOf(issue));

const nameOf = (value: unknown) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  return typeof value === "object" ? "an object" : String(value);
};

const valueAt = (root: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    root,
  );

const expectationOf = (issue: Issue): string | undefined => {
  if (issue.code === "invalid_type") return `to be ${article(issue.expected)}`;
  if (issue.code === "invalid_value") return `to be one of ${issue.values.join(", ")}`;
  return undefined;
};

const article = (noun: string) => (/^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`);

const sentenceOf = (issue: Issue, field: string, found: unknown) => {
  const expectation = expectationOf(issue);
  if (expectation) return `Expected ${field} ${expectation} but found ${nameOf(found)}`;
  return `${field}: ${issue.message}, found ${nameOf(found)}`;
};

const shortValue = (value: unknown) =>
  ["string", "number", "boolean"].includes(typeof value) && String(value).length <= 120
    ? { value }
    : {};

/**
 * A value in the shape of a schema, unknown members dropped.
 * Refuses with the first thing wrong, naming its field (contract decisions, Errors).
 */
export const inShape = (schema: z.ZodType, value: unknown, whole: string): unknown => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues.toSorted((a, b) => rank(a) - rank(b));
  if (!issue) return refuse("INVALID_INPUT");
  const found = valueAt(value, issue.path);
  const field = issue.path.length > 0 ? issue.path.join(".") : whole;
  return refuse(wordOf(issue), { field, ...shortValue(found) }, sentenceOf(issue, field, found));
};

const AS_LISTS = new Set<string>(["destinationCurrency"]);

const queryObjects = new WeakMap<object, z.ZodType>();

/** One object per endpoint: zod compiles it at its first use. */
const queryObject = (shape: Record<string, z.ZodType>) => {
  const object = queryObjects.get(shape) ?? z.object(shape);
  queryObjects.set(shape, object);
  return object;
};

/**
 * The query of a request in the shape of an endpoint. A parameter given twice is refused, an
 * unknown one ignored (decisions, Lists).
 */
export const queryInShape = (shape: Record<string, z.ZodType>, search: URLSearchParams) => {
  const names = Object.keys(shape);
  if (names.length === 0) return {};
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const given = search.getAll(name);
    if (given.length > 1 && !AS_LISTS.has(name))
      refuse(
        "INVALID_INPUT",
        { field: name },
        `Expected ${name} once but found it ${given.length} times`,
      );
    if (given.length > 0)
      values[name] = AS_LISTS.has(name) ? given.flatMap((one) => one.split(",")) : given[0];
  }
  return inShape(queryObject(shape), values, "query") as Record<string, unknown>;
};
