import { closestTo, isSlip } from "./core/closest.ts";
import { distance } from "./core/edit-distance.ts";

/** The names of an operation. */
export interface NamedOperation {
  operationId: string;
  method: string;
  /** With its parameters: `/quotes/{quoteId}`. */
  path: string;
}

/** Whether a segment of a template stands for any text. */
export const isParameter = (segment: string | undefined) => segment?.startsWith("{") === true;

/** A path in lower case, less the empty segment that a slash at its end leaves. */
const segmentsOf = (path: string) => path.toLowerCase().replace(/\/+$/, "").split("/");

/**
 * Edits from a path to a template. A parameter takes whatever stands in its place; one that is too
 * many or missing counts little, since it is the name that tells what was meant.
 */
const editsTo = (template: string, asked: readonly string[]) => {
  const parts = segmentsOf(template);
  const filled = parts.map((part, at) => (isParameter(part) ? (asked[at] ?? "x") : part));
  const names = parts.filter((part) => !isParameter(part)).join("/");
  return { edits: distance(filled.join("/"), asked.join("/")), length: names.length };
};

const closestOf = (
  candidates: readonly NamedOperation[],
  path: string,
): NamedOperation | undefined => {
  const asked = segmentsOf(path);
  const [best] = candidates
    .map((one) => ({ one, ...editsTo(one.path, asked) }))
    .sort((a, b) => a.edits - b.edits);
  return best && isSlip(best.edits, best.length) ? best.one : undefined;
};

/**
 * The operation that was most likely meant, or nothing when none is close: one of the same method
 * first, and only then one of another.
 */
export const closestOperation = (
  { method, path }: { method: string | undefined; path: string },
  operations: readonly NamedOperation[],
): string | undefined => {
  const same = operations.filter((one) => method === undefined || one.method === method);
  const closest = closestOf(same, path) ?? closestOf(operations, path);
  return closest && `${closest.method} ${closest.path}`;
};

/**
 * Words in which names of operations differ from one description of the API to the next: each is
 * read as the other.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(update|edit|modify)/, "patch"],
  [/^(retrieve|fetch|read)/, "get"],
  [/^remove/, "delete"],
  [/^(all|search)/, "list"],
  [/platformconfig$/, "config"],
  [/by(id|code)$/, ""],
];

/** A name as it is compared: without case, separators, or words that differ. */
const spelled = (name: string) =>
  SPELLINGS.reduce(
    (text, [from, to]) => text.replace(from, to),
    name.toLowerCase().replace(/[^a-z0-9]/g, ""),
  );

/**
 * The operationId that a name stands for: the same one, else the only one that is spelled so.
 * Nothing when there is none, or several.
 */
export const operationNamed = (name: string, ids: readonly string[]): string | undefined => {
  if (ids.includes(name)) return name;
  const [first, ...others] = ids.filter((id) => spelled(id) === spelled(name));
  return others.length === 0 ? first : undefined;
};

/** The operationId that was most likely meant. */
export const closestOperationId = (name: string, ids: readonly string[]): string | undefined =>
  closestTo(name, ids);

/** Whether a path, or a template whatever its parameters are called, is one of an operation. */
export const leadsTo = (asked: string, { path }: NamedOperation): boolean => {
  const [wanted, parts] = [asked.split("/"), path.split("/")];
  return (
    wanted.length === parts.length &&
    wanted.every((one, at) => one === parts[at] || (isParameter(parts[at]) && one !== ""))
  );
};
