import { isDeepStrictEqual } from "node:util";
import { shownValue } from "../contract/core/shown-value.ts";

/** One thing that is not as expected. */
export interface ScriptDifference {
  /** `status`, or the path of a member of the answer. */
  at: string;
  expected: string;
  found: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member that a path like `data.0.id` leads to; undefined where there is none. */
const memberAt = (value: unknown, path: string): unknown => {
  let inner = value;
  for (const name of path.split(".")) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name))
      return undefined;
    inner = (inner as Record<string, unknown>)[name];
  }
  return inner;
};

const below = (at: string, name: string | number) => `${at}.${name}`;

const inList = (expected: unknown[], actual: unknown[], at: string): ScriptDifference[] => {
  if (expected.length !== actual.length)
    return [{ at: below(at, "length"), expected: `${expected.length}`, found: `${actual.length}` }];
  return expected.flatMap((item, index) => differencesOf(item, actual[index], below(at, index)));
};

/** Of an object the expected members are compared, of a list every item, anything else as it is. */
const differencesOf = (expected: unknown, actual: unknown, at: string): ScriptDifference[] => {
  if (Array.isArray(expected) && Array.isArray(actual)) return inList(expected, actual, at);
  if (isObject(expected) && isObject(actual))
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesOf(value, actual[name], below(at, name)),
    );
  if (isDeepStrictEqual(expected, actual)) return [];
  return [{ at, expected: shownValue(expected), found: shownValue(actual) }];
};

/** Every expected member of a body that is missing or different (spec/scenarios.md#expectations). */
export const bodyDifferences = (
  expected: Readonly<Record<string, unknown>>,
  body: unknown,
): ScriptDifference[] =>
  Object.entries(expected).flatMap(([path, value]) =>
    differencesOf(value, memberAt(body, path), path),
  );
