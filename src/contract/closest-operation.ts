import { closestTo, isSlip } from "./core/closest.ts";
import { distance } from "./core/edit-distance.ts";

/** Name, method and path of an operation. */
export interface NamedOperation {
  operationId: string;
  method: string;
  /** Path template: `/quotes/{quoteId}`. */
  path: string;
}

/** Whether a segment of a template is a parameter. */
export const isParameter = (segment: string | undefined) => segment?.startsWith("{") === true;

/** Segments of a path in lower case, without the empty one after a trailing slash. */
const segmentsOf = (path: string) => path.toLowerCase().replace(/\/+$/, "").split("/");

/**
 * Edits from a path to a template. A parameter matches any text. Extra or missing parameters count
 * little, since the names tell what was meant.
 */
const editsTo = (template: string, segments: readonly string[]) => {
  const parts = segmentsOf(template);
  const filled = parts.map((part, at) => (isParameter(part) ? (segments[at] ?? "x") : part));
  const names = parts.filter((part) => !isParameter(part)).join("/");
  return { edits: distance(filled.join("/"), segments.join("/")), length: names.length };
};

const closestOf = (
  candidates: readonly NamedOperation[],
  path: string,
): NamedOperation | undefined => {
  const segments = segmentsOf(path);
  const [best] = candidates
    .map((operation) => ({ operation, ...editsTo(operation.path, segments) }))
    .sort((a, b) => a.edits - b.edits);
  return best && isSlip(best.edits, best.length) ? best.operation : undefined;
};

/**
 * The operation that was most likely meant (spec/errors.md#unknown-operations): one of the same
 * method first, then any; nothing when none is close.
 */
export const closestOperation = (
  { method, path }: { method: string | undefined; path: string },
  operations: readonly NamedOperation[],
): string | undefined => {
  const same = operations.filter(
    (operation) => method === undefined || operation.method === method,
  );
  const closest = closestOf(same, path) ?? closestOf(operations, path);
  return closest && `${closest.method} ${closest.path}`;
};

/**
 * Words that differ between descriptions of the API; each pair counts as equal
 * (spec/faults.md#operation-names).
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(update|edit|modify)/, "patch"],
  [/^(retrieve|fetch|read)/, "get"],
  [/^remove/, "delete"],
  [/^(all|search)/, "list"],
  [/platformconfig$/, "config"],
  [/by(id|code)$/, ""],
];

/** A name in the form that is compared: without case, separators and differing words. */
const spelled = (name: string) =>
  SPELLINGS.reduce(
    (text, [from, to]) => text.replace(from, to),
    name.toLowerCase().replace(/[^a-z0-9]/g, ""),
  );

/**
 * The operationId for a name (spec/faults.md#operation-names): an exact match, else the only one
 * with the same spelling. Nothing when there is none, or several.
 */
export const operationNamed = (name: string, ids: readonly string[]): string | undefined => {
  if (ids.includes(name)) return name;
  const [first, ...others] = ids.filter((id) => spelled(id) === spelled(name));
  return others.length === 0 ? first : undefined;
};

/** The operationId that was most likely meant. */
export const closestOperationId = (name: string, ids: readonly string[]): string | undefined =>
  closestTo(name, ids);

/**
 * Tells whether a path or template belongs to an operation (spec/faults.md#paths); names of parameters do
 * not count.
 */
export const leadsTo = (wantedPath: string, { path }: NamedOperation): boolean => {
  const [wanted, parts] = [wantedPath.split("/"), path.split("/")];
  return (
    wanted.length === parts.length &&
    wanted.every(
      (wantedPart, at) => wantedPart === parts[at] || (isParameter(parts[at]) && wantedPart !== ""),
    )
  );
};
