import { Alignment, type Comparing, type Mismatch } from "../../conform/alignment.ts";
import { type MeantDifference, meantBy } from "../../conform/differences-meant.ts";
import { kindOfStep, type ScenarioStep } from "../../contract/control/scenarios.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { isSecretName, REDACTED, redactJson } from "../../http/log/redaction.ts";
import type { Send } from "../../scripts/script-call.ts";
import type { ScenarioFile } from "../../scripts/script-files.ts";
import { type Outcome, ScriptRun } from "../../scripts/script-run.ts";
import { stepsIn } from "../../scripts/step-revisions.ts";

/** The other service: where calls go, and how time passes there. */
export interface OtherSide {
  send: Send;
  /** Lets time pass; the service is not ours, so its clock cannot be moved. */
  wait(ms: number): Promise<void>;
  /** Time that has passed there since some instant. */
  nowMs(): number;
}

/** The first difference of a scenario, and the step that showed it. */
export interface StepDifference extends Mismatch {
  step: number;
  name?: string;
  line: number;
  /** The call, as the file writes it. */
  did: string;
}

/** The outcome of one scenario on both sides. */
export interface ComparedScenario {
  scenario: string;
  file: string;
  ok: boolean;
  stepCount: number;
  /** Calls whose answers were compared. */
  compared: number;
  /** Steps that look into a simulator: they were left out on both sides. */
  notCompared: number;
  /** Differences that are meant, with their reasons. */
  meant: string[];
  difference?: StepDifference;
}

const isControl = (step: ScenarioStep) =>
  "request" in step && step.request.path.startsWith("/_sim/");

/** Steps that look into the simulator: a hosted service shows nothing of the kind. */
const LEFT_OUT: ReadonlySet<string> = new Set(["webhook", "balance"]);

/**
 * Says why a scenario cannot be played at a service that is no simulator; nothing when it can.
 * @param maxWaitMs longest time to wait for one clock step
 */
export const notComparable = (
  { scenario: { steps }, lineOf }: ScenarioFile,
  { maxWaitMs }: { maxWaitMs: number },
): string | undefined => {
  for (const [at, step] of steps.entries()) {
    const where = `line ${lineOf(["steps", at])}`;
    if ("receiver" in step) return `${where}: only a simulator reaches a receiver here`;
    if (isControl(step) && "request" in step)
      return `${where}: only a simulator has ${step.request.method} ${step.request.path}`;
    if ("advance" in step && (parseDuration(step.advance) ?? 0) > maxWaitMs)
      return `${where}: the other side would wait ${step.advance}; --max-wait allows it`;
  }
  return undefined;
};

/** The calls that a scenario makes at the other side, references as the file writes them. */
export const callsOf = ({ scenario: { steps } }: ScenarioFile): string[] =>
  steps.flatMap((step) => {
    if ("advance" in step) return [`wait ${step.advance}`];
    if (!("request" in step)) return [];
    const { method, path, body, file } = step.request;
    const sent = body === undefined ? "" : `  ${JSON.stringify(body)}`;
    return [`${method} ${path}${sent}${file ? `  and the file ${file.name}` : ""}`];
  });

/** The failure of a step that is no call: a bundle that did not open, a member that was not there. */
const failureOf = ({ status, differences: [first] }: Outcome) =>
  status === undefined && first ? `${first.at}: ${first.found}` : undefined;

const withoutQuery = (path: string) => path.split("?")[0] ?? path;

/**
 * Plays a scenario here and at another service, step by step, up to the first difference
 * (spec/conform.md#against).
 */
export const compareScenario = async (
  file: ScenarioFile,
  {
    ours,
    theirs,
    meant = [],
  }: { ours: Send; theirs: OtherSide; meant?: readonly MeantDifference[] },
): Promise<ComparedScenario> => {
  const { scenario, lineOf } = file;
  const runs = { own: new ScriptRun(ours), other: new ScriptRun(theirs.send) };
  const alignment = new Alignment();
  const beganMs = theirs.nowMs();
  const steps = stepsIn(scenario.steps, await runs.own.revision());
  const report: ComparedScenario = {
    ...{ scenario: scenario.name, file: file.file, ok: true },
    ...{ stepCount: steps.length, compared: 0, notCompared: 0, meant: [] },
  };
  for (const { at, step, number } of steps) {
    if (LEFT_OUT.has(kindOfStep(step) ?? "")) {
      report.notCompared += 1;
      continue;
    }
    const own = await runs.own.outcomeOf(step, ["steps", at]);
    if ("advance" in step) {
      await theirs.wait(parseDuration(step.advance) ?? 0);
      continue;
    }
    const other = await runs.other.outcomeOf(step, ["steps", at]);
    const isMeant = meantIn(step, { own, meant, reasons: report.meant });
    const passedMs = theirs.nowMs() - beganMs;
    const mismatch = differenceOf({ own, other }, { alignment, passedMs, isMeant });
    if ("request" in step) report.compared += 1;
    if (!mismatch) continue;
    const { name } = step;
    const line = lineOf(["steps", at]);
    const difference = { step: number, ...(name !== undefined && { name }), line, did: own.did };
    return { ...report, ok: false, difference: { ...difference, ...withoutSecret(mismatch) } };
  }
  return report;
};

/** A difference that can be printed: without values that a name or a form tells to be secret. */
const withoutSecret = ({ path, ours, theirs }: Mismatch): Mismatch => {
  const isSecret = isSecretName(path.slice(path.lastIndexOf("/") + 1));
  const bare = (text: string) => (isSecret ? REDACTED : redactJson(text).text);
  return { path, ours: bare(ours), theirs: bare(theirs) };
};

const differenceOf = (
  { own, other }: { own: Outcome; other: Outcome },
  { alignment, ...comparing }: Comparing & { alignment: Alignment },
): Mismatch | undefined => {
  const [here, there] = [failureOf(own), failureOf(other)];
  if (here !== undefined || there !== undefined)
    return here === there ? undefined : { path: "", ours: here ?? "done", theirs: there ?? "done" };
  if (own.status === undefined || other.status === undefined) return undefined;
  return alignment.difference(
    { status: own.status, body: own.answer },
    { status: other.status, body: other.answer },
    comparing,
  );
};

/** Tells of the places of an answer whether a difference is meant there, and notes the reasons. */
const meantIn =
  (
    step: ScenarioStep,
    { own, meant, reasons }: { own: Outcome; meant: readonly MeantDifference[]; reasons: string[] },
  ) =>
  (path: string): boolean => {
    if (!("request" in step)) return false;
    const operation = `${step.request.method} ${withoutQuery(own.called ?? step.request.path)}`;
    const reason = meantBy(meant, { operation, status: `${own.status ?? ""}`, path })?.reason;
    if (reason !== undefined) reasons.push(reason);
    return reason !== undefined;
  };
