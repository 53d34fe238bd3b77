import type * as z from "zod";
import { shownValue, valueAt } from "../contract/core/shown-value.ts";
import { judged } from "../contract/judged.ts";
import { type ScriptPath, ScriptProblem } from "./script-problem.ts";

type Issue = z.core.$ZodIssue;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const pathOf = (issue: Issue) => issue.path as ScriptPath;

/** A kind of document whose mistakes are told by their place. */
export interface DocumentKind<Document> {
  shape: z.ZodType<Document>;
  /** Of the kinds of step the one that was meant, by its position in the choice of shapes. */
  meantStep(step: object): number;
  /** Names that an object may have in place of an unknown one, by the object's path. */
  namesAt(path: ScriptPath): string;
}

type ShapeReader = Pick<DocumentKind<unknown>, "meantStep" | "namesAt">;

const meantBranch = (errors: readonly Issue[][], value: unknown, { meantStep }: ShapeReader) =>
  errors[isObject(value) ? meantStep(value) : 0];

/** The issue inside a choice of shapes that tells most. */
const innermost = (issue: Issue, document: unknown, kind: ShapeReader): Issue => {
  if (issue.code !== "invalid_union") return issue;
  const inner = firstOf(
    (meantBranch(issue.errors, valueAt(document, issue.path), kind) ?? []).map((one) => ({
      ...one,
      path: [...issue.path, ...one.path],
    })),
    document,
  );
  return inner ? innermost(inner, document, kind) : issue;
};

const isMissing = (issue: Issue, document: unknown) =>
  issue.code === "invalid_type" &&
  issue.path.length > 0 &&
  isObject(valueAt(document, issue.path.slice(0, -1))) &&
  valueAt(document, issue.path) === undefined;

const isInside = (inner: ScriptPath, outer: ScriptPath) =>
  outer.every((key, at) => inner[at] === key);

/** A member that is missing beside one that is unknown was most likely misspelt: that is told. */
const firstOf = (issues: readonly Issue[], document: unknown): Issue | undefined => {
  const [first] = issues;
  if (!first || !isMissing(first, document)) return first;
  const misspelt = issues.find(
    (one) => one.code === "unrecognized_keys" && isInside(pathOf(first), pathOf(one)),
  );
  return misspelt ?? first;
};

/** Messages are "Expected …", by the words of the shapes or by ours. */
const expectationOf = (issue: Issue) => issue.message.replace(/^Expected /, "");

const unknownMember = (path: ScriptPath, name: string, { namesAt }: ShapeReader) =>
  new ScriptProblem("invalid", {
    path: [...path, name],
    expected: namesAt(path),
    found: JSON.stringify(name),
    onName: true,
  });

const problemOf = (issue: Issue, document: unknown, kind: ShapeReader): ScriptProblem => {
  const path = pathOf(issue);
  if (issue.code === "unrecognized_keys") return unknownMember(path, issue.keys[0] ?? "", kind);
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    const expected = first ? expectationOf(first) : "another name";
    const found = shownValue(path.at(-1));
    return new ScriptProblem("invalid", { path, expected, found, onName: true });
  }
  if (isMissing(issue, document))
    return new ScriptProblem("invalid", {
      path: path.slice(0, -1),
      expected: `the member ${JSON.stringify(path.at(-1))}`,
      found: "an object without it",
    });
  const found = shownValue(valueAt(document, path));
  return new ScriptProblem("invalid", { path, expected: expectationOf(issue), found });
};

/**
 * A document in the shape of its kind.
 * @throws ScriptProblem that names the first thing wrong
 */
export const documentInShape = <Document>(
  document: unknown,
  kind: DocumentKind<Document>,
): Document => {
  const parsed = judged(kind.shape, document);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues;
  const first = firstOf(issues, document) as Issue;
  throw problemOf(innermost(first, document, kind), document, kind);
};
