import type * as z from "zod";
import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { judged } from "../../contract/judged.ts";
import { Fixture, knownMembers } from "../../contract/platform/fixtures.ts";
import { type FixturePath, FixtureProblem } from "./fixture-problem.ts";

type Issue = z.core.$ZodIssue;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const pathOf = (issue: Issue) => issue.path as FixturePath;

/** A kind of document whose mistakes are told by their place. */
export interface DocumentKind<Document> {
  shape: z.ZodType<Document>;
  /** Of the kinds of step the one that was meant, by its position in the choice of shapes. */
  meantStep(step: object): number;
  /** Names that an object may have in place of an unknown one, by the object's path. */
  namesAt(path: FixturePath): string;
}

type Judged = Pick<DocumentKind<unknown>, "meantStep" | "namesAt">;

const meantBranch = (errors: readonly Issue[][], value: unknown, { meantStep }: Judged) =>
  errors[isObject(value) ? meantStep(value) : 0];

/** The issue inside a choice of shapes that tells most. */
const innermost = (issue: Issue, document: unknown, kind: Judged): Issue => {
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

const isInside = (inner: FixturePath, outer: FixturePath) =>
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

/** Names accepted in place of an unknown one; currencies are too many to list. */
const namesAt = (path: FixturePath) => {
  if (path[0] === "rates") return "the code of a currency";
  const known = knownMembers(path);
  return known ? `one of ${known.join(", ")}` : "a name that is known here";
};

const unknownMember = (path: FixturePath, name: string, { namesAt }: Judged) =>
  new FixtureProblem("invalid", {
    path: [...path, name],
    expected: namesAt(path),
    found: JSON.stringify(name),
    onName: true,
  });

const problemOf = (issue: Issue, document: unknown, kind: Judged): FixtureProblem => {
  const path = pathOf(issue);
  if (issue.code === "unrecognized_keys") return unknownMember(path, issue.keys[0] ?? "", kind);
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    const expected = first ? expectationOf(first) : "another name";
    const found = shownValue(path.at(-1));
    return new FixtureProblem("invalid", { path, expected, found, onName: true });
  }
  if (isMissing(issue, document))
    return new FixtureProblem("invalid", {
      path: path.slice(0, -1),
      expected: `the member ${JSON.stringify(path.at(-1))}`,
      found: "an object without it",
    });
  const found = shownValue(valueAt(document, path));
  return new FixtureProblem("invalid", { path, expected: expectationOf(issue), found });
};

/**
 * A document in the shape of its kind.
 * @throws FixtureProblem that names the first thing wrong
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

/** A fixture: a step that says `advance` is a clock step. */
const FIXTURE: DocumentKind<Fixture> = {
  shape: Fixture,
  meantStep: (step) => ("advance" in step && !("request" in step) ? 1 : 0),
  namesAt,
};

/**
 * A document in the shape of a fixture.
 * @throws FixtureProblem that names the first thing wrong
 */
export const fixtureInShape = (document: unknown): Fixture => documentInShape(document, FIXTURE);
