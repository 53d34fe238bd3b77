import { connectAgent, createAgent, GENEROUS } from "../../setup/agents.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import {
  type AgentParties,
  ASKING,
  createAgentParties,
  decide,
  payOut,
} from "../agents/setup/agent-parties.ts";
import { accountCase, creationBody, withEnding } from "./account-bodies.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import { NOBODY } from "./payment-parties.ts";
import { invalid, type Refused } from "./refused.ts";
import { goTo } from "./told.ts";

const NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
const conflict = (reason: string): Refused => ({ status: 409, code: "CONFLICT", reason });

/** Operations whose path names a record of agents, each with a call that names none. */
const UNKNOWN: { operation: string; call: string; byAgent?: true }[] = [
  { operation: "getAgent", call: "GET /agents/Agent:none" },
  { operation: "patchAgent", call: "PATCH /agents/Agent:none" },
  { operation: "deleteAgent", call: "DELETE /agents/Agent:none" },
  { operation: "patchAgentPolicy", call: "PATCH /agents/Agent:none/policy" },
  { operation: "createAgentDeviceCode", call: "POST /agents/Agent:none/device-codes" },
  { operation: "getDeviceCodeStatus", call: "GET /agents/device-codes/none/status" },
  { operation: "redeemDeviceCode", call: "POST /agents/device-codes/none/redeem" },
  { operation: "approveAgentAction", call: "POST /agents/Agent:none/actions/none/approve" },
  { operation: "rejectAgentAction", call: "POST /agents/Agent:none/actions/none/reject" },
  { operation: "agentGetAction", call: "GET /agents/me/actions/none", byAgent: true },
  {
    operation: "agentGetExternalAccount",
    call: "GET /agents/me/external-accounts/x",
    byAgent: true,
  },
  {
    operation: "agentDeleteExternalAccount",
    call: "DELETE /agents/me/external-accounts/x",
    byAgent: true,
  },
];

type Act = (world: TestSimulator, parties: AgentParties) => Promise<Answer>;

/** A customer with money, its agent with all permissions, and an act between them. */
const between =
  (act: Act, policy: object = GENEROUS) =>
  async (world: TestSimulator) =>
    act(world, await createAgentParties(world, policy));

const unknown = UNKNOWN.map(({ operation, call, byAgent }): DeclaredRefusal => {
  const [method = "", path = ""] = call.split(" ");
  return {
    operation,
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: between((world, { agent }) => (byAgent ? agent : world).call(method, path)),
  };
});

/** Invalid policies, and the invalid field of each. */
const BAD_POLICIES: {
  word: string;
  code?: string;
  field: string;
  part: (one: AgentParties) => object;
}[] = [
  {
    word: "ACCOUNT_NOT_FOUND",
    field: "accountRestrictions.allowedAccountIds.0",
    part: () => ({ accountRestrictions: { allowedAccountIds: ["InternalAccount:none"] } }),
  },
  {
    word: "ACCOUNT_KIND_NOT_ALLOWED",
    field: "accountRestrictions.allowedAccountIds.0",
    part: ({ bank }) => ({ accountRestrictions: { allowedAccountIds: [bank] } }),
  },
  {
    word: "OWNER_MISMATCH",
    field: "accountRestrictions.accountRules.0.accountId",
    part: ({ other: { accountId } }) => ({
      accountRestrictions: { accountRules: [{ accountId, executionMode: "AUTO" }] },
    }),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    code: "AMOUNT_OUT_OF_RANGE",
    field: "spendingLimits.dailyLimit",
    part: () => ({
      spendingLimits: { ...GENEROUS.spendingLimits, dailyLimit: 9_000_000_000_000_001 },
    }),
  },
];

const policies = BAD_POLICIES.flatMap(({ word, code, field, part }): DeclaredRefusal[] => {
  const refusedAt = (where: string): Refused =>
    code === undefined ? invalid(where, word) : { status: 400, code, field: where };
  return [
    {
      operation: "createAgent",
      word,
      refused: refusedAt(`policy.${field}`),
      meet: between(({ call }, parties) => {
        const policy = { ...GENEROUS, ...part(parties) };
        const { customerId } = parties.payer;
        return call("POST", "/agents", { name: "Invoice bot", customerId, policy });
      }),
    },
    {
      operation: "patchAgentPolicy",
      word,
      refused: refusedAt(field),
      meet: between(({ call }, parties) =>
        call("PATCH", `/agents/${parties.agent.id}/policy`, part(parties)),
      ),
    },
  ];
});

const redeem = ({ call }: TestSimulator, code: string) =>
  call("POST", `/agents/device-codes/${code}/redeem`);

const management: DeclaredRefusal[] = [
  {
    operation: "createAgent",
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("customerId", "USER_NOT_FOUND"),
    meet: ({ call }) =>
      call("POST", "/agents", { name: "Invoice bot", customerId: NOBODY, policy: GENEROUS }),
  },
  {
    operation: "createAgentDeviceCode",
    word: "AGENT_ALREADY_CONNECTED",
    refused: conflict("AGENT_ALREADY_CONNECTED"),
    meet: between(({ call }, { agent }) => call("POST", `/agents/${agent.id}/device-codes`)),
  },
  {
    operation: "redeemDeviceCode",
    word: "DEVICE_CODE_ALREADY_REDEEMED",
    refused: invalid("code", "DEVICE_CODE_ALREADY_REDEEMED"),
    meet: between(async (world, { payer }) => {
      const { deviceCode } = await createAgent(world, payer.customerId);
      await redeem(world, deviceCode.code);
      return redeem(world, deviceCode.code);
    }),
  },
  {
    operation: "redeemDeviceCode",
    word: "DEVICE_CODE_EXPIRED",
    refused: invalid("code", "DEVICE_CODE_EXPIRED"),
    meet: between(async (world, { payer }) => {
      const { deviceCode } = await createAgent(world, payer.customerId);
      await goTo(world, "09:15:00.000");
      return redeem(world, deviceCode.code);
    }),
  },
  ...(["approve", "reject"] as const).map(
    (verb): DeclaredRefusal => ({
      operation: `${verb}AgentAction`,
      word: "ACTION_ALREADY_DECIDED",
      refused: conflict("ACTION_ALREADY_DECIDED"),
      meet: between(async (world, parties) => {
        const { id } = (await payOut(parties)).body;
        await decide(world, parties, { verb: "reject", id });
        return decide(world, parties, { verb, id });
      }, ASKING),
    }),
  ),
  {
    operation: "agentGetTransaction",
    word: "TRANSACTION_NOT_FOUND",
    refused: { status: 404, code: "TRANSACTION_NOT_FOUND" },
    meet: between((_world, { agent }) =>
      agent.call("GET", "/agents/me/transactions/Transaction:none"),
    ),
  },
];

const mxn = accountCase("MXN_ACCOUNT");

/** External accounts that an agent is refused. */
const externalAccounts = [
  {
    word: "INVALID_CURRENCY",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "currency" },
    body: { ...creationBody(mxn), currency: "USD" },
  },
  {
    word: "INVALID_BANK_ACCOUNT",
    refused: { status: 400, code: "INVALID_BANK_ACCOUNT", field: "accountInfo.clabeNumber" },
    body: creationBody(mxn, { clabeNumber: withEnding(mxn, "105") }),
  },
  {
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("customerId", "USER_NOT_FOUND"),
    body: { ...creationBody(mxn), customerId: NOBODY },
  },
  {
    word: "EXTERNAL_ACCOUNT_EXISTS",
    refused: conflict("EXTERNAL_ACCOUNT_EXISTS"),
    before: creationBody(mxn),
    body: creationBody(mxn),
  },
].map(
  ({ word, refused, before, body }): DeclaredRefusal => ({
    operation: "agentCreateExternalAccount",
    word,
    refused,
    meet: async (world) => {
      const { body: customer } = await world.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
      });
      const agent = await connectAgent(world, customer.id);
      if (before) await agent.call("POST", "/agents/me/external-accounts", before);
      return agent.call("POST", "/agents/me/external-accounts", body);
    },
  }),
);

/**
 * Refusals that the operations on agents and by agents declare; their payments have a list of their
 * own.
 */
export const DECLARED_AGENT_REFUSALS: DeclaredRefusal[] = [
  ...unknown,
  ...policies,
  ...management,
  ...externalAccounts,
];
