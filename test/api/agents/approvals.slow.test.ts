import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  ASKING,
  createAgentParties,
  decide,
  payOut,
  payQuote,
  pullIn,
  usageOf,
} from "./setup/agent-parties.ts";

const NOT_FOUND = { status: 404, code: "REFERENCE_NOT_FOUND" };
const DECIDED = { status: 409, code: "CONFLICT", reason: "ACTION_ALREADY_DECIDED" };

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one, ASKING));

beforeEach(async () => {
  parties = await agentParties(world());
});

const shown = async (id: string) =>
  (await parties.agent.call("GET", `/agents/me/actions/${id}`)).body;

const approve = (id: string) => decide(world(), parties, { verb: "approve", id });
const reject = (id: string, body?: object) =>
  decide(world(), parties, { verb: "reject", id, body });
const balance = () => balanceOf(world(), parties.payer.accountId);
const queue = async (query = "") => (await world().call("GET", `/agents/approvals?${query}`)).body;

describe("approving", () => {
  test.each([
    { says: "a transfer out", submit: payOut, after: 975_000, type: "TRANSFER_OUT" },
    { says: "a transfer in", submit: pullIn, after: 1_025_000, type: "TRANSFER_IN" },
    {
      says: "a quote",
      submit: (one: AgentParties) => payQuote(one),
      after: 975_000,
      type: "EXECUTE_QUOTE",
    },
  ])("$says executes it, and counts it then", async ({ submit, after, type }) => {
    const { body: action } = await submit(parties);
    expect(action.status).toBe("PENDING_APPROVAL");
    await goTo(world(), "09:01:00.000");
    const { status, body } = await approve(action.id);
    const { why: _why, ...rest } = action;
    expect([status, body]).toEqual([
      200,
      {
        ...rest,
        status: "APPROVED",
        ...(type === "EXECUTE_QUOTE" && { quote: { ...action.quote, status: "PROCESSING" } }),
        transaction: expect.objectContaining({ agentId: parties.agent.id }),
        updatedAt: "2026-01-05T09:01:00.000Z",
      },
    ]);
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
    await goTo(world(), "09:02:00.000");
    expect(await balance()).toBe(after);
    expect(await shown(action.id)).toMatchObject({
      status: "APPROVED",
      transaction: { status: "COMPLETED" },
    });
  });

  test("is final: neither threshold nor a stricter mode asks again", async () => {
    const { body: action } = await payOut(parties);
    await world().call("PATCH", `/agents/${parties.agent.id}/policy`, {
      approvalThresholds: { currency: "USD", amount: 0 },
    });
    expect((await approve(action.id)).body.status).toBe("APPROVED");
  });

  test("of a payment that fails in the call: FAILED with transaction, not counted", async () => {
    const { agent, payer } = parties;
    const outside = await createBank(world(), payer.customerId, "002");
    const body = transferInput(payer.accountId, outside, 25_000);
    const { body: action } = await agent.call("POST", "/agents/me/transfer-out", body);
    expect((await approve(action.id)).body).toMatchObject({
      status: "FAILED",
      transaction: { status: "FAILED" },
    });
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    await goTo(world(), "09:01:00.000");
    expect(await balance()).toBe(1_000_000);
  });
});

const policy = (part: object) => () =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, part);

/**
 * Changes while an action waits that make it fail at its approval (spec/agent-actions.md#approval).
 */
const MEANWHILE: { says: string; only?: "quote" | "transfer"; change: () => Promise<unknown> }[] = [
  {
    says: "the agent was paused",
    change: () => world().call("PATCH", `/agents/${parties.agent.id}`, { isPaused: true }),
  },
  { says: "its permission was taken", change: policy({ permissions: ["VIEW_TRANSACTIONS"] }) },
  {
    says: "its account was taken off the list",
    change: policy({ accountRestrictions: { allowedAccountIds: [] } }),
  },
  {
    says: "the limit was lowered",
    change: policy({ spendingLimits: { perTransactionLimit: 24_999 } }),
  },
  {
    says: "the day's count was used up",
    change: policy({ spendingLimits: { dailyTransactionLimit: 0 } }),
  },
  {
    says: "the month's limit was lowered",
    change: policy({ spendingLimits: { monthlyLimit: 24_999 } }),
  },
  {
    says: "the rate moved over the limit",
    change: async () => {
      await policy({ spendingLimits: { currency: "EUR", perTransactionLimit: 25_000 } })();
      await world().control("PUT", "/rates", { perUsd: { EUR: "1.01" } });
    },
  },
  {
    says: "the money was spent",
    change: () => {
      const { payer, bank } = parties;
      return world().call("POST", "/transfer-out", transferInput(payer.accountId, bank, 975_001));
    },
  },
  {
    says: "the account was frozen",
    change: () =>
      world().control("PATCH", `/internal-accounts/${parties.payer.accountId}`, {
        status: "FROZEN",
      }),
  },
  {
    says: "the account was closed",
    change: () =>
      world().control("PATCH", `/internal-accounts/${parties.payer.accountId}`, {
        status: "CLOSED",
      }),
  },
  {
    says: "the customer was deleted",
    change: () => world().call("DELETE", `/customers/${parties.payer.customerId}`),
  },
  {
    says: "the customer was deleted, and the agent resumed",
    change: async () => {
      await world().call("DELETE", `/customers/${parties.payer.customerId}`);
      await world().call("PATCH", `/agents/${parties.agent.id}`, { isPaused: false });
    },
  },
  {
    says: "the customer was rejected",
    change: () =>
      world().control("PATCH", `/customers/${parties.payer.customerId}`, {
        kycStatus: "REJECTED",
      }),
  },
  {
    says: "the account outside was deleted",
    change: async () => {
      for (const id of [parties.bank, parties.mexican])
        await world().call("DELETE", `/customers/external-accounts/${id}`);
    },
  },
  {
    says: "the quote expired",
    only: "quote",
    change: () => goTo(world(), "09:05:00.000"),
  },
];

const SUBMISSIONS = [
  { kind: "transfer", submit: (one: AgentParties) => payOut(one) },
  { kind: "quote", submit: (one: AgentParties) => payQuote(one) },
] as const;

describe.each(SUBMISSIONS)("an approved $kind is FAILED when", ({ kind, submit }) => {
  const rows = MEANWHILE.filter(({ only = kind }) => only === kind);

  test.each(rows)("$says: nothing moves or counts", async ({ change }) => {
    const { body: action } = await submit(parties);
    expect(action.status).toBe("PENDING_APPROVAL");
    await change();
    const money = await balance();
    const { status, body } = await approve(action.id);
    expect([status, body.status]).toEqual([200, "FAILED"]);
    for (const member of ["transaction", "why", "rejectionReason"])
      expect(body).not.toHaveProperty(member);
    expect(await balance()).toBe(money);
    const { body: agent } = await world().call("GET", `/agents/${parties.agent.id}`);
    expect(agent.usage).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 });
    expect(await shown(action.id)).toEqual(body);
    expectRefused(await approve(action.id), DECIDED);
    expect((await queue()).data).toEqual([]);
  });
});

test("limits that other actions used up make an approval fail", async () => {
  await policy({ spendingLimits: { dailyLimit: 50_000 } })();
  const waiting = [];
  for (const amount of [25_000, 25_000, 25_000]) waiting.push((await payOut(parties, amount)).body);
  const statuses = [];
  for (const { id } of waiting) statuses.push((await approve(id)).body.status);
  expect(statuses).toEqual(["APPROVED", "APPROVED", "FAILED"]);
  expect(await usageOf(parties)).toEqual([2, 50_000, 50_000]);
  expect(await balance()).toBe(950_000);
});

test("a quote that the platform executed makes an approval fail, and is paid once", async () => {
  const { body: action } = await payQuote(parties);
  const executed = await world().call("POST", `/quotes/${action.quote.id}/execute`);
  expect(executed.status).toBe(200);
  const { status, body } = await approve(action.id);
  expect([status, body.status]).toEqual([200, "FAILED"]);
  expect(body).not.toHaveProperty("transaction");
  expect(await balance()).toBe(975_000);
  expect(await usageOf(parties)).toEqual([0, 0, 0]);
});

test("an expired quote shows EXPIRED in its action, which keeps waiting", async () => {
  const { body: action } = await payQuote(parties);
  await goTo(world(), "09:05:00.000");
  expect(await shown(action.id)).toMatchObject({
    status: "PENDING_APPROVAL",
    quote: { status: "EXPIRED" },
    updatedAt: "2026-01-05T09:00:00.000Z",
  });
  await goTo(world(), "21:00:00.000");
  expect((await queue()).totalCount).toBe(1);
  expect((await reject(action.id)).body.status).toBe("REJECTED");
});

test("after an approval without enough money the quote stays PENDING and can be executed", async () => {
  const { body: action } = await payQuote(parties);
  const { payer, bank } = parties;
  const spend = transferInput(payer.accountId, bank, 975_001);
  await world().call("POST", "/transfer-out", spend);
  expect((await approve(action.id)).body.quote.status).toBe("PENDING");
  await world().call("POST", `/sandbox/internal-accounts/${payer.accountId}/fund`, { amount: 1 });
  await policy({ defaultExecutionMode: "AUTO" })();
  const path = `/agents/me/quotes/${action.quote.id}/execute`;
  expect((await parties.agent.call("POST", path)).body.status).toBe("APPROVED");
});

describe("rejecting", () => {
  test.each([
    { body: { reason: "Too much for pens" }, rejectionReason: "Too much for pens" },
    { body: { reason: "" }, rejectionReason: "" },
    { body: {}, rejectionReason: undefined },
    { body: undefined, rejectionReason: undefined },
  ])("with $body runs nothing", async ({ body: input, rejectionReason }) => {
    const { body: action } = await payQuote(parties);
    await goTo(world(), "09:01:00.000");
    const { status, body } = await reject(action.id, input);
    const { why: _why, ...rest } = action;
    expect([status, body]).toEqual([
      200,
      {
        ...rest,
        status: "REJECTED",
        ...(rejectionReason !== undefined && { rejectionReason }),
        updatedAt: "2026-01-05T09:01:00.000Z",
      },
    ]);
    expect(await shown(action.id)).toEqual(body);
    expect(body.quote.status).toBe("PENDING");
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    expect(await balance()).toBe(1_000_000);
  });

  test("requires text for its reason", async () => {
    const { body: action } = await payOut(parties);
    for (const reason of [null, 5, []])
      await expectNothing(world(), () => reject(action.id, { reason }), invalid("reason"));
  });

  test("works for a paused agent and a deleted customer", async () => {
    const { body: action } = await payOut(parties);
    await world().call("DELETE", `/customers/${parties.payer.customerId}`);
    expect((await reject(action.id)).body.status).toBe("REJECTED");
  });
});

// spec/agent-actions.md#decided-once
describe("a decision", () => {
  test.each([
    { first: "approve", second: "approve", status: "APPROVED" },
    { first: "approve", second: "reject", status: "APPROVED" },
    { first: "reject", second: "approve", status: "REJECTED" },
    { first: "reject", second: "reject", status: "REJECTED" },
  ] as const)("is made once: $first, then $second", async ({ first, second, status }) => {
    const { id } = (await payOut(parties)).body;
    expect((await decide(world(), parties, { verb: first, id })).status).toBe(200);
    const again = () => decide(world(), parties, { verb: second, id });
    await expectNothing(world(), again, DECIDED);
    expect((await again()).body.details).toMatchObject({ id, status });
  });

  test.each(["approve", "reject"] as const)(
    "of an action done by itself is 409: %s",
    async (verb) => {
      await policy({ defaultExecutionMode: "AUTO" })();
      const { id } = (await payOut(parties)).body;
      await expectNothing(world(), () => decide(world(), parties, { verb, id }), DECIDED);
    },
  );

  test("succeeds once in concurrent calls", async () => {
    const { id } = (await payOut(parties)).body;
    const answers = await Promise.all([approve(id), reject(id), approve(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test("about another agent's or an unknown action is 404, before its body", async () => {
    const { id } = (await payOut(parties)).body;
    const second = await connectAgent(world(), parties.payer.customerId);
    for (const verb of ["approve", "reject"])
      for (const path of [
        `/agents/${second.id}/actions/${id}`,
        `/agents/Agent:none/actions/${id}`,
        `/agents/${parties.agent.id}/actions/AgentAction:none`,
        `/agents/${parties.agent.id}/actions/${parties.agent.id}`,
      ])
        for (const body of [undefined, []]) {
          const act = () => world().call("POST", `${path}/${verb}`, body);
          await expectNothing(world(), act, NOT_FOUND);
        }
    expect((await shown(id)).status).toBe("PENDING_APPROVAL");
  });
});

test("deleting an agent rejects its waiting actions, and leaves the rest", async () => {
  const { body: done } = await payOut(parties);
  await approve(done.id);
  const { body: waiting } = await payQuote(parties);
  const second = await connectAgent(world(), parties.payer.customerId, ASKING);
  const other = await payOut({ ...parties, agent: second });
  await world().call("DELETE", `/agents/${parties.agent.id}`);
  expect((await queue()).data.map(({ id }: { id: string }) => id)).toEqual([other.body.id]);
  for (const id of [done.id, waiting.id]) {
    expectRefused(await approve(id), NOT_FOUND);
    expectRefused(await reject(id), NOT_FOUND);
  }
  expect((await world().call("GET", `/quotes/${waiting.quote.id}`)).body.status).toBe("PENDING");
  expect(await balance()).toBe(975_000);
});
