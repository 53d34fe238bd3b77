import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { Refusal, reasonOf, refuse, sentencesOf } from "../core/refusal.ts";
import { setTimer } from "../core/schedule.ts";
import { type AgentActionTrigger, agentActionLifecycle } from "../lifecycles/agent-action.ts";
import { moveOf } from "../lifecycles/lifecycle.ts";
import type { AgentActionRecord, AgentRecord, AgentRequest } from "../records/agent-records.ts";
import { judged } from "./agent-access.ts";
import { showAction } from "./agent-actions.ts";
import { type Examined, operationFor } from "./agent-operations.ts";
import {
  convertedUp,
  type JudgedAction,
  type JudgedAgent,
  judgeAction,
  requireNotDenied,
} from "./agent-policy.ts";
import { usageAt, usageWith } from "./agent-usage.ts";
import { approvalMode } from "./approval-mode.ts";

/** What an action's policy is asked: everything is known of it. */
export const judgedAs = (request: AgentRequest, examined: Examined): JudgedAction => ({
  needs: [operationFor(request).needs],
  initiates: true,
  ...examined,
});

/** An amount as it is counted: in the limits' currency, rounded up. */
const countedMinor = ({ agent, rates }: JudgedAgent, { amount }: Examined) =>
  convertedUp(amount, agent.policy.spendingLimits.currency as CurrencyCode, rates);

/** Refuses what would carry a counter beyond every amount there is. */
export const requireCountable = (who: JudgedAgent, examined: Examined) => {
  const counted = countedMinor(who, examined);
  const countedTo = BigInt(who.usage.monthlySpendMinor) + counted;
  if (countedTo > BigInt(MAX_AMOUNT_MINOR))
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "amount", max: MAX_AMOUNT_MINOR },
      `${counted} more would bring the agent's monthlySpend to ${countedTo}, ` +
        `above the maximum of ${MAX_AMOUNT_MINOR}`,
    );
};

/** Moves an action and stores it. */
export const moveAction = (
  draft: Draft,
  action: AgentActionRecord,
  {
    on,
    moment,
    set = {},
  }: {
    on: AgentActionTrigger;
    moment: Moment;
    set?: Partial<AgentActionRecord>;
  },
): AgentActionRecord => {
  const { to } = moveOf(agentActionLifecycle, action.status, on);
  const moved = { ...action, ...set, status: to, updatedAtMs: moment.atMs };
  draft.put("AgentAction", moved);
  return moved;
};

/** An action that is refused now, though it was taken before: it has failed. */
export const failAction = (
  draft: Draft,
  { action, refusal }: { action: AgentActionRecord; refusal: Refusal },
  moment: Moment,
): AgentActionRecord => {
  const failedBecause = { reason: reasonOf(refusal), says: sentencesOf(refusal).says };
  return moveAction(draft, action, { on: "fail", moment, set: { failedBecause } });
};

/** One more action, by its amount in the limits' currency. */
const count = (
  draft: Draft,
  agent: AgentRecord,
  { amountMinor, atMs }: { amountMinor: bigint; atMs: number },
) => draft.put("Agent", { ...agent, usage: usageWith(usageAt(agent, atMs), Number(amountMinor)) });

/**
 * Does what an action asks for, by the platform's own operation, and counts it. One that has
 * failed when this call ends is not counted (decisions, Agents); one that fails later stays
 * counted (platform O-43). Refuses too little money.
 */
export const performAction = (
  draft: Draft,
  { action, who, examined }: { action: AgentActionRecord; who: JudgedAgent; examined: Examined },
  moment: Moment,
): AgentActionRecord => {
  const { request, agentId } = action;
  const transactionId = operationFor(request).perform(draft, request, { agentId, moment });
  const approved = moveAction(draft, action, { on: "approve", moment, set: { transactionId } });
  if (draft.get("Transaction", transactionId)?.status === "FAILED")
    return moveAction(draft, approved, { on: "fail", moment });
  const agent = draft.get("Agent", agentId);
  if (agent) count(draft, agent, { amountMinor: countedMinor(who, examined), atMs: moment.atMs });
  return approved;
};

/** Stores an action that a person decides, and tells of it; or leaves it to the simulator. */
const awaitApproval = (
  draft: Draft,
  action: AgentActionRecord,
  moment: Moment,
): AgentActionRecord => {
  draft.put("AgentAction", action);
  const { startEmits } = agentActionLifecycle;
  if (startEmits) emit(draft, moment, { type: startEmits, data: showAction(draft, action) });
  if (approvalMode(draft) !== "ask")
    setTimer(draft, { name: "approval.decide", subject: action.id, dueAtMs: moment.atMs }, moment);
  return action;
};

/** Too little money is no error for an agent: its action has failed (decisions, Agents). */
const performOrFail = (
  draft: Draft,
  performing: { action: AgentActionRecord; who: JudgedAgent; examined: Examined },
  moment: Moment,
): AgentActionRecord => {
  try {
    return draft.attempt(() => performAction(draft, performing, moment));
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.word !== "INSUFFICIENT_BALANCE") throw refusal;
    return failAction(draft, { action: performing.action, refusal }, moment);
  }
};

/** What an agent asks for. */
export interface Submission {
  agent: AgentRecord;
  request: AgentRequest;
  /** Refuses what is only asked once, at the end of all checks. */
  confirm?: (view: View) => void;
}

/**
 * Takes an action from an agent (platform digest 5.3): its policy lets it happen now, has it wait
 * for a person, or denies it, and then nothing is kept.
 */
export const submitAction = (
  draft: Draft,
  { agent, request, confirm }: Submission,
  moment: Moment,
): AgentActionRecord => {
  const operation = operationFor(request);
  const examined = operation.examine(draft, request, agent);
  const who = judged(draft, agent, moment);
  const asked = judgedAs(request, examined);
  const explanation = judgeAction(who, asked);
  requireNotDenied(who, asked, explanation);
  operation.requirePossible(draft, request);
  requireCountable(who, examined);
  confirm?.(draft);
  const action: AgentActionRecord = {
    id: moment.newId("AgentAction"),
    agentId: agent.id,
    customerId: agent.customerId,
    status: agentActionLifecycle.starts,
    request,
    judged: explanation,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.decidedBy(`policy.${explanation.decidedBy}`);
  return explanation.decision === "ask"
    ? awaitApproval(draft, action, moment)
    : performOrFail(draft, { action, who, examined }, moment);
};
