import { shownValue } from "../../contract/core/shown-value.ts";
import type { Fixture, FixtureStep, RequestStep } from "../../contract/platform/fixtures.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { type FixturePath, FixtureProblem } from "./fixture-problem.ts";
import {
  isReference,
  type Malformed,
  piecesOf,
  type Reference,
  textsIn,
} from "./fixture-references.ts";
import { fixtureInShape } from "./fixture-shape.ts";
import { pastSpanMs } from "./generate-plan.ts";

export const isRequest = (step: FixtureStep): step is RequestStep => "request" in step;

/** The place of a step's request in the fixture. */
export const requestPath = (at: number): FixturePath => ["steps", at, "request"];

/** Named steps, and the position of each. */
export type StepNames = ReadonlyMap<string, number>;

const invalid = (path: FixturePath, expected: string, found: string) =>
  new FixtureProblem("invalid", { path, expected, found });

/** Names of the steps, and which step each is; no name is given twice. */
export const stepNames = (steps: readonly { name?: string | undefined }[]): StepNames => {
  const names = new Map<string, number>();
  for (const [at, step] of steps.entries()) {
    if (step.name === undefined) continue;
    const other = names.get(step.name);
    if (other !== undefined) {
      const found = `${shownValue(step.name)}, which step ${other + 1} has`;
      throw invalid(["steps", at, "name"], "a name of its own", found);
    }
    names.set(step.name, at);
  }
  return names;
};

const checkPiece = (
  piece: Reference | Malformed,
  { path, at, names }: { path: FixturePath; at: number; names: StepNames },
) => {
  if (!isReference(piece))
    throw invalid(path, `a reference like \${customer.id}`, shownValue(piece.malformed));
  const named = names.get(piece.step);
  if (named !== undefined && named < at) return;
  const found =
    named === undefined
      ? "no step of that name"
      : named === at
        ? "the step itself"
        : `step ${named + 1}, which comes later`;
  throw invalid(path, `an earlier step's name in ${piece.text}`, found);
};

/** Every reference in a part of a step names an earlier step. */
export const checkReferences = (
  part: unknown,
  { path, at, names }: { path: FixturePath; at: number; names: StepNames },
) => {
  for (const placed of textsIn(part, path))
    for (const piece of piecesOf(placed.text))
      if (typeof piece !== "string") checkPiece(piece, { path: placed.path, at, names });
};

/** HTTP would allow it, but no client of Node's can send it. */
export const checkBody = (
  { request: { method, body } }: { request: Pick<RequestStep["request"], "method" | "body"> },
  at: number,
) => {
  if (method === "GET" && body)
    throw invalid([...requestPath(at), "body"], "no body with GET", "an object");
};

/** A clock step names a span. */
export const checkSpan = (advance: string, at: number) => {
  if (parseDuration(advance) === undefined)
    throw invalid(
      ["steps", at, "advance"],
      "a duration like 90s, 6m, 1h30m, 7d or PT6M",
      shownValue(advance),
    );
};

/**
 * A document as a fixture: everything is checked that can be told before it runs.
 * @throws FixtureProblem that names the first thing wrong
 */
export const checkFixture = (document: unknown): Fixture => {
  const fixture = fixtureInShape(document);
  const names = stepNames(fixture.steps.map((step) => (isRequest(step) ? step : {})));
  for (const [at, step] of fixture.steps.entries())
    if (isRequest(step)) {
      const { path, headers, body } = step.request;
      checkBody(step, at);
      checkReferences({ path, headers, body }, { path: requestPath(at), at, names });
    } else checkSpan(step.advance, at);
  if (fixture.generate) pastSpanMs(fixture.generate);
  return fixture;
};
