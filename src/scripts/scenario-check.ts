import {
  kindOfStep,
  Scenario,
  type ScenarioStep,
  STEP_KINDS,
  scenarioMembers,
} from "../contract/control/scenarios.ts";
import { shownValue, valueAt } from "../contract/core/shown-value.ts";
import {
  checkBody,
  checkReferences,
  checkSpan,
  type StepNames,
  stepNames,
} from "./fixture-check.ts";
import { type ScriptPath, ScriptProblem } from "./script-problem.ts";
import { type DocumentKind, documentInShape } from "./script-shape.ts";

const namesIn = (document: unknown, path: ScriptPath) => {
  const step = valueAt(document, path.slice(0, 2));
  const kind = typeof step === "object" && step !== null ? kindOfStep(step) : undefined;
  const known = scenarioMembers(path, kind);
  return known ? `one of ${known.join(", ")}` : "a name that is known here";
};

const kindOf = (document: unknown): DocumentKind<Scenario> => ({
  shape: Scenario,
  meantStep: (step) => Math.max(0, STEP_KINDS.indexOf(kindOfStep(step) ?? "request")),
  namesAt: (path) => namesIn(document, path),
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A step without a kind is told so, before the members that a request lacks. */
const requireKinds = (document: unknown) => {
  const steps = valueAt(document, ["steps"]);
  if (!Array.isArray(steps)) return;
  for (const [at, step] of steps.entries())
    if (isObject(step) && !Array.isArray(step) && !kindOfStep(step))
      throw new ScriptProblem("invalid", {
        path: ["steps", at],
        expected: `a step with one of ${STEP_KINDS.join(", ")}`,
        found: Object.keys(step).join(", ") || "an empty object",
      });
};

const checkPasskey = (passkey: string, at: number, steps: readonly ScenarioStep[]) => {
  const maker = steps.slice(0, at).find((step) => step.name === passkey);
  if (maker && "createPasskey" in maker) return;
  throw new ScriptProblem("invalid", {
    path: ["steps", at, "usePasskey", "passkey"],
    expected: "the name of an earlier step with createPasskey",
    found: shownValue(passkey),
  });
};

const checkStep = (step: ScenarioStep, at: number, names: StepNames) => {
  const path = ["steps", at];
  if ("advance" in step) return checkSpan(step.advance, at);
  if ("request" in step && !step.request.file) checkBody(step, at);
  const { name: _name, note: _note, since: _since, before: _before, ...parts } = step;
  checkReferences(parts, { path, at, names });
};

/**
 * A document as a scenario: everything is checked that can be told before it runs.
 * @throws ScriptProblem that names the first thing wrong
 */
export const checkScenario = (document: unknown): Scenario => {
  requireKinds(document);
  const scenario = documentInShape(document, kindOf(document));
  const names = stepNames(scenario.steps);
  for (const [at, step] of scenario.steps.entries()) {
    checkStep(step, at, names);
    if ("usePasskey" in step) checkPasskey(step.usePasskey.passkey, at, scenario.steps);
  }
  return scenario;
};
