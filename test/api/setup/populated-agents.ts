import { connectAgent, createAgent, GENEROUS } from "../../setup/agents.ts";
import { transferInput } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { accountCase, creationBody } from "./account-bodies.ts";
import type { KnownIds } from "./populated.ts";

const ASKING = { ...GENEROUS, approvalThresholds: { currency: "USD", amount: 30_000 } };

/** A connected agent with a quote and a waiting action, and an agent that is not connected yet. */
export const populateAgents = async (
  world: TestSimulator,
  { customerId = "", accountId = "", bankId = "", externalAccountId = "" }: KnownIds,
): Promise<KnownIds> => {
  const agent = await connectAgent(world, customerId, ASKING);
  const input = quoteInput(accountId, externalAccountId);
  const { body: quote } = await agent.call("POST", "/agents/me/quotes", input);
  const transfer = transferInput(accountId, bankId, 30_001);
  const { body: action } = await agent.call("POST", "/agents/me/transfer-out", transfer);
  const { agent: spare, deviceCode } = await createAgent(world, customerId);
  return {
    agentId: agent.id,
    agentToken: agent.accessToken,
    agentQuoteId: quote.id,
    actionId: action.id,
    spareAgentId: spare.id,
    code: deviceCode.code,
  };
};

/** The record behind a path's parameter, where its name does not tell. */
export const AGENT_ID_NAMES: Record<string, string> = {
  agentGetQuote: "agentQuoteId",
  agentExecuteQuote: "agentQuoteId",
  createAgentDeviceCode: "spareAgentId",
  deleteAgent: "spareAgentId",
};

const policyOf = ({ accountId = "" }: KnownIds) => ({
  permissions: ["VIEW_TRANSACTIONS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 40_000,
    dailyLimit: 90_000,
    dailyTransactionLimit: 4,
    monthlyLimit: 500_000,
  },
  accountRestrictions: {
    allowedAccountIds: [accountId],
    accountRules: [{ accountId, executionMode: "APPROVAL_REQUIRED", perTransactionLimit: 35_000 }],
  },
  approvalThresholds: { currency: "USD", amount: 20_000 },
});

/** Bodies that the operations of agents accept, with every documented member. */
export const AGENT_BODIES: Record<string, (ids: KnownIds) => object> = {
  createAgent: (ids) => ({
    name: "Invoice bot",
    customerId: ids.customerId,
    policy: policyOf(ids),
  }),
  patchAgent: () => ({ name: "Payroll bot", isPaused: false }),
  patchAgentPolicy: ({ accountId = "" }) => ({
    ...policyOf({ accountId }),
    permissions: GENEROUS.permissions,
  }),
  rejectAgentAction: () => ({ reason: "Not now" }),
  agentCreateQuote: ({ customerId, accountId, externalAccountId, lookupId }) => ({
    source: { sourceType: "ACCOUNT", accountId, customerId },
    destination: { destinationType: "ACCOUNT", accountId: externalAccountId, paymentRail: "SPEI" },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    lookupId,
    immediatelyExecute: false,
    description: "Rent",
    purposeOfPayment: "GIFT",
    senderCustomerInfo: {},
  }),
  agentTransferIn: ({ bankId = "", accountId = "" }) => transferInput(bankId, accountId, 25_000),
  agentTransferOut: ({ bankId = "", accountId = "" }) => transferInput(accountId, bankId, 25_000),
  agentCreateExternalAccount: ({ customerId }) => ({
    customerId,
    platformAccountId: "payee-89",
    defaultUmaDepositAccount: true,
    ...creationBody(accountCase("GBP_ACCOUNT")),
  }),
};
