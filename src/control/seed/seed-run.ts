import type { Advanced } from "../../contract/control/clock.ts";
import type { SeedReport } from "../../contract/control/seed.ts";
import { defined } from "../../contract/core/defined.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import { type PlacedStep, scriptOf } from "../../scripts/fixture-script.ts";
import { type AnsweringWorld, sendInProcess } from "../../scripts/in-process-send.ts";
import {
  blamedMember,
  controlPath,
  type ScriptCall,
  type Send,
} from "../../scripts/script-call.ts";
import { ScriptProblem } from "../../scripts/script-problem.ts";
import { type Outcome, ScriptRun } from "../../scripts/script-run.ts";
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

/** Longest advance: no receiver is waited for, but the machine may be slow. */
const LONGEST_ADVANCE_MS = 3_600_000;

/** The problem of a step that was not answered as expected, at the place that is to blame. */
const problemOf = (
  { step, blamed, member }: PlacedStep,
  { called, status, answer, differences: [first] }: Outcome,
  at: number,
) => {
  if (!first) return undefined;
  const { path, expected, found } = first;
  if (first.at !== "status" || status === undefined || !("request" in step))
    return new ScriptProblem("refused", { path, expected, found });
  const { method, body } = step.request;
  const named =
    blamed[0] === "steps"
      ? `step ${step.name ?? at + 1}, ${method} ${called},`
      : `${method} ${called}`;
  const inBody = blamedMember({ status, body: answer }, body);
  return new ScriptProblem("refused", {
    path: inBody.length > 0 ? member(inBody) : blamed,
    expected: `${named} to answer ${expected}`,
    found,
  });
};

/**
 * Puts a fixture into a simulator, as its client and its operator would.
 * @throws ScriptProblem at the first answer that is not the expected one
 */
export const runFixture = async (
  fixture: Fixture,
  target: SeedTarget,
  revision: Revision,
): Promise<SeedReport> => {
  const report: SeedReport = { fixture: fixture.name, steps: [], names: {} };
  const inProcess = sendInProcess(target);
  let doing: PlacedStep | undefined;
  const send: Send = async (call) => {
    if (doing && "request" in doing.step && !isSeedable(target, call))
      throw new ScriptProblem("refused", {
        path: doing.blamed,
        expected: "a request to the platform or to an operator's hook",
        found: `${call.method} ${call.path}`,
      });
    return inProcess(call);
  };
  const run = new ScriptRun(send, { longestAdvanceMs: LONGEST_ADVANCE_MS });
  for (const placed of scriptOf(fixture, revision)) {
    doing = placed;
    const { step, path } = placed;
    const outcome = await run.outcomeOf(step, path);
    const problem = problemOf(placed, outcome, Number(path[1]));
    if (problem) throw problem;
    if ("advance" in step) {
      const { to, firedCount, webhookCount } = outcome.answer as Advanced;
      report.steps.push({ advance: step.advance, to, firedCount, webhookCount });
    } else if ("request" in step) {
      const { called = "", status = 0, id } = outcome;
      const { name, request } = step;
      report.steps.push({
        ...defined({ name }),
        method: request.method,
        path: called,
        status,
        ...defined({ id }),
      });
      if (name !== undefined && id !== undefined) report.names[name] = id;
    }
  }
  return report;
};
