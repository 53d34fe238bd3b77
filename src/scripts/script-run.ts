import {
  type Expectation,
  kindOfStep,
  type ScenarioStep,
  type ScenarioStepOf,
  type StepKind,
} from "../contract/control/scenarios.ts";
import { defined } from "../contract/core/defined.ts";
import type { Revision } from "../contract/core/revision-names.ts";
import { bodyDifferences, type ScriptDifference } from "./body-differences.ts";
import type { ClientProofs, ProofStep } from "./client-proofs.ts";
import { filledCall } from "./filled-call.ts";
import { filled } from "./filled-references.ts";
import { answersInTurn, type Delivery, Receiver, type ReceiverAnswer } from "./receiver.ts";
import { errorText, idOf, jsonCall, type ScriptAnswer, type Send } from "./script-call.ts";
import type { ScenarioFile } from "./script-files.ts";
import { type ScriptPath, ScriptProblem } from "./script-problem.ts";
import { stepsIn } from "./step-revisions.ts";
import { type FoundEvent, WorldFacts } from "./world-facts.ts";

/** A difference, and the line of the file that states what was expected. */
export interface PlacedDifference extends ScriptDifference {
  line: number;
}

/** The outcome of one step. */
export interface StepReport {
  /** Position among the steps that the world's revision has, from 1. */
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
  /** The revision of the world, which decides what steps there are. */
  revision: Revision;
  /** Steps of the file that the world's revision has, those behind a failure included. */
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
  differences: (ScriptDifference & { path: ScriptPath })[];
}

const LONGEST_ADVANCE_MS = 600_000;

const PROOFS: readonly StepKind[] = [
  "keyPair",
  "openSession",
  "sealCode",
  "openExport",
  "sign",
  "createPasskey",
  "usePasskey",
];

const isProof = (step: ScriptStep): step is ProofStep => PROOFS.some((kind) => kind in step);

const isExpected = (status: number, wanted: number | undefined) =>
  wanted === undefined ? status >= 200 && status < 300 : status === wanted;

const statusDifference = (answer: ScriptAnswer, wanted: number | undefined): ScriptDifference[] => {
  if (isExpected(answer.status, wanted)) return [];
  const expected = wanted === undefined ? "2xx" : `${wanted}`;
  return [{ at: "status", expected, found: errorText(answer) }];
};

/** A step of a script: of a scenario, or of the package's own, whose receivers may fail to answer. */
export type ScriptStep =
  | Exclude<ScenarioStep, ScenarioStepOf<"receiver">>
  | (Omit<ScenarioStepOf<"receiver">, "receiver"> & {
      receiver: { answers?: readonly ReceiverAnswer[] | undefined };
    });

type ScriptStepOf<K extends StepKind> = Extract<ScriptStep, Record<K, unknown>>;

export interface RunOptions {
  /** Called with each webhook that one of its receivers gets. */
  onDelivery?(delivery: Delivery): void;
  /** Longest clock step, real milliseconds. */
  longestAdvanceMs?: number;
}

/** Runs the steps of one script, one at a time. */
export class ScriptRun {
  /** Answers of the named steps so far, and what else references may name. */
  readonly answers = new Map<string, unknown>();
  private readonly send: Send;
  private readonly facts: WorldFacts;
  private proofs: Promise<ClientProofs> | undefined;
  private readonly receivers: Receiver[] = [];
  private readonly options: RunOptions;

  constructor(send: Send, options: RunOptions = {}) {
    this.send = send;
    this.options = options;
    this.facts = new WorldFacts(send);
  }

  begin() {
    return this.facts.begin();
  }

  /** The revision that the world serves. */
  revision(): Promise<Revision> {
    return this.facts.revision();
  }

  /** Ends its receivers. */
  end() {
    for (const receiver of this.receivers) receiver.stop();
  }

  /** Does a step; a reference to a member that an earlier answer lacks is a failure of it. */
  async outcomeOf(step: ScriptStep, path: ScriptPath): Promise<Outcome> {
    try {
      const outcome = await this.done(step, path);
      if (step.name !== undefined) this.answers.set(step.name, outcome.answer);
      return outcome;
    } catch (error) {
      if (error instanceof ScriptProblem) return brokenReference(error);
      throw error;
    }
  }

  private done(step: ScriptStep, path: ScriptPath): Promise<Outcome> {
    if ("request" in step) return this.request(step, path);
    if ("advance" in step) return this.advance(step.advance, [...path, "advance"]);
    if ("webhook" in step) return this.webhook(step, path);
    if ("balance" in step) return this.balance(step, path);
    if ("receiver" in step) return this.receiver(step);
    if (isProof(step)) return this.proof(step, path);
    throw new Error("Expected a step of a known kind");
  }

  /** A part of a step with its references filled in. */
  private filledIn<Part extends object>(part: Part, path: ScriptPath): Part {
    return filled(part, path, this.answers) as Part;
  }

  private async request(
    { request, expect = {} }: ScenarioStepOf<"request">,
    path: ScriptPath,
  ): Promise<Outcome> {
    const call = filledCall(request, [...path, "request"], this.answers);
    const expected = [...path, "expect"];
    const did = `${request.method} ${request.path}`;
    const called = call.path;
    const answer = await this.send(call);
    if (answer === "lost") return { ...lostOutcome(did, expect, expected), called };
    const { status, body } = answer;
    const wanted = expect.body && this.filledIn(expect.body, [...expected, "body"]);
    const differences = [
      ...(expect.lost ? [{ at: "answer", expected: "none", found: `${status}` }] : []),
      ...(expect.lost ? [] : statusDifference(answer, expect.status)),
    ].map((difference) => ({ ...difference, path: expected }));
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
        ...inBody.map((difference) => ({
          ...difference,
          path: [...expected, "body", memberOf(wanted, difference.at)],
        })),
      ],
    };
  }

  private async advance(span: string, path: ScriptPath): Promise<Outcome> {
    const { longestAdvanceMs: budgetMs = LONGEST_ADVANCE_MS } = this.options;
    const input = { by: span, budgetMs };
    const answer = await this.send(jsonCall("POST", "/_sim/clock/advance", input));
    const did = `advance ${span}`;
    const wanted = { at: "clock", expected: `the clock to move by ${span}`, path };
    if (answer === "lost" || answer.status !== 200)
      return failed(did, { ...wanted, found: toldOf(answer) });
    const { to, firedCount, webhookCount, complete } = answer.body;
    return {
      did,
      result: `${firedCount} fired, ${webhookCount} sent`,
      answer: answer.body,
      differences: complete ? [] : [{ ...wanted, found: `that it stopped before, at ${to}` }],
    };
  }

  private async webhook(
    { webhook }: ScenarioStepOf<"webhook">,
    path: ScriptPath,
  ): Promise<Outcome> {
    const { count, ...wanted } = this.filledIn(webhook, [...path, "webhook"]);
    const { type, state } = webhook;
    const events: FoundEvent[] = await this.facts.events(wanted, count ?? 1);
    const subject = webhook.about === undefined ? "" : ` about ${webhook.about}`;
    const kind = [state, type ?? "of any type"].filter((word) => word !== undefined).join(" ");
    const did = `webhook ${kind}${subject}`;
    const isThere = count === undefined ? events.length > 0 : events.length === count;
    const expected = count === undefined ? "at least 1" : `${count}`;
    const differences = isThere ? [] : [{ at: "count", expected, found: `${events.length}` }];
    return {
      did,
      result: `${events.length} found`,
      ...(events[0] && { id: events[0].id, answer: events[0] }),
      differences: differences.map((difference) => ({ ...difference, path: [...path, "webhook"] })),
    };
  }

  private async receiver({ receiver: { answers = [] } }: ScriptStepOf<"receiver">) {
    const answerTo = answersInTurn(answers);
    const receiver = new Receiver((delivery) => {
      this.options.onDelivery?.(delivery);
      return answerTo(delivery);
    });
    this.receivers.push(receiver);
    const url = `${await receiver.start()}hooks`;
    return { did: "receiver", result: url, answer: { url }, differences: [] };
  }

  private async balance(
    { balance }: ScenarioStepOf<"balance">,
    path: ScriptPath,
  ): Promise<Outcome> {
    const { account, amount } = this.filledIn(balance, [...path, "balance"]);
    const actual = await this.facts.balance(account);
    const isSame = actual === amount;
    return {
      did: `balance of ${balance.account}`,
      result: `${actual}`,
      differences: isSame
        ? []
        : [{ at: "amount", expected: `${amount}`, found: `${actual}`, path: [...path, "balance"] }],
    };
  }

  private async proof(step: ProofStep, path: ScriptPath): Promise<Outcome> {
    const kind = kindOfStep(step) ?? "";
    const ready = this.filledIn(step, path);
    try {
      this.proofs ??= import("./client-proofs.ts").then((made) => new made.ClientProofs());
      const answer = await (await this.proofs).make(ready);
      return { did: kind, result: "done", answer, differences: [] };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failed(kind, { at: kind, expected: "it is done", found: message, path });
    }
  }
}

const toldOf = (answer: ScriptAnswer | "lost") =>
  answer === "lost" ? "no answer" : errorText(answer);

const failed = (did: string, difference: Outcome["differences"][number]): Outcome => ({
  did,
  result: "failed",
  differences: [difference],
});

const lostOutcome = (did: string, { lost, status }: Expectation, path: ScriptPath): Outcome => ({
  did,
  result: "no answer",
  differences: lost ? [] : [{ at: "answer", expected: `${status ?? "2xx"}`, found: "none", path }],
});

/** The expected member that a difference lies in: `data.0` for `data.0.id`. */
const memberOf = (wanted: object | undefined, at: string) =>
  Object.keys(wanted ?? {}).find((name) => at === name || at.startsWith(`${name}.`)) ?? at;

const reportOf = (
  outcome: Outcome,
  {
    step,
    at,
    number,
    lineOf,
  }: { step: ScenarioStep; at: number; number: number; lineOf: ScenarioFile["lineOf"] },
): StepReport => {
  const { did, called, result, status, id, differences } = outcome;
  return {
    step: number,
    ...defined({ name: step.name, note: step.note }),
    line: lineOf(["steps", at]),
    did,
    ...defined({ called }),
    result,
    ...defined({ status, id }),
    ok: differences.length === 0,
    ...(differences.length > 0 && {
      differences: differences.map(({ path, ...difference }) => ({
        ...difference,
        line: lineOf(path),
      })),
    }),
  };
};

const brokenReference = (problem: ScriptProblem): Outcome => {
  const { expected, found } = problem.details as { expected: string; found: string };
  return failed("a reference", { at: "reference", expected, found, path: problem.path });
};

/**
 * Runs a scenario in a world, step by step, until one is not as expected
 * (spec/scenarios.md#run).
 */
export const runScenario = async (
  { scenario, file, lineOf }: ScenarioFile,
  send: Send,
): Promise<ScenarioReport> => {
  const run = new ScriptRun(send);
  const steps: StepReport[] = [];
  try {
    await run.begin();
    const revision = await run.revision();
    const all = stepsIn(scenario.steps, revision);
    for (const placed of all) {
      const outcome = await run.outcomeOf(placed.step, ["steps", placed.at]);
      steps.push(reportOf(outcome, { ...placed, lineOf }));
      if (outcome.differences.length > 0) break;
    }
    const ok = steps.every((step) => step.ok);
    const stepCount = all.length;
    return { scenario: scenario.name, file, ok, revision, stepCount, steps };
  } finally {
    run.end();
  }
};
