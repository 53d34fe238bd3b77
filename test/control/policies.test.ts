import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../api/setup/every-operation.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { type ConnectedAgent, connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank } from "../setup/banks.ts";
import { createPayee, createPayer, type Payer, quoteInput } from "../setup/platform.ts";
import type { Parsed } from "../setup/test-simulator.ts";

const world = worldPerTest();

interface Governed {
  payer: Payer;
  agent: ConnectedAgent;
  bankId: string;
}

const POLICY = {
  ...GENEROUS,
  spendingLimits: { currency: "USD", perTransactionLimit: 40_000, dailyLimit: 50_000 },
  approvalThresholds: { currency: "USD", amount: 20_000 },
};

const govern = async (policy: object = POLICY): Promise<Governed> => {
  const payer = await createPayer(world(), 100_000);
  const bankId = await createBank(world(), payer.customerId);
  return { payer, bankId, agent: await connectAgent(world(), payer.customerId, policy) };
};

const evaluate = async (agentId: string, body: object) =>
  world().control("POST", `/agents/${encodeURIComponent(agentId)}/evaluate`, body);

const named = ({ checks }: Parsed, name: string) =>
  checks.find((check: Parsed) => check.name === name);

// spec/agent-policy.md#dry-run
describe("a hypothetical action", () => {
  test.each([
    { amount: 20_000, decision: "allow", decidedBy: "executionMode" },
    { amount: 20_001, decision: "ask", decidedBy: "approvalThreshold" },
    { amount: 40_000, decision: "ask", decidedBy: "approvalThreshold" },
    { amount: 40_001, decision: "deny", decidedBy: "perTransactionLimit" },
  ])("of $amount is told $decision by $decidedBy, and does not happen", async (row) => {
    const { agent, bankId } = await govern();
    const before = await fingerprintOf(world());
    const input = { amount: row.amount, destination: { accountId: bankId.slice(-6) } };
    const { status, body } = await evaluate(agent.id.slice(-6), input);
    expect({ status, decision: body.decision, decidedBy: body.decidedBy }).toEqual({
      status: 200,
      decision: row.decision,
      decidedBy: row.decidedBy,
    });
    expect(Object.keys(body).sort()).toEqual(["checks", "decidedBy", "decision"]);
    expect(await fingerprintOf(world())).toEqual(before);
  });

  test("names every row with what was found and what passes", async () => {
    const { agent, bankId, payer } = await govern();
    const { body } = await evaluate(agent.id, {
      amount: 45_000,
      destination: { accountId: bankId },
    });
    expect(body.checks).toEqual([
      { name: "paused", passed: true, limit: false, value: false },
      {
        name: "permission",
        passed: true,
        limit: ["CREATE_TRANSFERS"],
        value: GENEROUS.permissions,
      },
      { name: "accountRestriction", passed: true, value: [payer.accountId] },
      { name: "perTransactionLimit", passed: false, limit: 40_000, value: 45_000, currency: "USD" },
      { name: "dailyTransactionLimit", passed: true, value: 1 },
      { name: "dailyLimit", passed: true, limit: 50_000, value: 45_000, currency: "USD" },
      { name: "monthlyLimit", passed: true, value: 45_000, currency: "USD" },
      { name: "approvalThreshold", passed: false, limit: 20_000, value: 45_000, currency: "USD" },
      { name: "executionMode", passed: true, limit: "AUTO", value: "AUTO" },
    ]);
  });

  test("is what fits its accounts: a quote where the currency changes, a pull from outside", async () => {
    const { agent, payer, bankId } = await govern();
    const payeeId = await createPayee(world(), payer.customerId, "999");
    const needs = async (body: object) =>
      named((await evaluate(agent.id, { amount: 100, ...body })).body, "permission").limit;
    expect(await needs({ destination: { accountId: payeeId } })).toEqual(["EXECUTE_QUOTES"]);
    expect(await needs({ destination: { accountId: "$success.mxn@sandbox.uma.test" } })).toEqual([
      "EXECUTE_QUOTES",
    ]);
    const pull = { source: { accountId: bankId }, destination: { accountId: payer.accountId } };
    expect(await needs(pull)).toEqual(["CREATE_TRANSFERS"]);
    expect(await needs({ type: "TRANSFER_OUT" })).toEqual(["CREATE_TRANSFERS"]);
  });

  test("of another currency is judged in the limits'", async () => {
    const { agent } = await govern();
    const { body } = await evaluate(agent.id, { amount: 36_801, currency: "EUR" });
    expect(named(body, "perTransactionLimit")).toMatchObject({ passed: false, value: 40_002 });
  });

  test("may be a quote that exists", async () => {
    const { agent, payer } = await govern();
    const payeeId = await createPayee(world(), payer.customerId, "999");
    const { body: quote } = await agent.call(
      "POST",
      "/agents/me/quotes",
      quoteInput(payer.accountId, payeeId, 20_001),
    );
    const { body } = await evaluate(agent.id, { quoteId: quote.id.slice(-6) });
    expect(body).toMatchObject({ decision: "ask", decidedBy: "approvalThreshold" });
  });
});

test("what is used up already counts", async () => {
  const { agent, payer, bankId } = await govern();
  await agent.call("POST", "/agents/me/transfer-out", {
    source: { accountId: payer.accountId },
    destination: { accountId: bankId },
    amount: 20_000,
  });
  const { body } = await evaluate(agent.id, { amount: 30_001 });
  expect(body).toMatchObject({ decision: "deny", decidedBy: "dailyLimit" });
});

test.each([
  { what: "an unknown agent", agent: "ffffff", input: { amount: 1 }, status: 404 },
  { what: "nothing to judge", input: {}, status: 400 },
  { what: "no amount", input: { amount: 0 }, status: 400 },
  { what: "an unknown currency", input: { amount: 1, currency: "XXX" }, status: 400 },
  {
    what: "an unknown account",
    input: { amount: 1, source: { accountId: "ffffff" } },
    status: 404,
  },
  { what: "an unknown quote", input: { quoteId: "ffffff" }, status: 404 },
])("$what is refused with $status", async ({ agent: given, input, status }) => {
  const { agent } = await govern();
  expect((await evaluate(given ?? agent.id, input)).status).toBe(status);
});

test("another customer's account is unknown to the agent", async () => {
  const { agent } = await govern();
  const stranger = await createPayer(world(), 0);
  const { status, body } = await evaluate(agent.id, {
    amount: 1,
    source: { accountId: stranger.accountId },
  });
  expect(status).toBe(400);
  expect(body.error.details).toMatchObject({ field: "source.accountId" });
});
