import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant, type Reading, type View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { type ListInput, page, toMs } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { agentActionLifecycle } from "../lifecycles/agent-action.ts";
import { quoteByPath, showQuote } from "../payments/quotes.ts";
import { showTransaction } from "../payments/transactions.ts";
import type { AgentActionRecord } from "../records/agent-records.ts";

/** Whether an action waits for a decision. */
export const isWaiting = ({ status }: AgentActionRecord) => status === agentActionLifecycle.starts;

const platformCustomerIdOf = (view: View, customerId: string) => {
  const customer = view.get("Customer", customerId);
  assertInvariant(customer !== undefined, "the customer of an action", { customerId });
  return customer.platformCustomerId;
};

const showRequest = (view: View, { request }: AgentActionRecord): Partial<AgentAction> => {
  if (request.type === "EXECUTE_QUOTE")
    return { quote: showQuote(view, quoteByPath(view, request.quoteId)) };
  const { amountMinor: amount, currency, sourceAccountId, destinationAccountId } = request;
  return { transferDetails: { amount, currency, sourceAccountId, destinationAccountId } };
};

/**
 * An action as it is published, its quote and transaction as they are now. A waiting action says
 * why it waits (spec/agent-actions.md#agent-action).
 */
export const showAction = (view: View, action: AgentActionRecord): AgentAction => {
  const { transactionId, rejectionReason, status } = action;
  const transaction =
    transactionId === undefined ? undefined : view.get("Transaction", transactionId);
  return {
    id: action.id,
    agentId: action.agentId,
    customerId: action.customerId,
    platformCustomerId: platformCustomerIdOf(view, action.customerId),
    status,
    type: action.request.type,
    ...showRequest(view, action),
    ...(transaction && { transaction: showTransaction(view, transaction) }),
    ...defined({ rejectionReason }),
    ...(isWaiting(action) && { why: action.judged }),
    createdAt: instant(action.createdAtMs),
    updatedAt: instant(action.updatedAtMs),
  };
};

interface ApprovalFilters {
  agentId?: string | undefined;
  customerId?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** GET /agents/approvals: actions that wait now (spec/agent-actions.md#action-lists). */
export const listApprovals: Reading<ListInput<ApprovalFilters>, unknown> = (view, input) => {
  const { agentId, customerId, startDate, endDate } = input.query;
  return page(view, {
    kind: "AgentAction",
    input,
    indexed: [
      ["byStatus", agentActionLifecycle.starts],
      ["byAgent", agentId],
      ["byCustomer", customerId],
    ],
    createdMs: { from: toMs(startDate), to: toMs(endDate) },
    show: showAction,
  });
};

interface OfAgent {
  agentId: string;
}

/** GET /agents/me/actions: the calling agent's own. */
export const listOwnActions: Reading<
  OfAgent & ListInput<{ status?: string | undefined }>,
  unknown
> = (view, { agentId, query }) =>
  page(view, {
    kind: "AgentAction",
    input: { query },
    indexed: [
      ["byAgent", agentId],
      ["byStatus", query.status],
    ],
    show: showAction,
  });

/** An action of an agent; another agent's is unknown to it. */
export const actionOf: Reading<OfAgent & { params: { actionId: string } }, AgentActionRecord> = (
  view,
  { agentId, params: { actionId: id } },
) => {
  const action = view.get("AgentAction", id);
  return action?.agentId === agentId
    ? action
    : refuse("REFERENCE_NOT_FOUND", { id, resource: "AgentAction" });
};

/** GET /agents/me/actions/{actionId}. */
export const getOwnAction: Reading<OfAgent & { params: { actionId: string } }, AgentAction> = (
  view,
  input,
  moment,
) => showAction(view, actionOf(view, input, moment));
