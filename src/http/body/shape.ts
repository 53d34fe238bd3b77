import * as z from "zod";
import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { judged } from "../../contract/judged.ts";
import type { RefusalWord } from "../../contract/refusals.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { shortValue } from "./sent-value.ts";

type Issue = z.core.$ZodIssue;

/** Ill-formed fields are answered before unusable amounts (spec/errors.md#order-of-checks). */
const SHAPE_REFUSALS = [
  "INVALID_INPUT",
  "INVALID_AMOUNT",
  "AMOUNT_OUT_OF_RANGE",
] as const satisfies RefusalWord[];

const wordOf = (issue: Issue) => {
  const wanted = issue.code === "custom" ? issue.params?.refusal : undefined;
  return SHAPE_REFUSALS.find((word) => word === wanted) ?? "INVALID_INPUT";
};

const boundOf = (issue: Issue) => {
  const max = issue.code === "custom" ? issue.params?.max : undefined;
  return max === undefined ? {} : { max };
};

/** The pattern that a text does not match, for programs; messages describe it in words. */
export const patternOf = (issue: Issue) => {
  if (issue.code === "custom" && typeof issue.params?.pattern === "string")
    return { pattern: issue.params.pattern };
  return issue.code === "invalid_format" && issue.format === "regex" && issue.pattern !== undefined
    ? { pattern: issue.pattern.replace(/^\/(.*)\/[a-z]*$/s, "$1") }
    : {};
};

const rank = (issue: Issue) => SHAPE_REFUSALS.indexOf(wordOf(issue));

/** A mismatch: its sentence, its place, and the value found there. */
export const findingOf = (issue: Issue, root: unknown) => {
  if (issue.code !== "unrecognized_keys") {
    const value = valueAt(root, issue.path);
    return { path: issue.path, at: issue.path, value, found: shownValue(value) };
  }
  const [name = ""] = issue.keys;
  const path = [...issue.path, name];
  const found = `the name ${shownValue(name)}`;
  return { path, at: issue.path, value: valueAt(root, path), found };
};

/** Says what was expected of a field, and what was found there. */
export const saysOf = (issue: Issue, value: unknown, whole: string) => {
  const { at, found } = findingOf(issue, value);
  return `${issue.message} in ${at.join(".") || whole} but found ${found}`;
};

/**
 * Parses a value with a schema and drops unknown members. Refuses the first mismatch, naming its
 * field, the expectation and the value found.
 */
export const inShape = (schema: z.ZodType, value: unknown, whole: string): unknown => {
  const parsed = judged(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues.toSorted((a, b) => rank(a) - rank(b));
  if (!issue) return refuse("INVALID_INPUT");
  const { path, value: sent } = findingOf(issue, value);
  const field = path.join(".") || whole;
  const says = saysOf(issue, value, whole);
  const details = { field, ...shortValue(sent), ...boundOf(issue), ...patternOf(issue) };
  return refuse(wordOf(issue), details, says);
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
 * Parses a query with an endpoint's schema. Repeated parameters are refused, unknown ones ignored
 * (spec/lists.md#query-parameters).
 */
export const queryInShape = (shape: Record<string, z.ZodType>, search: URLSearchParams) => {
  const names = Object.keys(shape);
  if (names.length === 0) return {};
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const texts = search.getAll(name);
    if (texts.length > 1 && !AS_LISTS.has(name))
      refuse(
        "INVALID_INPUT",
        { field: name },
        `Expected ${name} once but found it ${texts.length} times`,
      );
    if (texts.length > 0)
      values[name] = AS_LISTS.has(name) ? texts.flatMap((text) => text.split(",")) : texts[0];
  }
  return inShape(queryObject(shape), values, "query") as Record<string, unknown>;
};
