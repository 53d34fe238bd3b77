import type {
  Expectation,
  ScenarioStep,
  ScenarioStepOf,
  StepKind,
} from "../../contract/control/scenarios.ts";
import { defined } from "../../contract/core/defined.ts";
import { filled, filledHeader, filledPath } from "../seed/fixture-answers.ts";
import { type FixturePath, FixtureProblem } from "../seed/fixture-problem.ts";
import { errorText, idOf } from "../seed/seed-call.ts";
import { bodyDifferences, type Difference } from "./scenario-expect.ts";
import type { ScenarioFile } from "./scenario-files.ts";
import { formWith } from "./scenario-form.ts";
import { type ProofStep, ScenarioProofs } from "./scenario-proofs.ts";
import {
  controlCall,
  type ScenarioAnswer,
  type ScenarioCall,
  type ScenarioTarget,
} from "./scenario-target.ts";
import { type FoundEvent, WorldFacts } from "./scenario-world.ts";

/** A difference, and the line of the file that states what was expected. */
export interface PlacedDifference extends Difference {
  line: number;
}

/** The outcome of one step. */
export interface StepReport {
  /** Position in the file, from 1. */
  step: number;
  name?: string;
  note?: string;
  line: number;
  /** The call, or what else was done, as the file writes it. */
  did: string;
  /** Path that was called, references filled in. */
  called?: string;
  /** Its outcome in a few words. */
  result: string;
  status?: number;
  id?: string;
  ok: boolean;
  differences?: PlacedDifference[];
}

/** The outcome of a run: every step up to the first that failed. */
export interface ScenarioReport {
  scenario: string;
  file: string;
  ok: boolean;
  /** Steps of the file, those left out after a failure included. */
  stepCount: number;
  steps: StepReport[];
}

/** A finished step, with its answer: what it showed, and its differences by the member of the step that states them. */
export interface Outcome {
  did: string;
  called?: string;
  result: string;
  status?: number;
  id?: string;
  answer?: unknown;
  differences: (Difference & { path: FixturePath })[];
}

/** Longest clock step, real milliseconds. */
const LONGEST_ADVANCE_MS = 600_000;

const PROOFS: readonly StepKind[] = [
  "keyPair",
  "openSession",
  "openExport",
  "sign",
  "createPasskey",
  "usePasskey",
];

const isProof = (step: ScenarioStep): step is ProofStep => PROOFS.some((kind) => kind in step);

const isExpected = (status: number, wanted: number | undefined) =>
  wanted === undefined ? status >= 200 && status < 300 : status === wanted;

const statusDifference = (answer: ScenarioAnswer, wanted: number | undefined): Difference[] => {
  if (isExpected(answer.status, wanted)) return [];
  const expected = wanted === undefined ? "2xx" : `${wanted}`;
  return [{ at: "status", expected, found: errorText(answer) }];
};

/** Runs the steps of one scenario, one at a time. */
export class ScenarioRun {
  private readonly target: ScenarioTarget;
  private readonly facts: WorldFacts;
  private readonly proofs = new ScenarioProofs();
  private readonly answers = new Map<string, unknown>();

  constructor(target: ScenarioTarget) {
    this.target = target;
    this.facts = new WorldFacts(target);
  }

  begin() {
    return this.facts.begin();
  }

  async outcomeOf(step: ScenarioStep, path: FixturePath): Promise<Outcome> {
    const outcome = await this.done(step, path);
    if (step.name !== undefined) this.answers.set(step.name, outcome.answer);
    return outcome;
  }

  private done(step: ScenarioStep, path: FixturePath): Promise<Outcome> {
    if ("request" in step) return this.request(step, path);
    if ("advance" in step) return this.advance(step.advance, path);
    if ("webhook" in step) return this.webhook(step, path);
    if ("balance" in step) return this.balance(step, path);
    if ("receiver" in step) return this.receiver(step);
    if (isProof(step)) return this.proof(step, path);
    throw new Error("Expected a step of a known kind");
  }

  /** A part of a step with its references filled in. */
  private filledIn<Part extends object>(part: Part, path: FixturePath): Part {
    return filled(part, path, this.answers) as Part;
  }

  private callOf(
    { method, path, headers = {}, body, file }: ScenarioStepOf<"request">["request"],
    at: FixturePath,
  ): ScenarioCall {
    const { answers } = this;
    const sent = body && this.filledIn(body, [...at, "body"]);
    const upload = file && this.filledIn(file, [...at, "file"]);
    const form = upload && formWith(sent ?? {}, upload);
    const text = sent && Buffer.from(JSON.stringify(sent));
    const type = form?.contentType ?? (text && "application/json");
    return {
      method,
      path: filledPath(path, [...at, "path"], answers),
      headers: {
        ...(type !== undefined && { "content-type": type }),
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name.toLowerCase(),
            filledHeader(value, [...at, "headers", name], answers),
          ]),
        ),
      },
      body: form?.bytes ?? text,
    };
  }

  private async request(
    { request, expect = {} }: ScenarioStepOf<"request">,
    path: FixturePath,
  ): Promise<Outcome> {
    const call = this.callOf(request, [...path, "request"]);
    const expected = [...path, "expect"];
    const did = `${request.method} ${request.path}`;
    const called = call.path;
    const answer = await this.target.call(call);
    if (answer === "lost") return { ...lostOutcome(did, expect, expected), called };
    const { status, body } = answer;
    const wanted = expect.body && this.filledIn(expect.body, [...expected, "body"]);
    const differences = [
      ...(expect.lost ? [{ at: "answer", expected: "none", found: `${status}` }] : []),
      ...(expect.lost ? [] : statusDifference(answer, expect.status)),
    ].map((one) => ({ ...one, path: expected }));
    // Members of another answer than the expected one would only repeat that.
    const inBody = differences.length > 0 || !wanted ? [] : bodyDifferences(wanted, body);
    return {
      did,
      called,
      result: `${status}`,
      status,
      ...defined({ id: idOf(answer) }),
      answer: body,
      differences: [
        ...differences,
        ...inBody.map((one) => ({ ...one, path: [...expected, "body", memberOf(wanted, one.at)] })),
      ],
    };
  }

  private async advance(span: string, path: FixturePath): Promise<Outcome> {
    const input = { by: span, budgetMs: LONGEST_ADVANCE_MS };
    const answer = await this.target.call(controlCall("POST", "/clock/advance", input));
    const did = `advance ${span}`;
    if (answer === "lost" || answer.status !== 200)
      return failed(did, {
        at: "clock",
        expected: `it moves by ${span}`,
        found: toldOf(answer),
        path,
      });
    const { to, firedCount, webhookCount, complete } = answer.body;
    const stopped = { at: "clock", expected: `it moves by ${span}`, found: `it stopped at ${to}` };
    return {
      did,
      result: `${firedCount} fired, ${webhookCount} sent`,
      answer: answer.body,
      differences: complete ? [] : [{ ...stopped, path }],
    };
  }

  private async webhook(
    { webhook }: ScenarioStepOf<"webhook">,
    path: FixturePath,
  ): Promise<Outcome> {
    const { count, ...wanted } = this.filledIn(webhook, [...path, "webhook"]);
    const { type, state } = webhook;
    const found: FoundEvent[] = await this.facts.events(wanted, count ?? 1);
    const subject = webhook.about === undefined ? "" : ` about ${webhook.about}`;
    const kind = [state, type ?? "of any type"].filter((word) => word !== undefined).join(" ");
    const did = `webhook ${kind}${subject}`;
    const isThere = count === undefined ? found.length > 0 : found.length === count;
    const expected = count === undefined ? "at least 1" : `${count}`;
    const differences = isThere ? [] : [{ at: "count", expected, found: `${found.length}` }];
    return {
      did,
      result: `${found.length} found`,
      ...(found[0] && { id: found[0].id, answer: found[0] }),
      differences: differences.map((one) => ({ ...one, path: [...path, "webhook"] })),
    };
  }

  private async receiver({ receiver }: ScenarioStepOf<"receiver">): Promise<Outcome> {
    const url = await this.target.receive(receiver.answers ?? []);
    return { did: "receiver", result: url, answer: { url }, differences: [] };
  }

  private async balance(
    { balance }: ScenarioStepOf<"balance">,
    path: FixturePath,
  ): Promise<Outcome> {
    const { account, amount } = this.filledIn(balance, [...path, "balance"]);
    const found = await this.facts.balance(account);
    const isSame = found === amount;
    return {
      did: `balance of ${balance.account}`,
      result: `${found}`,
      differences: isSame
        ? []
        : [{ at: "amount", expected: `${amount}`, found: `${found}`, path: [...path, "balance"] }],
    };
  }

  private async proof(step: ProofStep, path: FixturePath): Promise<Outcome> {
    const kind = Object.keys(step).find((name) => name !== "name" && name !== "note") ?? "";
    const ready = this.filledIn(step, path);
    try {
      return { did: kind, result: "done", answer: await this.proofs.make(ready), differences: [] };
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      return failed(kind, { at: kind, expected: "it is done", found, path });
    }
  }
}

const toldOf = (answer: ScenarioAnswer | "lost") =>
  answer === "lost" ? "no answer" : errorText(answer);

const failed = (did: string, difference: Outcome["differences"][number]): Outcome => ({
  did,
  result: "failed",
  differences: [difference],
});

const lostOutcome = (did: string, { lost, status }: Expectation, path: FixturePath): Outcome => ({
  did,
  result: "no answer",
  differences: lost ? [] : [{ at: "answer", expected: `${status ?? "2xx"}`, found: "none", path }],
});

/** The expected member that a difference lies in: `data.0` for `data.0.id`. */
const memberOf = (wanted: object | undefined, at: string) =>
  Object.keys(wanted ?? {}).find((name) => at === name || at.startsWith(`${name}.`)) ?? at;

const reportOf = (
  outcome: Outcome,
  { step, at, lineOf }: { step: ScenarioStep; at: number; lineOf: ScenarioFile["lineOf"] },
): StepReport => {
  const { did, called, result, status, id, differences } = outcome;
  return {
    step: at + 1,
    ...defined({ name: step.name, note: step.note }),
    line: lineOf(["steps", at]),
    did,
    ...defined({ called }),
    result,
    ...defined({ status, id }),
    ok: differences.length === 0,
    ...(differences.length > 0 && {
      differences: differences.map(({ path, ...one }) => ({ ...one, line: lineOf(path) })),
    }),
  };
};

/** The outcome of a step that refers to a member that an earlier answer lacks. */
export const brokenReference = (problem: FixtureProblem): Outcome => {
  const { expected, found } = problem.details as { expected: string; found: string };
  return failed("a reference", { at: "reference", expected, found, path: problem.path });
};

/**
 * Runs a scenario in a world, step by step, until one is not as expected
 * (spec/scenarios.md#run).
 * @param onStep told of each step when it is over
 */
export const runScenario = async (
  { scenario, file, lineOf }: ScenarioFile,
  target: ScenarioTarget,
  onStep: (step: StepReport) => void = () => {},
): Promise<ScenarioReport> => {
  const run = new ScenarioRun(target);
  await run.begin();
  const steps: StepReport[] = [];
  for (const [at, step] of scenario.steps.entries()) {
    const outcome = await run.outcomeOf(step, ["steps", at]).catch((error: unknown) => {
      if (error instanceof FixtureProblem) return brokenReference(error);
      throw error;
    });
    const report = reportOf(outcome, { step, at, lineOf });
    steps.push(report);
    onStep(report);
    if (!report.ok) break;
  }
  const ok = steps.every((step) => step.ok);
  return { scenario: scenario.name, file, ok, stepCount: scenario.steps.length, steps };
};
