import type { AgentPolicyInput } from "../../src/contract/agents/agents.ts";
import type { Answer, TestSimulator } from "./test-simulator.ts";

/** A policy that lets everything through up to 400.00 USD at once. */
export const GENEROUS: AgentPolicyInput = {
  permissions: [
    "VIEW_TRANSACTIONS",
    "CREATE_TRANSFERS",
    "CREATE_QUOTES",
    "EXECUTE_QUOTES",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
};

/** An agent whose software is connected. */
export interface ConnectedAgent {
  id: string;
  accessToken: string;
  /** Calls the platform with the agent's token; the answer is checked as any other. */
  call(
    ...given: [method: string, path: string, body?: unknown, headers?: Record<string, string>]
  ): Promise<Answer>;
}

/** An agent that is not connected yet, as POST /agents answers it. */
export const createAgent = async (
  { call }: TestSimulator,
  customerId: string,
  policy: object = GENEROUS,
) => {
  const input = { name: "Invoice bot", customerId, policy };
  const { status, body } = await call("POST", "/agents", input);
  if (status !== 201) throw new Error(`Expected an agent but found ${JSON.stringify(body)}`);
  return body;
};

/** Creates an agent and redeems its device code. */
export const connectAgent = async (
  world: TestSimulator,
  customerId: string,
  policy: object = GENEROUS,
): Promise<ConnectedAgent> => {
  const { agent, deviceCode } = await createAgent(world, customerId, policy);
  const path = `/agents/device-codes/${deviceCode.code}/redeem`;
  const { body: redeemed } = await world.call("POST", path);
  const authorization = `Bearer ${redeemed.accessToken}`;
  return {
    id: agent.id,
    accessToken: redeemed.accessToken,
    call: (...[method, path, body, headers = {}]) =>
      world.raw(method, path, {
        headers: {
          authorization,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
};
