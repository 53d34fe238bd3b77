import type { SeedReport } from "../../contract/control/seed.ts";
import { defined } from "../../contract/core/defined.ts";
import type { Fixture, RequestStep } from "../../contract/platform/fixtures.ts";
import { filledCall } from "../../scripts/filled-call.ts";
import { isRequest, requestPath } from "../../scripts/fixture-check.ts";
import { type AnsweringWorld, sendInProcess } from "../../scripts/in-process-send.ts";
import {
  blamedMember,
  controlPath,
  errorText,
  idOf,
  jsonCall,
  type ScriptAnswer,
  type ScriptCall,
} from "../../scripts/script-call.ts";
import { type ScriptPath, ScriptProblem } from "../../scripts/script-problem.ts";
import { approvalModeEndpoints } from "../core/approval-mode.ts";
import { codeHooks } from "../core/code-hooks.ts";
import { faultHooks } from "../core/fault-hooks.ts";
import { nextOutcomeHooks } from "../core/next-outcome-hooks.ts";
import { operatorEndpoints } from "../core/operator.ts";
import { rateLimitEndpoints } from "../core/rate-limit.ts";
import { troubleHooks } from "../core/trouble-hooks.ts";
import { providerEndpoints } from "./seed-provider.ts";

/** A simulator, as a client of both its surfaces needs it. */
export interface SeedTarget extends AnsweringWorld {
  readonly controlToken: string;
  close(): Promise<void>;
}

const isBelow = (path: string, prefix: string) => path.startsWith(`${prefix}/`);

const HOOKS = [
  ...operatorEndpoints,
  ...providerEndpoints,
  ...approvalModeEndpoints,
  ...faultHooks,
  ...nextOutcomeHooks,
  ...codeHooks,
  ...rateLimitEndpoints,
  ...troubleHooks,
];

/** Whether a call is one of the operator's hooks, which change records of the world alone. */
const isHook = ({ method }: ScriptCall, path: string) =>
  HOOKS.some((hook) => {
    const template = hook.path.split("/");
    const parts = path.split("/");
    const fits = (part: string, at: number) => part.startsWith("{") || part === parts[at];
    return hook.method === method && template.length === parts.length && template.every(fits);
  });

/**
 * Tests if a fixture may make a call: it stays within its surface, and below `/_sim` it is a hook.
 * Control operations that act on more than records, like reset, clock and seed, are none.
 */
const isSeedable = (target: SeedTarget, call: ScriptCall): boolean => {
  const below = controlPath(call);
  const base = below === undefined ? target.apiUrl : target.controlUrl;
  const { pathname } = new URL(base + (below ?? call.path));
  const { pathname: basePath } = new URL(base);
  if (!isBelow(pathname, basePath)) return false;
  return below === undefined || isHook(call, pathname.slice(basePath.length));
};

/** A call, and where in the fixture it is written. */
interface Placed {
  call: ScriptCall;
  path: ScriptPath;
  /** Finds the place of a member of its body. */
  member(path: ScriptPath): ScriptPath;
  label: string;
  expect?: number | undefined;
}

/** Longest advance: no receiver is waited for, but the machine may be slow. */
const LONGEST_ADVANCE_MS = 3_600_000;

const hasProviderFields = (currency: object) =>
  Object.keys(currency).some((name) => name.startsWith("providerRequired"));

const isExpected = (status: number, expect: number | undefined) =>
  expect === undefined ? status >= 200 && status < 300 : status === expect;

/** A fixture being put in, step by step. */
class SeedRun {
  readonly report: SeedReport;
  private readonly target: SeedTarget;
  private readonly answers = new Map<string, unknown>();

  constructor(name: string, target: SeedTarget) {
    this.target = target;
    this.report = { fixture: name, steps: [], names: {} };
  }

  /** Configuration, rates and troubles, which every step finds as they are said to be. */
  async prepare({ config, rates, approvals, troubles = [] }: Fixture) {
    if (config) await this.configure("/config", config);
    const { supportedCurrencies = [], isRegulatedFinancialInstitution } = config ?? {};
    // The platform's own operation passes over what only the provider sets.
    const requires = supportedCurrencies.some(hasProviderFields);
    if (requires || isRegulatedFinancialInstitution !== undefined)
      await this.configure("/_sim/config", {
        ...(requires && { supportedCurrencies }),
        ...defined({ isRegulatedFinancialInstitution }),
      });
    if (approvals)
      await this.note({
        call: jsonCall("PUT", "/_sim/approvals", { mode: approvals }),
        path: ["approvals"],
        member: () => ["approvals"],
        label: "PUT /_sim/approvals",
      });
    if (rates)
      await this.note({
        call: jsonCall("PUT", "/_sim/rates", { perUsd: rates }),
        path: ["rates"],
        member: ([_perUsd, ...path]) => ["rates", ...path],
        label: "PUT /_sim/rates",
      });
    for (const [at, body] of troubles.entries())
      await this.note({
        call: jsonCall("POST", "/_sim/webhooks/troubles", body),
        path: ["troubles", at],
        member: (member) => ["troubles", at, ...member],
        label: "POST /_sim/webhooks/troubles",
      });
  }

  private configure(path: string, body: object) {
    return this.note({
      call: jsonCall("PATCH", path, body),
      path: ["config"],
      member: (member) => ["config", ...member],
      label: `PATCH ${path}`,
    });
  }

  async request({ name, request: { expect, ...request } }: RequestStep, at: number) {
    const path = requestPath(at);
    const call = filledCall(request, path, this.answers);
    const label = `step ${name ?? at + 1}, ${call.method} ${call.path},`;
    const member = (inBody: ScriptPath) => [...path, "body", ...inBody];
    const answer = await this.note({ call, path: [...path, "path"], member, label, expect }, name);
    if (name !== undefined) this.answers.set(name, answer.body);
  }

  /** Moves the clock as a client would. */
  async advance(span: string, at: number) {
    const path = ["steps", at, "advance"];
    const body = { by: span, budgetMs: LONGEST_ADVANCE_MS };
    const answer = await this.send(jsonCall("POST", "/_sim/clock/advance", body));
    const { complete, to, firedCount, webhookCount } = answer.body;
    if (answer.status !== 200) throw refused(path, `the clock to move by ${span}`, answer);
    if (!complete)
      throw new ScriptProblem("refused", {
        path,
        expected: `the clock to move by ${span}`,
        found: `that it stopped on its way, at ${to}`,
      });
    this.report.steps.push({ advance: span, to, firedCount, webhookCount });
  }

  /** Makes a call in this process, where no answer is lost. */
  private async send(call: ScriptCall): Promise<ScriptAnswer> {
    const answer = await sendInProcess(this.target)(call);
    if (answer === "lost") throw new Error("Expected an answer in the same process");
    return answer;
  }

  /** Makes a call and reports it; its answer must be the expected one. */
  private async note(placed: Placed, name?: string): Promise<ScriptAnswer> {
    const { call, path, member, label, expect } = placed;
    const { method, path: called } = call;
    if (!isSeedable(this.target, call))
      throw new ScriptProblem("refused", {
        path,
        expected: "a request to the platform or to an operator's hook",
        found: `${method} ${called}`,
      });
    const answer = await this.send(call);
    const { status } = answer;
    if (!isExpected(status, expect)) {
      const blamed = blamedMember(answer, call);
      const at = blamed.length > 0 ? member(blamed) : path;
      throw refused(at, `${label} to answer ${expect ?? "2xx"}`, answer);
    }
    const id = idOf(answer);
    this.report.steps.push({
      ...defined({ name }),
      method,
      path: called,
      status,
      ...defined({ id }),
    });
    if (name !== undefined && id !== undefined) this.report.names[name] = id;
    return answer;
  }
}

const refused = (path: ScriptPath, expected: string, answer: ScriptAnswer) =>
  new ScriptProblem("refused", { path, expected, found: errorText(answer) });

/**
 * Puts a fixture into a simulator, as its client and its operator would.
 * @throws ScriptProblem at the first answer that is not the expected one
 */
export const runFixture = async (fixture: Fixture, target: SeedTarget): Promise<SeedReport> => {
  const run = new SeedRun(fixture.name, target);
  await run.prepare(fixture);
  for (const [at, step] of fixture.steps.entries())
    if (isRequest(step)) await run.request(step, at);
    else await run.advance(step.advance, at);
  return run.report;
};
