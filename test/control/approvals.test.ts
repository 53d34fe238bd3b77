import { expect, test } from "vitest";
import { stagePerTest } from "../api/setup/stage-per-test.ts";
import { type ConnectedAgent, connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import type { Parsed } from "../setup/test-simulator.ts";

const stage = stagePerTest(100_000);

const ASKING = { ...GENEROUS, approvalThresholds: { currency: "USD", amount: 20_000 } };

interface Asked {
  agent: ConnectedAgent;
  action: Parsed;
  bankId: string;
}

/** An agent that has requested 325.00 USD, above its threshold. */
const ask = async ({
  policy = ASKING as object,
  amount = 32_500,
  suffix = "999",
} = {}): Promise<Asked> => {
  const { world, payer } = stage();
  const bankId = await createBank(world, payer.customerId, suffix);
  const agent = await connectAgent(world, payer.customerId, policy);
  const body = transferInput(payer.accountId, bankId, amount);
  const { body: action } = await agent.call("POST", "/agents/me/transfer-out", body);
  expect(action.status).toBe("PENDING_APPROVAL");
  return { agent, action, bankId };
};

const decide = (id: string, verb: string, body?: object) =>
  stage().world.control("POST", `/approvals/${encodeURIComponent(id)}/${verb}`, body);

// spec/agent-actions.md#operator-decisions
test("a waiting action is listed with what a person decides by", async () => {
  const { agent, action, bankId } = await ask();
  await stage().world.sim.advance("7m12s");
  const { body } = await stage().world.control("GET", "/approvals");
  expect(body).toMatchObject({ hasMore: false, totalCount: 1, mode: "ask" });
  expect(body.data).toEqual([
    {
      id: action.id,
      agentId: agent.id,
      agentName: "Invoice bot",
      type: "TRANSFER_OUT",
      status: "PENDING_APPROVAL",
      amount: 32_500,
      currency: "USD",
      to: { id: bankId, name: "Prueba SA", identifier: "accountNumber …3999" },
      waitsMs: 432_000,
      because: { rule: "approvalThreshold", limit: 20_000, value: 32_500, currency: "USD" },
      action,
    },
  ]);
});

test("approving answers with the payment, the balance and the webhooks it came to", async () => {
  const { action } = await ask();
  const { payer } = stage();
  const { status, body } = await decide(action.id.slice(-6), "approve");
  expect(status).toBe(200);
  expect(body.action).toMatchObject({ id: action.id, status: "APPROVED" });
  expect(body.action.why).toBeUndefined();
  expect(body.transaction).toMatchObject({
    status: "COMPLETED",
    path: ["PENDING", "PROCESSING", "COMPLETED"],
  });
  expect(body.balances).toEqual([
    { accountId: payer.accountId, currency: "USD", before: 100_000, after: 67_500 },
  ]);
  expect(body.webhooks.map(({ type, state }: Parsed) => [type, state]).sort()).toEqual([
    ["INTERNAL_ACCOUNT.BALANCE_UPDATED", "ACCEPTED"],
    ["OUTGOING_PAYMENT.COMPLETED", "ACCEPTED"],
    ["OUTGOING_PAYMENT.PENDING", "ACCEPTED"],
    ["OUTGOING_PAYMENT.PROCESSING", "ACCEPTED"],
  ]);
});

test("a receiver that fails is not waited for: its webhooks are told as they stand", async () => {
  const { action } = await ask();
  stage().receiver.behaviour = (_event, response) => {
    response.writeHead(500).end();
  };
  const { body } = await decide(action.id, "approve");
  expect(body.action.status).toBe("APPROVED");
  const states = body.webhooks.map(({ state }: Parsed) => state);
  expect(states).toContain("RETRYING");
});

test("approving what cannot be done any more says why, and moves nothing", async () => {
  const { action } = await ask();
  const { world, payer } = stage();
  const elsewhere = await createBank(world, payer.customerId, "998");
  await world.call("POST", "/transfer-out", transferInput(payer.accountId, elsewhere, 80_000));
  const { status, body } = await decide(action.id, "approve");
  expect(status).toBe(200);
  expect(body.action).toMatchObject({ status: "FAILED" });
  expect(body.transaction).toBeUndefined();
  expect(body.because).toEqual({
    reason: "INSUFFICIENT_BALANCE",
    says: "The balance 20000 is less than the 32500 needed",
  });
  expect(body.balances).toMatchObject([{ before: 20_000, after: 20_000 }]);
});

test("rejecting keeps the reason for the agent", async () => {
  const { agent, action } = await ask();
  const { body } = await decide(action.id, "reject", { reason: "not this supplier" });
  expect(body).toMatchObject({ action: { status: "REJECTED" }, webhooks: [] });
  const { body: read } = await agent.call("GET", `/agents/me/actions/${action.id}`);
  expect(read).toMatchObject({ status: "REJECTED", rejectionReason: "not this supplier" });
});

test("what was decided is not decided again", async () => {
  const { action } = await ask();
  await decide(action.id, "reject");
  for (const verb of ["approve", "reject"]) {
    const { status, body } = await decide(action.id, verb);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: "CONFLICT",
      message: `The action ${action.id} is already REJECTED`,
    });
  }
});

test("an id that fits nothing is told so", async () => {
  expect(await decide("ffffff", "approve")).toMatchObject({ status: 404 });
});

test("who decides can be set, and counts for what begins to wait then", async () => {
  const { action } = await ask();
  const { world } = stage();
  expect((await world.control("PUT", "/approvals", { mode: "approve" })).body).toEqual({
    mode: "approve",
  });
  const second = await ask({ suffix: "997", amount: 20_001 });
  await world.sim.advance("1s");
  const { body } = await second.agent.call("GET", `/agents/me/actions/${second.action.id}`);
  expect(body.status).toBe("APPROVED");
  const { body: list } = await world.control("GET", "/approvals");
  expect(list).toMatchObject({ mode: "approve", totalCount: 1, data: [{ id: action.id }] });
  expect((await world.control("PUT", "/approvals", { mode: "maybe" })).status).toBe(400);
});
