import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { createBank, from, to, transferInput } from "../../setup/banks.ts";
import { createPayee } from "../../setup/platform.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  askQuote,
  createAgentParties,
  decide,
  payOut,
  payQuote,
  pullIn,
  usageOf,
} from "./setup/agent-parties.ts";

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one));

beforeEach(async () => {
  parties = await agentParties(world());
});

const setPolicy = (part: object) =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, part);

const shown = async (id: string) =>
  (await parties.agent.call("GET", `/agents/me/actions/${id}`)).body;

const list = async (query = "") =>
  (await parties.agent.call("GET", `/agents/me/actions?${query}`)).body;

const balance = () => balanceOf(world(), parties.payer.accountId);

describe("the list of an agent's actions", () => {
  /** One action a minute: FAILED, APPROVED, REJECTED, PENDING_APPROVAL. */
  const populate = async () => {
    await setPolicy({
      spendingLimits: { perTransactionLimit: 2_000_000 },
      approvalThresholds: { currency: "USD", amount: 1_500_000 },
    });
    await payOut(parties, 1_000_001);
    await goTo(world(), "09:01:00.000");
    await payOut(parties, 1);
    await goTo(world(), "09:02:00.000");
    const { id } = (await payOut(parties, 1_500_001)).body;
    await decide(world(), parties, { verb: "reject", id });
    await goTo(world(), "09:03:00.000");
    await payOut(parties, 1_500_002);
  };

  test("is filtered by status, newest first, with each action as GET by id shows it", async () => {
    await populate();
    const all = ["PENDING_APPROVAL", "REJECTED", "APPROVED", "FAILED"];
    const { data, hasMore, totalCount } = await list();
    expect(data.map(({ status }: { status: string }) => status)).toEqual(all);
    expect([hasMore, totalCount]).toEqual([false, 4]);
    for (const action of data) {
      expect(await shown(action.id)).toEqual(action);
      expect((await list(`status=${action.status}`)).data).toEqual([action]);
    }
  });

  test("comes in pages", async () => {
    await populate();
    const first = await list("limit=3");
    expect([first.data.length, first.hasMore, first.totalCount]).toEqual([3, true, 4]);
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([second.data.length, second.hasMore]).toEqual([1, false]);
    const mixed = `/agents/me/actions?status=FAILED&cursor=${first.nextCursor}`;
    expectRefused(await parties.agent.call("GET", mixed), invalid("cursor"));
  });

  test.each([
    ["status=DONE", "status"],
    ["status=approved", "status"],
    ["limit=0", "limit"],
    ["cursor=x", "cursor"],
  ])("refuses %s", async (query, field) => {
    const answer = await parties.agent.call("GET", `/agents/me/actions?${query}`);
    expectRefused(answer, invalid(field));
  });

  test("has no action of another agent of the same customer", async () => {
    const { body: action } = await payOut(parties, 1);
    const second = await connectAgent(world(), parties.payer.customerId);
    expect((await second.call("GET", "/agents/me/actions")).body.data).toEqual([]);
    expectRefused(await second.call("GET", `/agents/me/actions/${action.id}`), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    });
  });

  test("is newest first even within one instant, each action once", async () => {
    const made = [];
    for (const amount of [1, 2, 3]) made.push((await payOut(parties, amount)).body.id);
    const found = [];
    for (let cursor = ""; ; ) {
      const { data, nextCursor } = await list(`limit=1${cursor}`);
      found.push(data[0].id);
      if (nextCursor === undefined) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(found).toEqual(made.reverse());
  });
});

/**
 * Outcomes of quoted payments by the ending of the payee's account
 * (spec/quotes.md#quoted-payments).
 */
const FATES = [
  { suffix: "002", at: "09:00:00.000", action: "FAILED", payment: "FAILED" },
  { suffix: "004", at: "09:00:00.000", action: "FAILED", payment: "FAILED" },
  { suffix: "003", at: "09:05:59.999", action: "APPROVED", payment: "PROCESSING" },
  { suffix: "003", at: "09:06:00.000", action: "APPROVED", payment: "COMPLETED" },
  { suffix: "005", at: "09:00:00.000", action: "APPROVED", payment: "COMPLETED" },
  { suffix: "005", at: "09:00:05.000", action: "APPROVED", payment: "FAILED" },
  { suffix: "006", at: "09:01:00.000", action: "APPROVED", payment: "COMPLETED" },
  { suffix: "007", at: "09:01:00.000", action: "FAILED", payment: "FAILED" },
  { suffix: "998", at: "09:00:00.000", action: "APPROVED", payment: "COMPLETED" },
] as const;

// spec/agent-actions.md#lifecycle, spec/agent-actions.md#failures
describe("an action with a quoted payment", () => {
  test.each(FATES)("to $suffix is $action at $at, and stays counted", async (row) => {
    const payee = await createPayee(world(), parties.payer.customerId, row.suffix);
    const { status, body } = await payQuote(parties, to(payee));
    expect([status, body.status, body.transaction.status]).toEqual([200, "APPROVED", "PROCESSING"]);
    await goTo(world(), row.at);
    const { action, payment } = row;
    const now = await shown(body.id);
    expect([now.status, now.transaction.status]).toEqual([action, payment]);
    expect(now.transaction).toEqual(
      (await world().call("GET", `/transactions/${body.transaction.id}`)).body,
    );
    expect(now.updatedAt).toBe("2026-01-05T09:00:00.000Z");
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
  });

  test("ends the same way after an approval", async () => {
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    const payee = await createPayee(world(), parties.payer.customerId, "002");
    const { body: action } = await payQuote(parties, to(payee));
    await goTo(world(), "09:01:00.000");
    const approved = await decide(world(), parties, { verb: "approve", id: action.id });
    expect(approved.body.status).toBe("APPROVED");
    await goTo(world(), "09:02:00.000");
    expect(await shown(action.id)).toMatchObject({
      status: "FAILED",
      quote: { status: "FAILED" },
      transaction: { status: "FAILED" },
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
    expect(await balance()).toBe(1_000_000);
  });
});

/**
 * Outcomes of quotes that pull from an external account, by its ending (spec/quotes.md#pull-rows).
 */
const PULLS = [
  { suffix: "002", at: "09:00:00.000", action: "FAILED", payment: "FAILED" },
  { suffix: "004", at: "09:00:00.000", action: "FAILED", payment: "FAILED" },
  { suffix: "005", at: "09:00:29.999", action: "APPROVED", payment: "PROCESSING" },
  { suffix: "005", at: "09:00:30.000", action: "FAILED", payment: "FAILED" },
  { suffix: "998", at: "09:00:00.000", action: "APPROVED", payment: "COMPLETED" },
] as const;

test.each(PULLS)("a quote that pulls from $suffix is $action at $at, and counted", async (row) => {
  const outside = await createBank(world(), parties.payer.customerId, row.suffix);
  const { body } = await payQuote(parties, { ...from(outside), ...to(parties.wallet) });
  expect([body.status, body.transaction.status]).toEqual(["APPROVED", "PROCESSING"]);
  await goTo(world(), row.at);
  const now = await shown(body.id);
  expect([now.status, now.transaction.status]).toEqual([row.action, row.payment]);
  expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
});

test("a transfer returned by the bank is refunded, and its action stays APPROVED", async () => {
  const { body } = await payQuote(
    parties,
    to(await createPayee(world(), parties.payer.customerId, "005")),
  );
  await goTo(world(), "09:10:00.000");
  const now = await shown(body.id);
  expect(now).toMatchObject({
    status: "APPROVED",
    updatedAt: body.updatedAt,
    transaction: { status: "FAILED", refund: { status: "COMPLETED" } },
  });
  expect(await balance()).toBe(1_000_000);
});

test("`why` is present only while an action waits", async () => {
  await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
  const ids = [(await payOut(parties)).body.id, (await payQuote(parties)).body.id];
  for (const id of ids)
    expect((await shown(id)).why).toEqual({
      decision: "ask",
      decidedBy: "executionMode",
      checks: [
        { name: "paused", passed: true, limit: false, value: false },
        expect.objectContaining({ name: "permission", passed: true }),
        { name: "accountRestriction", passed: true, value: [parties.payer.accountId] },
        {
          name: "perTransactionLimit",
          passed: true,
          limit: 40_000,
          value: 25_000,
          currency: "USD",
        },
        { name: "dailyTransactionLimit", passed: true, value: 1 },
        { name: "dailyLimit", passed: true, value: 25_000, currency: "USD" },
        { name: "monthlyLimit", passed: true, value: 25_000, currency: "USD" },
        { name: "approvalThreshold", passed: true },
        { name: "executionMode", passed: false, limit: "AUTO", value: "APPROVAL_REQUIRED" },
      ],
    });
  await decide(world(), parties, { verb: "approve", id: ids[0] });
  await decide(world(), parties, { verb: "reject", id: ids[1] });
  for (const id of ids) expect(await shown(id)).not.toHaveProperty("why");
});

describe("transactions", () => {
  test("have agentId in every read; the platform's own do not", async () => {
    const { agent, payer, bank } = parties;
    const mine = [
      (await payOut(parties, 1)).body.transaction.id,
      (await pullIn(parties, 1)).body.transaction.id,
      (await askQuote(parties)).body.transactionId,
    ];
    const own = await world().call(
      "POST",
      "/transfer-out",
      transferInput(payer.accountId, bank, 1),
    );
    const platform = (await world().call("GET", "/transactions")).body;
    const seen = (await agent.call("GET", "/agents/me/transactions")).body;
    expect(seen).toEqual(platform);
    const idsOf = (has: boolean) =>
      seen.data.filter((one: { agentId?: string }) => (one.agentId === agent.id) === has);
    expect(
      idsOf(true)
        .map(({ id }: { id: string }) => id)
        .sort(),
    ).toEqual(mine.sort());
    expect(idsOf(false)).toEqual([expect.objectContaining({ id: own.body.id })]);
    expect(idsOf(false)[0]).not.toHaveProperty("agentId");
  });

  test("are listed for an agent with the platform's filters except the customer's", async () => {
    const { agent, bank, payer } = parties;
    await payOut(parties, 1);
    await goTo(world(), "09:01:00.000");
    await pullIn(parties, 2);
    const typesOf = async (query: string) => {
      const { body } = await agent.call("GET", `/agents/me/transactions?${query}`);
      return body.data.map(({ type }: { type: string }) => type);
    };
    const both = ["INCOMING", "OUTGOING"];
    const cases: [string, string[]][] = [
      ["", both],
      ["sortOrder=asc", ["OUTGOING", "INCOMING"]],
      ["type=OUTGOING", ["OUTGOING"]],
      ["status=COMPLETED", both],
      ["status=FAILED", []],
      [`accountIdentifier=${payer.accountId}`, both],
      [`senderAccountIdentifier=${bank}`, ["INCOMING"]],
      [`receiverAccountIdentifier=${bank}`, ["OUTGOING"]],
      ["startDate=2026-01-05T09:01:00.000Z", ["INCOMING"]],
      ["endDate=2026-01-05T09:00:59.999Z", ["OUTGOING"]],
      [`customerId=${parties.other.customerId}`, both],
      ["limit=1", ["INCOMING"]],
    ];
    for (const [query, types] of cases)
      expect([query, await typesOf(query)]).toEqual([query, types]);
  });

  test("keep the agentId of a deleted agent", async () => {
    const { transaction } = (await payOut(parties, 1)).body;
    await world().call("DELETE", `/agents/${parties.agent.id}`);
    await goTo(world(), "09:10:00.000");
    const { body } = await world().call("GET", `/transactions/${transaction.id}`);
    expect(body).toMatchObject({ status: "COMPLETED", agentId: parties.agent.id });
  });
});
