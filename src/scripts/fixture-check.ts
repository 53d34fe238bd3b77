import { shownValue } from "../contract/core/shown-value.ts";
import {
  Fixture,
  type FixtureStep,
  knownMembers,
  type RequestStep,
} from "../contract/platform/fixtures.ts";
import type { Generate } from "../contract/platform/generate.ts";
import { days, hours, parseDuration } from "../domain/core/durations.ts";
import { isReference, type Malformed, piecesOf, type Reference, textsIn } from "./references.ts";
import { type ScriptPath, ScriptProblem } from "./script-problem.ts";
import { type DocumentKind, documentInShape } from "./script-shape.ts";
import { neverMeet, type StepRevisions } from "./step-revisions.ts";

export const isRequest = (step: FixtureStep): step is RequestStep => "request" in step;

/** The place of a step's request in the fixture. */
const requestPath = (at: number): ScriptPath => ["steps", at, "request"];

/** Named steps, and the position of each. */
export type StepNames = ReadonlyMap<string, number>;

const invalid = (path: ScriptPath, expected: string, found: string) =>
  new ScriptProblem("invalid", { path, expected, found });

interface NamedStep extends StepRevisions {
  name?: string | undefined;
}

/** Names of the steps, and which step is the first of each; no run meets a name twice. */
export const stepNames = (steps: readonly NamedStep[]): StepNames => {
  const names = new Map<string, number>();
  for (const [at, step] of steps.entries()) {
    const { name } = step;
    if (name === undefined) continue;
    const other = steps.findIndex((one) => one.name === name && !neverMeet(one, step));
    if (other < at) {
      const found = `${shownValue(name)}, which step ${other + 1} has`;
      throw invalid(["steps", at, "name"], "a name of its own", found);
    }
    if (!names.has(name)) names.set(name, at);
  }
  return names;
};

const checkPiece = (
  piece: Reference | Malformed,
  { path, at, names }: { path: ScriptPath; at: number; names: StepNames },
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
  { path, at, names }: { path: ScriptPath; at: number; names: StepNames },
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

const USUAL_SPAN_MS = days(30);
const SHORTEST_SPAN_MS = hours(1);

/**
 * The span of the past to fill, milliseconds.
 * @throws ScriptProblem for a text that is no span, or one that is too short
 */
export const pastSpanMs = ({ over }: Generate): number => {
  if (over === undefined) return USUAL_SPAN_MS;
  const spanMs = parseDuration(over);
  if (spanMs !== undefined && spanMs >= SHORTEST_SPAN_MS) return spanMs;
  throw new ScriptProblem("invalid", {
    path: ["generate", "over"],
    expected: "a span of at least 1h, like 12h or 30d",
    found: JSON.stringify(over),
  });
};

/** Names accepted in place of an unknown one; currencies are too many to list. */
const namesAt = (path: ScriptPath) => {
  if (path.length === 1 && ["rates", "limits"].includes(String(path[0])))
    return "the code of a currency";
  const known = knownMembers(path);
  return known ? `one of ${known.join(", ")}` : "a name that is known here";
};

/** A fixture: a step that says `advance` is a clock step. */
const FIXTURE: DocumentKind<Fixture> = {
  shape: Fixture,
  meantStep: (step) => ("advance" in step && !("request" in step) ? 1 : 0),
  namesAt,
};

/**
 * A document as a fixture: everything is checked that can be told before it runs.
 * @throws ScriptProblem that names the first thing wrong
 */
export const checkFixture = (document: unknown): Fixture => {
  const fixture = documentInShape(document, FIXTURE);
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
