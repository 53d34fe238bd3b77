import type {
  ExternalAccount,
  ExternalAccountInput,
} from "../../contract/accounts/external-accounts.ts";
import {
  createCustomerExternalAccount,
  listExternalAccounts,
} from "../accounts/external-accounts.ts";
import { showExternalAccount } from "../accounts/shown-external-accounts.ts";
import type { Draft, Moment, Reading, Rule } from "../core/draft.ts";
import type { ListInput } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import type { AgentRecord } from "../records/agent-records.ts";
import type { ExternalAccountRecord } from "../records/records.ts";
import { callingAgent, requirePermitted } from "./agent-access.ts";

interface ByAgent {
  agentId: string;
}

interface ByPath extends ByAgent {
  params: { externalAccountId: string };
}

const actingAgent = (draft: Draft, { agentId }: ByAgent, moment: Moment): AgentRecord => {
  const agent = callingAgent(draft, agentId);
  const action = { needs: ["MANAGE_EXTERNAL_ACCOUNTS"], initiates: true } as const;
  requirePermitted(draft, { agent, action }, moment);
  return agent;
};

/**
 * POST /agents/me/external-accounts: an account of the agent's customer, named or not. Another
 * customer is unknown to the agent. It needs no approval (spec/agents.md#own-external-accounts).
 */
export const createAgentExternalAccount: Rule<
  ByAgent & { body: ExternalAccountInput },
  ExternalAccount
> = (draft, { agentId, body }, moment) => {
  const { customerId } = actingAgent(draft, { agentId }, moment);
  if (body.customerId != null && body.customerId !== customerId)
    refuse("USER_NOT_FOUND_IN_BODY", { field: "customerId", value: body.customerId });
  return createCustomerExternalAccount(draft, { body: { ...body, customerId } }, moment);
};

/** The account a path names, if it is of the agent's customer; 404 otherwise. */
export const agentExternalAccountByPath: Reading<ByPath, ExternalAccountRecord> = (
  view,
  { agentId, params: { externalAccountId: id } },
) => {
  const account = view.get("ExternalAccount", id);
  return account?.customerId === callingAgent(view, agentId).customerId
    ? account
    : refuse("REFERENCE_NOT_FOUND", { id, resource: "ExternalAccount" });
};

/** GET /agents/me/external-accounts/{externalAccountId}. */
export const getAgentExternalAccount: Reading<ByPath, ExternalAccount> = (view, input, moment) =>
  showExternalAccount(view, agentExternalAccountByPath(view, input, moment));

/** GET /agents/me/external-accounts. */
export const listAgentExternalAccounts: Reading<
  ByAgent & ListInput<{ currency?: string | undefined }>,
  unknown
> = (view, { agentId, query }, moment) => {
  const { customerId } = callingAgent(view, agentId);
  return listExternalAccounts("customer")(view, { query: { ...query, customerId } }, moment);
};

/** DELETE /agents/me/external-accounts/{externalAccountId}. */
export const deleteAgentExternalAccount: Rule<ByPath, void> = (draft, input, moment) => {
  const account = agentExternalAccountByPath(draft, input, moment);
  actingAgent(draft, input, moment);
  draft.del("ExternalAccount", account.id);
};
