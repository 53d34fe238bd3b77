import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { GENEROUS } from "../../setup/agents.ts";
import { transferInput } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { accountCase, creationBody } from "../setup/account-bodies.ts";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  ASKING,
  askQuote,
  createAgentParties,
  payOut,
} from "./setup/agent-parties.ts";

const ALL = GENEROUS.permissions as readonly string[];

const world = worldPerTest();

/** An agent's customer with records of each kind that the agent's operations name. */
interface Populated extends AgentParties {
  quoteId: string;
  transactionId: string;
  actionId: string;
}

let parties: Populated;

const agentParties = preparedOnce((one) => createAgentParties(one, ASKING));

beforeEach(async () => {
  const made = await agentParties(world());
  const { body: quote } = await askQuote(made);
  const { body: action } = await payOut(made);
  const { id: quoteId, transactionId } = quote;
  parties = { ...made, quoteId, transactionId, actionId: action.id };
});

/** The permission and the success of each operation of an agent (spec/agents.md#agent-access). */
const OPERATIONS: {
  operation: string;
  needs?: string;
  done: number;
  call: string;
  body?: (one: Populated) => object;
}[] = [
  { operation: "agentGetMe", done: 200, call: "GET " },
  {
    operation: "agentListTransactions",
    needs: "VIEW_TRANSACTIONS",
    done: 200,
    call: "GET /transactions",
  },
  {
    operation: "agentGetTransaction",
    needs: "VIEW_TRANSACTIONS",
    done: 200,
    call: "GET /transactions/{transactionId}",
  },
  {
    operation: "agentCreateQuote",
    needs: "CREATE_QUOTES",
    done: 201,
    call: "POST /quotes",
    body: ({ payer, mexican }) => quoteInput(payer.accountId, mexican),
  },
  { operation: "agentGetQuote", done: 200, call: "GET /quotes/{quoteId}" },
  {
    operation: "agentExecuteQuote",
    needs: "EXECUTE_QUOTES",
    done: 200,
    call: "POST /quotes/{quoteId}/execute",
  },
  { operation: "agentListActions", done: 200, call: "GET /actions" },
  { operation: "agentGetAction", done: 200, call: "GET /actions/{actionId}" },
  {
    operation: "agentTransferIn",
    needs: "CREATE_TRANSFERS",
    done: 201,
    call: "POST /transfer-in",
    body: ({ payer, bank }) => transferInput(bank, payer.accountId, 1),
  },
  {
    operation: "agentTransferOut",
    needs: "CREATE_TRANSFERS",
    done: 201,
    call: "POST /transfer-out",
    body: ({ payer, bank }) => transferInput(payer.accountId, bank, 1),
  },
  {
    operation: "agentListInternalAccounts",
    needs: "VIEW_TRANSACTIONS",
    done: 200,
    call: "GET /internal-accounts",
  },
  {
    operation: "agentListExternalAccounts",
    needs: "MANAGE_EXTERNAL_ACCOUNTS",
    done: 200,
    call: "GET /external-accounts",
  },
  {
    operation: "agentCreateExternalAccount",
    needs: "MANAGE_EXTERNAL_ACCOUNTS",
    done: 201,
    call: "POST /external-accounts",
    body: () => creationBody(accountCase("GBP_ACCOUNT")),
  },
  {
    operation: "agentGetExternalAccount",
    needs: "MANAGE_EXTERNAL_ACCOUNTS",
    done: 200,
    call: "GET /external-accounts/{bank}",
  },
  {
    operation: "agentDeleteExternalAccount",
    needs: "MANAGE_EXTERNAL_ACCOUNTS",
    done: 204,
    call: "DELETE /external-accounts/{bank}",
  },
];

type Operation = (typeof OPERATIONS)[number];

const WRITES = OPERATIONS.filter(({ call }) => !call.startsWith("GET"));
const GATED = OPERATIONS.filter(({ needs }) => needs !== undefined);

const addressOf = ({ call }: Operation) => {
  const [method = "", below = ""] = call.split(" ");
  const known = parties as unknown as Record<string, string>;
  const path = below.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "none");
  return { method, path: `/agents/me${path}` };
};

/** Calls one operation as the agent. */
const act = (one: Operation): Promise<Answer> => {
  const { method, path } = addressOf(one);
  return parties.agent.call(method, path, one.body?.(parties));
};

const permit = (permissions: readonly string[]) =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, { permissions });

const pause = (isPaused: boolean) =>
  world().call("PATCH", `/agents/${parties.agent.id}`, { isPaused });

test("every operation of agents is tested here", () => {
  const named = PLATFORM_ENDPOINTS.filter(({ agentAccess }) => agentAccess);
  expect(OPERATIONS.map(({ operation }) => operation).sort()).toEqual(
    named.map(({ operationId }) => operationId).sort(),
  );
  expect(named.filter(({ path }) => !/^\/agents\/me(\/|$)/.test(path))).toEqual([]);
});

describe.each(OPERATIONS)("$operation", (one) => {
  const { needs, done } = one;

  test(`is done with ${needs ?? "no permission"} alone`, async () => {
    await permit(needs === undefined ? [] : [needs]);
    expect((await act(one)).status).toBe(done);
  });

  test("is refused with any other credential than an agent's token", async () => {
    const { method, path } = addressOf(one);
    const { sim, raw } = world();
    const { accessToken } = parties.agent;
    const pair = btoa(`${sim.clientId}:${sim.clientSecret}`);
    for (const authorization of [
      `Basic ${pair}`,
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${pair}`,
      `Bearer ${sim.clientSecret}`,
      accessToken,
      `Basic ${accessToken}`,
      `Bearer ${accessToken}0`,
      `Bearer ${accessToken.slice(0, -1)}`,
      `Bearer ${accessToken.toUpperCase()}`,
      `Bearer ${parties.agent.id}`,
    ]) {
      const answer = await raw(method, path, { headers: { authorization } });
      expectRefused(answer, { status: 401, code: "UNAUTHORIZED" });
      expect(answer.headers.get("www-authenticate")).toBeNull();
    }
  });
});

describe.each(GATED)("$operation", (one) => {
  test(`is refused with everything but ${one.needs}, and says so`, async () => {
    const others = ALL.filter((permission) => permission !== one.needs);
    await permit(others);
    await expectNothing(world(), () => act(one), {
      status: 403,
      code: "FORBIDDEN",
      reason: "PERMISSION_DENIED",
    });
    const isWrite = WRITES.includes(one);
    expect((await act(one)).body.details).toEqual({
      agentId: parties.agent.id,
      requiredPermission: one.needs,
      reason: "PERMISSION_DENIED",
      decision: "deny",
      decidedBy: "permission",
      checks: [
        ...(isWrite ? [{ name: "paused", passed: true, limit: false, value: false }] : []),
        { name: "permission", passed: false, limit: [one.needs], value: others },
      ],
    });
  });
});

// spec/agents.md#pause
describe("a paused agent", () => {
  test.each(WRITES)("is refused $operation, until it is resumed", async (one) => {
    await pause(true);
    await expectNothing(world(), () => act(one), {
      status: 403,
      code: "FORBIDDEN",
      reason: "AGENT_PAUSED",
    });
    expect((await act(one)).body.details).toMatchObject({
      agentId: parties.agent.id,
      decision: "deny",
      decidedBy: "paused",
      checks: [
        { name: "paused", passed: false, limit: false, value: true },
        { name: "permission", passed: true },
      ],
    });
    await pause(false);
    expect((await act(one)).status).toBe(one.done);
  });

  test.each(OPERATIONS.filter((one) => !WRITES.includes(one)))("reads: $operation", async (one) => {
    await pause(true);
    expect((await act(one)).status).toBe(one.done);
    if (one.needs === undefined) return;
    await permit(ALL.filter((permission) => permission !== one.needs));
    expectRefused(await act(one), {
      status: 403,
      code: "FORBIDDEN",
      reason: "PERMISSION_DENIED",
    });
  });

  test("is refused for the pause before a missing permission", async () => {
    await permit([]);
    await pause(true);
    for (const one of WRITES)
      expectRefused(await act(one), { status: 403, code: "FORBIDDEN", reason: "AGENT_PAUSED" });
  });
});

describe("an agent's token", () => {
  const bearer = () => ({ authorization: `Bearer ${parties.agent.accessToken}` });

  test("opens no operation of the platform", async () => {
    const { id } = parties.agent;
    for (const [method, path] of [
      ["GET", "/config"],
      ["GET", "/customers"],
      ["GET", "/agents"],
      ["GET", `/agents/${id}`],
      ["PATCH", `/agents/${id}`],
      ["PATCH", `/agents/${id}/policy`],
      ["DELETE", `/agents/${id}`],
      ["POST", `/agents/${id}/device-codes`],
      ["GET", "/agents/approvals"],
      ["POST", `/agents/${id}/actions/${parties.actionId}/approve`],
      ["POST", `/agents/${id}/actions/${parties.actionId}/reject`],
      ["POST", "/quotes"],
      ["POST", `/quotes/${parties.quoteId}/execute`],
      ["POST", "/transfer-out"],
      ["GET", `/transactions/${parties.transactionId}`],
      ["POST", `/sandbox/internal-accounts/${parties.payer.accountId}/fund`],
    ] as const) {
      const answer = await world().raw(method, path, { headers: bearer() });
      expectRefused(answer, { status: 401, code: "UNAUTHORIZED" });
    }
  });

  test("accepts its scheme in any case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const authorization = `${scheme} ${parties.agent.accessToken}`;
      const answer = await world().raw("GET", "/agents/me", { headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  });

  test("shows its agent as the platform sees it", async () => {
    const own = await parties.agent.call("GET", "/agents/me");
    const seen = await world().call("GET", `/agents/${parties.agent.id}`);
    expect(own.body).toEqual(seen.body);
  });
});

test("a policy that changes counts from the next call on", async () => {
  const one = OPERATIONS.find(({ operation }) => operation === "agentTransferOut") as Operation;
  for (const [permissions, status] of [
    [["CREATE_TRANSFERS"], 201],
    [[], 403],
    [["CREATE_TRANSFERS"], 201],
  ] as const) {
    await permit(permissions);
    expect((await act(one)).status).toBe(status);
  }
});
