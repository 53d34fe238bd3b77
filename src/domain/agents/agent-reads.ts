import type { Agent } from "../../contract/agents/agents.ts";
import type { AnyTransaction } from "../../contract/payments/transactions.ts";
import { showInternalAccount } from "../accounts/internal-accounts.ts";
import type { Reading } from "../core/draft.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import type { FoundTransaction, TransactionList } from "../payments/listed-transactions.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { holderKey } from "../records/tables.ts";
import { callingAgent } from "./agent-access.ts";
import { showAgent } from "./agents.ts";

interface ByAgent {
  agentId: string;
}

/** GET /agents/me. */
export const getOwnAgent: Reading<ByAgent, Agent> = (view, { agentId }, moment) =>
  showAgent(callingAgent(view, agentId), moment);

/**
 * GET /agents/me/transactions: all of the customer's, not only this agent's
 * (spec/agents.md#own-reads).
 */
export const listAgentTransactions =
  (list: TransactionList): Reading<ByAgent & ListInput<object>, unknown> =>
  (view, { agentId, query }, moment) => {
    const { customerId } = callingAgent(view, agentId);
    return list(view, { query: { ...query, customerId } }, moment);
  };

/** GET /agents/me/transactions/{transactionId}: another customer's is unknown. */
export const getAgentTransaction =
  (
    find: Reading<{ params: { transactionId: string } }, FoundTransaction>,
  ): Reading<ByAgent & { params: { transactionId: string } }, AnyTransaction> =>
  (view, { agentId, params }, moment) => {
    const { customerId, show } = find(view, { params }, moment);
    return customerId === callingAgent(view, agentId).customerId
      ? show()
      : refuse("TRANSACTION_NOT_FOUND", { id: params.transactionId, resource: "Transaction" });
  };

interface AccountFilters {
  currency?: string | undefined;
  type?: string | undefined;
}

/**
 * GET /agents/me/internal-accounts: those that the policy allows
 * (spec/agent-policy.md#policy-accounts).
 */
export const listAgentAccounts: Reading<ByAgent & ListInput<AccountFilters>, unknown> = (
  view,
  { agentId, query },
) => {
  const { customerId, policy } = callingAgent(view, agentId);
  const allowed = policy.accountRestrictions?.allowedAccountIds;
  const held = (value: string | undefined) =>
    value === undefined ? undefined : holderKey("customer", value);
  return page(view, {
    kind: "InternalAccount",
    input: { query },
    indexed: [
      ["byOwner", customerId],
      ["byCurrency", held(query.currency)],
      ["byType", held(query.type)],
    ],
    ...(allowed && { where: ({ id }: InternalAccountRecord) => allowed.includes(id) }),
    show: showInternalAccount,
  });
};
