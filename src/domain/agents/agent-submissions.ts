import type { PolicyExplanation } from "../../contract/agents/agent-actions.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { Refusal, reasonOf, refuse, sentencesOf } from "../core/refusal.ts";
import { setTimer } from "../core/schedule.ts";
import { type AgentActionTrigger, agentActionLifecycle } from "../lifecycles/agent-action.ts";
import { moveOf } from "../lifecycles/lifecycle.ts";
import { chooseRow, useRow } from "../outcomes/next-outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type {
  AgentActionRecord,
  AgentRecord,
  AgentRequest,
  ApprovalMode,
} from "../records/agent-records.ts";
import { judged } from "./agent-access.ts";
import { showAction } from "./agent-actions.ts";
import { ACTION_PERMISSIONS, type ResolvedAction } from "./agent-operations.ts";
import {
  convertedUp,
  type JudgedAction,
  type JudgedAgent,
  judgeAction,
  type PolicyRow,
  requireNotDenied,
} from "./agent-policy.ts";
import { usageAt, usageWith } from "./agent-usage.ts";
import { approvalMode } from "./approval-mode.ts";

/** An amount as it is counted: in the limits' currency, rounded up. */
const countedMinor = ({ agent, rates }: JudgedAgent, { amount }: ResolvedAction) =>
  convertedUp(amount, agent.policy.spendingLimits.currency as CurrencyCode, rates);

/** Refuses an action that would lift a counter above the largest amount. */
const requireCountable = (who: JudgedAgent, action: ResolvedAction) => {
  const counted = countedMinor(who, action);
  const countedTo = BigInt(who.usage.monthlySpendMinor) + counted;
  if (countedTo > BigInt(MAX_AMOUNT_MINOR))
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "amount", max: MAX_AMOUNT_MINOR },
      `${counted} more would bring the agent's monthlySpend to ${countedTo}, ` +
        `above the maximum of ${MAX_AMOUNT_MINOR}`,
    );
};

/** An action that an agent asks for. */
export interface Submission {
  agent: AgentRecord;
  resolved: ResolvedAction;
}

/** An action that its policy does not deny and that is possible now, with what says so. */
export interface CheckedAction {
  resolved: ResolvedAction;
  who: JudgedAgent;
  explanation: PolicyExplanation;
}

/**
 * Checks an action: refuses one that its policy denies, that is not possible now or that no counter
 * could hold.
 * @param rows of the policy that are asked; all of them when left out
 */
export const checkAction = (
  view: View,
  { agent, resolved, rows }: Submission & { rows?: readonly PolicyRow[] },
  moment: Moment,
): CheckedAction => {
  const who = judged(view, agent, moment);
  const { request, amount, accounts } = resolved;
  const needs = [ACTION_PERMISSIONS[request.type]];
  const action: JudgedAction = { needs, initiates: true, amount, accounts };
  const explanation = judgeAction(who, action, rows);
  requireNotDenied(who, action, explanation);
  resolved.requirePossible(view, moment);
  requireCountable(who, resolved);
  return { resolved, who, explanation };
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

/** Fails an action that was taken before and is refused now. */
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
 * Does an action by the platform's own operation and counts it. An action that has failed when this
 * call ends is not counted; a later failure stays counted (spec/agent-policy.md#counting). Refuses
 * too little money.
 */
export const performAction = (
  draft: Draft,
  { action, checked }: { action: AgentActionRecord; checked: CheckedAction },
  moment: Moment,
): AgentActionRecord => {
  const { agentId } = action;
  const { resolved, who } = checked;
  const transactionId = resolved.perform(draft, { agentId, moment });
  const approved = moveAction(draft, action, { on: "approve", moment, set: { transactionId } });
  if (draft.get("Transaction", transactionId)?.status === "FAILED")
    return moveAction(draft, approved, { on: "fail", moment });
  const agent = draft.get("Agent", agentId);
  if (agent) count(draft, agent, { amountMinor: countedMinor(who, resolved), atMs: moment.atMs });
  return approved;
};

const policyRowOf = ({ decidedBy }: PolicyExplanation) => `policy.${decidedBy}`;

const subjectsOf = (request: AgentRequest) =>
  request.type === "EXECUTE_QUOTE"
    ? [request.quoteId]
    : [request.sourceAccountId, request.destinationAccountId];

/** Stores a waiting action and sends its event; an automatic decision is scheduled. */
const awaitApproval = (
  draft: Draft,
  asking: AgentActionRecord,
  moment: Moment,
): AgentActionRecord => {
  const mode = approvalMode(draft);
  const about = [asking.agentId, asking.customerId, ...subjectsOf(asking.request)];
  const chosen = chooseRow(draft, { table: "agentApproval", row: mode, about });
  const isSet = chosen.setBy !== undefined;
  const decision = useRow(draft, chosen) as ApprovalMode;
  const policyRow = policyRowOf(asking.judged);
  draft.decidedBy(policyRow, ruleName("agentApproval", decision));
  const action = isSet ? { ...asking, decision } : asking;
  draft.put("AgentAction", action);
  const { startEmits } = agentActionLifecycle;
  if (startEmits) emit(draft, moment, { type: startEmits, data: showAction(draft, action) });
  if (decision !== "ask")
    setTimer(draft, { name: "approval.decide", subject: action.id, dueAtMs: moment.atMs }, moment);
  return action;
};

/**
 * Does an action; too little money fails the action, not the call (spec/agent-actions.md#failures).
 */
const performOrFail = (
  draft: Draft,
  performing: { action: AgentActionRecord; checked: CheckedAction },
  moment: Moment,
): AgentActionRecord => {
  try {
    return draft.attempt(() => performAction(draft, performing, moment));
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.word !== "INSUFFICIENT_BALANCE") throw refusal;
    return failAction(draft, { action: performing.action, refusal }, moment);
  }
};

/**
 * Takes an action from an agent: its policy allows it now, lets it wait for a person, or denies it;
 * a denied action is not kept (spec/agent-actions.md#submission).
 * @param confirm refuses what is only asked of a new action, at the end of all checks
 */
export const submitAction = (
  draft: Draft,
  { agent, resolved, confirm }: Submission & { confirm?: (view: View) => void },
  moment: Moment,
): AgentActionRecord => {
  const checked = checkAction(draft, { agent, resolved }, moment);
  const { explanation } = checked;
  confirm?.(draft);
  const action: AgentActionRecord = {
    id: moment.newId("AgentAction"),
    agentId: agent.id,
    customerId: agent.customerId,
    status: agentActionLifecycle.starts,
    request: resolved.request,
    judged: explanation,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  if (explanation.decision === "ask") return awaitApproval(draft, action, moment);
  draft.decidedBy(policyRowOf(explanation));
  return performOrFail(draft, { action, checked }, moment);
};
