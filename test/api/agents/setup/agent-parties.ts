import { type ConnectedAgent, connectAgent, GENEROUS } from "../../../setup/agents.ts";
import { transferInput } from "../../../setup/banks.ts";
import { quoteInput } from "../../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../../setup/test-simulator.ts";
import { createParties, type Parties } from "../../setup/payment-parties.ts";

/** A customer with 1000000 cents and its agent, another customer, and the platform's accounts. */
export interface AgentParties extends Parties {
  agent: ConnectedAgent;
}

export const createAgentParties = async (
  world: TestSimulator,
  policy: object = GENEROUS,
): Promise<AgentParties> => {
  const parties = await createParties(world);
  return { ...parties, agent: await connectAgent(world, parties.payer.customerId, policy) };
};

/** A generous policy with some limits set. */
export const withLimits = (limits: object) => ({
  ...GENEROUS,
  spendingLimits: { ...GENEROUS.spendingLimits, ...limits },
});

/** A generous policy under which everything waits for a person. */
export const ASKING = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };

/** Pays dollars to the customer's bank as the agent. */
export const payOut = ({ agent, payer, bank }: AgentParties, amount: unknown = 25_000) =>
  agent.call("POST", "/agents/me/transfer-out", transferInput(payer.accountId, bank, amount));

/** Pulls dollars from the customer's bank as the agent. */
export const pullIn = ({ agent, payer, bank }: AgentParties, amount: unknown = 25_000) =>
  agent.call("POST", "/agents/me/transfer-in", transferInput(bank, payer.accountId, amount));

/** Asks for a quote to Mexico as the agent, with some members changed. */
export const askQuote = ({ agent, payer, mexican }: AgentParties, members: object = {}) =>
  agent.call("POST", "/agents/me/quotes", { ...quoteInput(payer.accountId, mexican), ...members });

export const executeQuote = (
  { agent }: AgentParties,
  quoteId: string,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  agent.call("POST", `/agents/me/quotes/${quoteId}/execute`, undefined, headers);

/** Asks for a quote to Mexico as the agent and executes it. */
export const payQuote = async (parties: AgentParties, members: object = {}) =>
  executeQuote(parties, (await askQuote(parties, members)).body.id);

/** Decides an action of the agent as the platform. */
export const decide = (
  { call }: TestSimulator,
  { agent }: AgentParties,
  { verb, id, body }: { verb: "approve" | "reject"; id: string; body?: object | undefined },
) => call("POST", `/agents/${agent.id}/actions/${id}/${verb}`, body);

export const usageOf = async ({ agent }: AgentParties) => {
  const { usage } = (await agent.call("GET", "/agents/me")).body;
  return [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend];
};
