import { beforeEach, describe, expect, test } from "vitest";
import { from, justInTime, to } from "../../setup/banks.ts";
import { createPayee, quoteInput } from "../../setup/platform.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  askQuote,
  createAgentParties,
  executeQuote,
  payQuote,
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

const balance = () => balanceOf(world(), parties.payer.accountId);
const actions = async () => (await parties.agent.call("GET", "/agents/me/actions")).body.data;
const quoteCount = async () =>
  (await world().call("GET", "/transactions?limit=100")).body.totalCount;

// spec/agent-actions.md#quote-creation
describe("a quote that an agent asks for", () => {
  test("is like the platform's own, and its transaction has agentId from the start", async () => {
    const { agent, payer, mexican } = parties;
    const { status, body } = await askQuote(parties);
    const own = await world().call("POST", "/quotes", quoteInput(payer.accountId, mexican));
    const fresh = { id: expect.anything(), transactionId: expect.anything() };
    expect([status, body]).toEqual([201, { ...own.body, ...fresh }]);
    expect(body.status).toBe("PENDING");
    const seen = await agent.call("GET", `/agents/me/quotes/${body.id}`);
    expect([seen.status, seen.body]).toEqual([200, body]);
    expect((await world().call("GET", `/quotes/${body.id}`)).body).toEqual(body);
    const transaction = await world().call("GET", `/transactions/${body.transactionId}`);
    expect(transaction.body).toMatchObject({ status: "PENDING", agentId: agent.id });
    const other = await world().call("GET", `/transactions/${own.body.transactionId}`);
    expect(other.body).not.toHaveProperty("agentId");
  });

  test("is not an action, counts nothing, and meets no limit or threshold", async () => {
    await setPolicy({
      defaultExecutionMode: "APPROVAL_REQUIRED",
      spendingLimits: { perTransactionLimit: 1, dailyLimit: 0, dailyTransactionLimit: 0 },
      approvalThresholds: { currency: "USD", amount: 0 },
    });
    expect((await askQuote(parties, { lockedCurrencyAmount: 1_000_000 })).status).toBe(201);
    expect(await actions()).toEqual([]);
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
  });

  test("checks the list of allowed accounts at both ends", async () => {
    const { payer, wallet } = parties;
    const allow = (allowedAccountIds: string[]) =>
      setPolicy({ accountRestrictions: { allowedAccountIds } });
    await allow([wallet]);
    const refused = { status: 403, code: "FORBIDDEN", reason: "ACCOUNT_NOT_ALLOWED" };
    await expectNothing(world(), () => askQuote(parties), refused);
    expect((await askQuote(parties)).body.details.accountId).toBe(payer.accountId);
    await allow([payer.accountId]);
    expect((await askQuote(parties)).status).toBe(201);
    const inward = to(wallet);
    expect((await askQuote(parties, inward)).body.details.accountId).toBe(wallet);
    await allow([payer.accountId, wallet]);
    expect((await askQuote(parties, inward)).status).toBe(201);
  });

  test("that pulls from an external account follows the rule of the credited one", async () => {
    const { bank, wallet, payer } = parties;
    await setPolicy({ accountRestrictions: { allowedAccountIds: [payer.accountId] } });
    const pull = { ...from(bank), ...to(wallet) };
    expect((await askQuote(parties, pull)).body.details.accountId).toBe(wallet);
    await setPolicy({
      accountRestrictions: {
        allowedAccountIds: null,
        accountRules: [{ accountId: wallet, perTransactionLimit: 24_999 }],
      },
    });
    const { body } = await askQuote(parties, pull);
    expect((await executeQuote(parties, body.id)).body.details).toMatchObject({
      reason: "PER_TRANSACTION_LIMIT_EXCEEDED",
      limit: 24_999,
      attempted: 25_000,
    });
  });

  test("may name its customer, but no other", async () => {
    const { payer, other } = parties;
    const named = (customerId: string) => askQuote(parties, from(payer.accountId, customerId));
    expect((await named(payer.customerId)).status).toBe(201);
    expectRefused(await named(other.customerId), invalid("source.customerId", "USER_NOT_FOUND"));
  });

  test("is visible to its own agent only", async () => {
    const { body: own } = await world().call(
      "POST",
      "/quotes",
      quoteInput(parties.payer.accountId, parties.mexican),
    );
    const path = `/agents/me/quotes/${own.id}`;
    const missing = { status: 404, code: "QUOTE_NOT_FOUND" };
    expectRefused(await parties.agent.call("GET", path), missing);
    expectRefused(await executeQuote(parties, own.id), missing);
  });
});

describe("a quote that is funded just in time", () => {
  test("is for the agent's customer, runs when its money arrives, without an action", async () => {
    const { agent, payer } = parties;
    const { status, body } = await askQuote(parties, justInTime("USD"));
    expect(status).toBe(201);
    const path = `/transactions/${body.transactionId}`;
    expect((await world().call("GET", path)).body).toMatchObject({
      customerId: payer.customerId,
      agentId: agent.id,
    });
    await expectNothing(world(), () => executeQuote(parties, body.id), invalid("quoteId"));
    const sent = await world().call("POST", "/sandbox/send", {
      quoteId: body.id,
      currencyCode: "USD",
    });
    expect(sent.status).toBe(200);
    await goTo(world(), "09:00:00.000");
    expect((await world().call("GET", path)).body).toMatchObject({
      status: "COMPLETED",
      agentId: agent.id,
    });
    expect(await actions()).toEqual([]);
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    expect(await balance()).toBe(1_000_000);
  });

  test("cannot be executed at once, nor made for another customer", async () => {
    const at = askQuote(parties, { ...justInTime("USD"), immediatelyExecute: true });
    expectRefused(await at, invalid("immediatelyExecute"));
    expectRefused(
      await askQuote(parties, justInTime("USD", parties.other.customerId)),
      invalid("source.customerId", "USER_NOT_FOUND"),
    );
  });
});

describe("an execution", () => {
  test("is an APPROVED action with the current quote and transaction", async () => {
    const { agent, payer } = parties;
    const { body: quote } = await askQuote(parties);
    await goTo(world(), "09:01:00.000");
    const { status, body } = await executeQuote(parties, quote.id);
    const { body: customer } = await world().call("GET", `/customers/${payer.customerId}`);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^AgentAction:[0-9a-f-]{36}$/),
        agentId: agent.id,
        customerId: payer.customerId,
        platformCustomerId: customer.platformCustomerId,
        status: "APPROVED",
        type: "EXECUTE_QUOTE",
        quote: { ...quote, status: "PROCESSING" },
        transaction: expect.objectContaining({
          id: quote.transactionId,
          type: "OUTGOING",
          status: "PROCESSING",
          agentId: agent.id,
        }),
        createdAt: "2026-01-05T09:01:00.000Z",
        updatedAt: "2026-01-05T09:01:00.000Z",
      },
    ]);
    expect(await balance()).toBe(975_000);
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
    await goTo(world(), "09:02:00.000");
    const { body: later } = await agent.call("GET", `/agents/me/actions/${body.id}`);
    expect(later).toMatchObject({
      status: "APPROVED",
      quote: { status: "COMPLETED" },
      transaction: { status: "COMPLETED", settledAt: "2026-01-05T09:01:00.000Z" },
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
  });

  test("counts the total that is sent, even if the other side is locked", async () => {
    const { body: quote } = await askQuote(parties, {
      lockedCurrencySide: "RECEIVING",
      lockedCurrencyAmount: 100_000,
    });
    await executeQuote(parties, quote.id);
    const total = quote.totalSendingAmount;
    expect(await usageOf(parties)).toEqual([1, total, total]);
    expect(await balance()).toBe(1_000_000 - total);
  });

  test.each([
    { limits: { perTransactionLimit: 24_999 }, reason: "PER_TRANSACTION_LIMIT_EXCEEDED" },
    { limits: { dailyTransactionLimit: 0 }, reason: "DAILY_TRANSACTION_LIMIT_EXCEEDED" },
    { limits: { dailyLimit: 24_999 }, reason: "DAILY_LIMIT_EXCEEDED" },
    { limits: { monthlyLimit: 24_999 }, reason: "MONTHLY_LIMIT_EXCEEDED" },
  ])("is $reason above a limit, and succeeds at it", async ({ limits, reason }) => {
    const { body: quote } = await askQuote(parties);
    const { body: smaller } = await askQuote(parties, { lockedCurrencyAmount: 24_999 });
    await setPolicy({ spendingLimits: limits });
    const refused = { status: 403, code: "FORBIDDEN", reason };
    await expectNothing(world(), () => executeQuote(parties, quote.id), refused);
    expect((await world().call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
    if (!("dailyTransactionLimit" in limits))
      expect((await executeQuote(parties, smaller.id)).body.status).toBe("APPROVED");
  });

  test("ignores signatures if no wallet pays", async () => {
    const { body: quote } = await askQuote(parties);
    const headers = { "service-wallet-signature": "junk", "request-id": "Request:none" };
    expect((await executeQuote(parties, quote.id, headers)).body.status).toBe("APPROVED");
  });

  test("with too little balance is a FAILED action; the quote can be executed again", async () => {
    await setPolicy({ spendingLimits: { perTransactionLimit: 2_000_000 } });
    const { body: quote } = await askQuote(parties, { lockedCurrencyAmount: 1_000_001 });
    const { status, body } = await executeQuote(parties, quote.id);
    expect([status, body.status, body.quote.status]).toEqual([200, "FAILED", "PENDING"]);
    expect(body).not.toHaveProperty("transaction");
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    const path = `/sandbox/internal-accounts/${parties.payer.accountId}/fund`;
    await world().call("POST", path, { amount: 1 });
    expect((await executeQuote(parties, quote.id)).body.status).toBe("APPROVED");
    expect((await actions()).map((one: { status: string }) => one.status)).toEqual([
      "APPROVED",
      "FAILED",
    ]);
  });

  const conflict = (reason: string) => ({ status: 409, code: "CONFLICT", reason });

  test.each([
    { at: "09:04:59.999", status: 200 },
    { at: "09:05:00.000", status: 409 },
  ])("at $at gets $status: a quote lives five minutes", async ({ at, status }) => {
    const { body: quote } = await askQuote(parties);
    await goTo(world(), at);
    const answer = await executeQuote(parties, quote.id);
    expect(answer.status).toBe(status);
    if (status !== 409) return;
    expectRefused(answer, conflict("QUOTE_EXPIRED"));
    expect(await actions()).toEqual([]);
  });

  test("happens once, whoever executed first", async () => {
    const { body } = await payQuote(parties);
    const again = () => executeQuote(parties, body.quote.id);
    await expectNothing(world(), again, conflict("QUOTE_ALREADY_EXECUTED"));
    const { body: quote } = await askQuote(parties);
    expect((await world().call("POST", `/quotes/${quote.id}/execute`)).status).toBe(200);
    const second = () => executeQuote(parties, quote.id);
    await expectNothing(world(), second, conflict("QUOTE_ALREADY_EXECUTED"));
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
  });

  // spec/agent-actions.md#second-submission
  test("is not submitted twice, but again after a rejection", async () => {
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    const { body: action } = await payQuote(parties);
    const again = () => executeQuote(parties, action.quote.id);
    await expectNothing(world(), again, conflict("ACTION_PENDING_APPROVAL"));
    expect((await again()).body.details).toMatchObject({ actionId: action.id });
    await setPolicy({ defaultExecutionMode: "AUTO" });
    await expectNothing(world(), again, conflict("ACTION_PENDING_APPROVAL"));
    await world().call("POST", `/agents/${parties.agent.id}/actions/${action.id}/reject`);
    expect((await again()).body.status).toBe("APPROVED");
  });

  test("of one quote in concurrent calls happens once", async () => {
    const { body: quote } = await askQuote(parties);
    const answers = await Promise.all([1, 2, 3].map(() => executeQuote(parties, quote.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await balance()).toBe(975_000);
  });
});

// spec/agent-actions.md#immediate-execution
describe("immediatelyExecute", () => {
  const AT_ONCE = { immediatelyExecute: true };
  const only = async () => {
    const all = await actions();
    expect(all).toHaveLength(1);
    return all[0];
  };

  test("is paid if the policy allows it, as an APPROVED action", async () => {
    const { status, body } = await askQuote(parties, AT_ONCE);
    expect([status, body.status]).toEqual([201, "PROCESSING"]);
    expect(await only()).toMatchObject({
      status: "APPROVED",
      type: "EXECUTE_QUOTE",
      quote: { id: body.id },
      transaction: { id: body.transactionId, agentId: parties.agent.id },
    });
    expect(await balance()).toBe(975_000);
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
  });

  test.each([
    { says: "by mode", part: { defaultExecutionMode: "APPROVAL_REQUIRED" } },
    {
      says: "by threshold",
      part: { approvalThresholds: { currency: "USD", amount: 24_999 } },
    },
  ])("waits for a person $says: the quote stays PENDING", async ({ part }) => {
    await setPolicy(part);
    const { status, body } = await askQuote(parties, AT_ONCE);
    expect([status, body.status]).toEqual([201, "PENDING"]);
    const action = await only();
    expect(action).toMatchObject({ status: "PENDING_APPROVAL", quote: { id: body.id } });
    expect(action).not.toHaveProperty("transaction");
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
    expect(await balance()).toBe(1_000_000);
  });

  test.each([
    { part: { spendingLimits: { perTransactionLimit: 24_999 } }, word: "PER_TRANSACTION_LIMIT" },
    { part: { spendingLimits: { dailyLimit: 24_999 } }, word: "DAILY_LIMIT" },
    { part: { spendingLimits: { monthlyLimit: 24_999 } }, word: "MONTHLY_LIMIT" },
    { part: { spendingLimits: { dailyTransactionLimit: 0 } }, word: "DAILY_TRANSACTION_LIMIT" },
  ])("is refused with $word: no quote is kept", async ({ part, word }) => {
    await setPolicy(part);
    const refused = { status: 403, code: "FORBIDDEN", reason: `${word}_EXCEEDED` };
    await expectNothing(world(), () => askQuote(parties, AT_ONCE), refused);
    expect(await quoteCount()).toBe(0);
    expect(await actions()).toEqual([]);
  });

  test("with too little balance leaves a PENDING quote and a FAILED action", async () => {
    await setPolicy({ spendingLimits: { perTransactionLimit: 2_000_000 } });
    const { status, body } = await askQuote(parties, {
      ...AT_ONCE,
      lockedCurrencyAmount: 1_000_001,
    });
    expect([status, body.status]).toEqual([201, "PENDING"]);
    const action = await only();
    expect(action).toMatchObject({ status: "FAILED", quote: { id: body.id, status: "PENDING" } });
    expect(action).not.toHaveProperty("transaction");
    expect(await usageOf(parties)).toEqual([0, 0, 0]);
  });

  test.each(["CREATE_QUOTES", "EXECUTE_QUOTES"])("needs %s", async (missing) => {
    const both = ["CREATE_QUOTES", "EXECUTE_QUOTES"];
    await setPolicy({ permissions: both.filter((one) => one !== missing) });
    const answer = await askQuote(parties, AT_ONCE);
    expectRefused(answer, { status: 403, code: "FORBIDDEN", reason: "PERMISSION_DENIED" });
    expect(answer.body.details.requiredPermission).toBe(missing);
    await setPolicy({ permissions: both });
    expect((await askQuote(parties, AT_ONCE)).status).toBe(201);
  });

  test("is refused from a wallet, which has not been signed for", async () => {
    const { wallet, mexican } = parties;
    const fund = `/sandbox/internal-accounts/${wallet}/fund`;
    await world().call("POST", fund, { amount: 100_000_000 });
    const { agent } = parties;
    const body = { ...quoteInput(wallet, mexican, 1_000_000), ...AT_ONCE };
    const act = () => agent.call("POST", "/agents/me/quotes", body);
    await expectNothing(world(), act, invalid("immediatelyExecute"));
  });

  test("to a failing account leaves a FAILED action, counted", async () => {
    const payee = await createPayee(world(), parties.payer.customerId, "002");
    const { body } = await askQuote(parties, { ...AT_ONCE, ...to(payee) });
    await goTo(world(), "09:01:00.000");
    expect(await only()).toMatchObject({
      status: "FAILED",
      quote: { id: body.id, status: "FAILED" },
      transaction: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" },
    });
    expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
    expect(await balance()).toBe(1_000_000);
  });
});
