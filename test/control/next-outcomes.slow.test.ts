import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeGroups } from "../../src/control/core/outcome-groups.ts";
import { authorize, clear, createCardholder, issueCard } from "../api/cards/setup/card-world.ts";
import { createCustomer } from "../api/customers/setup/people.ts";
import { answered, answering, createRecipient, receive, SENDER } from "../api/setup/incoming.ts";
import { execute, type Ruled, ruledCalls } from "../api/setup/ruled-calls.ts";
import { connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { postDocument } from "../setup/uploads.ts";

let world: TestSimulator;
let receiver: Receiver;

beforeAll(async () => {
  world = await startTestSimulator();
  receiver = await new Receiver().start();
  receiver.behaviour = answering(answered(202));
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterAll(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const ruleOf = ({ headers }: Answer) => headers.get("x-sim-rule");

const rulesOf = (answer: Answer) => ruleOf(answer)?.split(", ") ?? [];

const setNext = (rule: string, more: object = {}) =>
  world.control("POST", "/outcomes/next", { rule, ...more });

const isSet = async () => (await world.control("GET", "/outcomes/next")).body.data;

const ROWS = outcomeGroups().flatMap(({ group, rows }) =>
  rows.map(({ match, rule }) => ({
    group,
    rule,
    // The identifier of each call asks for this row, so that only a set one explains another.
    asked: rows.find((one) => one.match !== match)?.match ?? match,
  })),
);

/** Rows that need something that is there or was sent, with the reason that the refusal gives. */
const NOT_SETTABLE: Record<string, string> = {
  "umaLookup.person": "an address is found only if somebody has it",
  "umaLookup.customer": "an address is found only if somebody has it",
  "walletProof.000000": "the proof that is sent decides",
  "walletProof.sandbox-valid-oidc-token": "the proof that is sent decides",
  "walletProof.sandbox-valid-passkey-signature": "the proof that is sent decides",
  "walletProof.sandbox-valid-signature": "the proof that is sent decides",
  "walletProof.otherwise": "the proof that is sent decides",
};

const called = (group: string, row: string) => ruledCalls(world)[group]?.(row) as Promise<Ruled>;

// spec/sandbox.md#next-outcome
describe("every row of every table can be set, whatever the identifier asks for", () => {
  const reached = ROWS.filter(({ group, rule }) => group !== "approval" && !NOT_SETTABLE[rule]);
  test.each(reached)("$rule in place of $asked", async ({ group, rule, asked }) => {
    expect((await setNext(rule)).status).toBe(201);
    const [answer] = await called(group, asked);
    expect(rulesOf(answer), JSON.stringify(answer.body)).toContain(rule);
    expect(await isSet()).toEqual([]);
  });

  test.each([
    { row: "200", ends: "COMPLETED" },
    { row: "202", ends: "PENDING" },
    { row: "403", ends: "REJECTED" },
    { row: "422", ends: "FAILED", reason: "PAY_REQUEST_FAILED" },
    { row: "incomplete", ends: "FAILED", reason: "MISSING_MANDATORY_PAYEE_DATA" },
    { row: "silence", ends: "FAILED", reason: "PAYMENT_APPROVAL_TIMED_OUT", waits: true },
    { row: "timeout", ends: "FAILED", reason: "PAYMENT_APPROVAL_TIMED_OUT" },
    { row: "otherwise", ends: "FAILED", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" },
  ])("approval.$row, whatever the receiver answers", async ({ row, ends, reason, waits }) => {
    const recipient = await createRecipient(world, { umaAddress: `$a${row}@pay.example` });
    const rule = `approval.${row}`;
    expect((await setNext(rule, { for: recipient.customerId })).status).toBe(201);
    receiver.behaviour = answering(answered(row === "403" ? 200 : 403));
    const { body } = await receive(world, recipient, { senderUmaAddress: SENDER });
    await world.sim.advance("1ms");
    const now = async () => (await world.call("GET", `/transactions/${body.id}`)).body;
    if (waits) {
      expect((await now()).status).toBe("PENDING");
      await world.sim.advance("5s");
    }
    expect(await now()).toMatchObject({ status: ends, ...(reason && { failureReason: reason }) });
    const { chain } = (await world.control("GET", `/why/${body.id}`)).body;
    const effects = chain.flatMap((step: { effects: object[] }) => step.effects);
    expect(effects).toContainEqual(expect.objectContaining({ rule, isSet: true }));
    expect(await isSet()).toEqual([]);
    receiver.behaviour = answering(answered(202));
  });

  test("no row is left out", () => {
    const rules = new Set(ROWS.map(({ rule }) => rule));
    expect(Object.keys(NOT_SETTABLE).filter((rule) => !rules.has(rule))).toEqual([]);
  });

  test.each(Object.entries(NOT_SETTABLE))("%s cannot be set: %s", async (rule, why) => {
    const { status, body } = await setNext(rule);
    expect([status, body.error.code]).toEqual([400, "INVALID_INPUT"]);
    expect(body.error.message).toBe(`${rule} cannot be set: ${why}`);
  });
});

const transfer = async (payer: { customerId: string; accountId: string }, suffix = "999") => {
  const bank = await createBank(world, payer.customerId, suffix);
  return world.call("POST", "/transfer-out", transferInput(payer.accountId, bank, 5));
};

describe("what is set", () => {
  test("is taken once, then the identifier counts again", async () => {
    const payer = await createPayer(world);
    await setNext("transferOut.005");
    expect(ruleOf(await transfer(payer))).toBe("transferOut.005");
    expect(ruleOf(await transfer(payer, "004"))).toBe("transferOut.004");
  });

  test("is taken as often as it says, the oldest first", async () => {
    const payer = await createPayer(world);
    await setNext("transferOut.004", { times: 2 });
    await setNext("transferOut.005");
    const { data } = (await world.control("GET", "/outcomes/next")).body;
    expect(data).toMatchObject([
      { rule: "transferOut.004", times: 2, says: "rejected by the bank" },
      { rule: "transferOut.005", times: 1 },
    ]);
    const rules = [];
    for (let call = 0; call < 4; call += 1) {
      const bank = await createBank(world, payer.customerId, `99${call}`);
      const body = transferInput(payer.accountId, bank, 5);
      rules.push(ruleOf(await world.call("POST", "/transfer-out", body)));
    }
    expect(rules).toEqual([
      "transferOut.004",
      "transferOut.004",
      "transferOut.005",
      "transferOut.otherwise",
    ]);
  });

  test("counts only for the customer it names, and for what belongs to the customer", async () => {
    const [one, other] = [await createPayer(world), await createPayer(world)];
    const { status, body } = await setNext("transferOut.005", { for: one.customerId.slice(-12) });
    expect([status, body.for]).toEqual([201, one.customerId]);
    expect(ruleOf(await transfer(other))).toBe("transferOut.otherwise");
    expect(ruleOf(await transfer(one))).toBe("transferOut.005");
  });

  test("counts only for the account, the agent or the card it names", async () => {
    const payer = await createPayer(world);
    const agent = await connectAgent(world, payer.customerId);
    const bank = await createBank(world, payer.customerId, "997");
    const body = transferInput(payer.accountId, bank, 5);
    await setNext("transferOut.004", { for: agent.id });
    await setNext("transferOut.005", { for: bank });
    expect(ruleOf(await world.call("POST", "/transfer-out", body))).toBe("transferOut.005");
    const acted = await agent.call("POST", "/agents/me/transfer-out", body);
    expect(ruleOf(acted)).toBe("transferOut.004");

    const { customerId, usdId } = await createCardholder(world, { usd: 10_000 });
    const input = { cardholderId: customerId, fundingSources: [usdId] };
    const [first, second] = [await issueCard(world, input), await issueCard(world, input)];
    await setNext("cardAuthorization.002", { for: second.id });
    expect(await authorize(world, first.id, { amount: 5 })).toMatchObject({ status: "AUTHORIZED" });
    expect(await authorize(world, second.id, { amount: 5 })).toMatchObject({ status: "DECLINED" });
  });

  test("decides about an action of an agent, whatever the mode of the world is", async () => {
    await world.control("PUT", "/approvals", { mode: "approve" });
    const { customerId, accountId } = await createPayer(world);
    const policy = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const agent = await connectAgent(world, customerId, policy);
    const bank = await createBank(world, customerId, "999");
    const ask = async () => {
      const transfer = transferInput(accountId, bank, 5);
      const { body } = await agent.call("POST", "/agents/me/transfer-out", transfer);
      return (await agent.call("GET", `/agents/me/actions/${body.id}`)).body;
    };
    await setNext("agentApproval.reject", { for: agent.id });
    await setNext("agentApproval.ask", { for: agent.id });
    expect(await ask()).toMatchObject({
      status: "REJECTED",
      rejectionReason: "Rejected by the simulator: the outcome agentApproval.reject was set",
    });
    expect((await ask()).status).toBe("PENDING_APPROVAL");
    expect((await ask()).status).toBe("APPROVED");
    await world.control("PUT", "/approvals", { mode: "ask" });
  });

  test("is not used up by a request that is refused for another reason", async () => {
    const payer = await createPayer(world, 0);
    await setNext("transferOut.005");
    expect((await transfer(payer)).status).toBe(400);
    expect(await isSet()).toMatchObject([{ rule: "transferOut.005", times: 1 }]);
    expect((await world.control("DELETE", "/outcomes/next")).body).toEqual({ lifted: 1 });
  });

  test("is used up by a request that it refuses", async () => {
    const holder = await createCustomer(world);
    await setNext("document.204");
    const refused = await postDocument(world, holder);
    expect([refused.status, refused.body.code, ruleOf(refused)]).toEqual([
      400,
      "SUSPECTED_FRAUD",
      "document.204",
    ]);
    expect((await postDocument(world, holder)).status).toBe(201);
  });

  test("holds for the later pulls of a card's authorization", async () => {
    const { customerId, usdId } = await createCardholder(world, { usd: 10_000 });
    const input = { cardholderId: customerId, fundingSources: [usdId] };
    const card = await issueCard(world, input);
    await setNext("cardAuthorization.005");
    const authorized = await authorize(world, card.id, { amount: 100 });
    expect(authorized.pullSummary.pendingCount).toBe(1);
    const cleared = await clear(world, authorized, 150);
    expect(cleared.pullSummary.pendingCount).toBe(2);
    await world.sim.advance("30s");
  });

  test("leaves the row of a delivery that a failing pull never reaches", async () => {
    const { customerId } = await createPayer(world);
    const bank = await createBank(world, customerId, "002");
    const payee = await createPayee(world, customerId, "999");
    const quote = await world.call("POST", "/quotes", quoteInput(bank, payee));
    await setNext("quotedPayment.003");
    expect(ruleOf(await execute(world, quote.body.id))).toBe("pull.002");
    const [left] = await isSet();
    expect(left.rule).toBe("quotedPayment.003");
    const { body } = await world.control("DELETE", `/outcomes/next/${left.id.slice(-8)}`);
    expect(body).toEqual({ lifted: 1 });
  });

  test("is told by why, also at the steps that follow", async () => {
    const { customerId, accountId } = await createPayer(world);
    const payee = await createPayee(world, customerId, "002");
    const { body: quote } = await world.call("POST", "/quotes", quoteInput(accountId, payee));
    await setNext("quotedPayment.003");
    await execute(world, quote.id);
    await world.sim.advance("6m");
    const { chain, status } = (await world.control("GET", `/why/${quote.transactionId}`)).body;
    expect(status).toBe("COMPLETED");
    const rules = chain.flatMap((step: { effects: { kind: string }[] }) =>
      step.effects.filter(({ kind }) => kind === "rule"),
    );
    const told = {
      kind: "rule",
      rule: "quotedPayment.003",
      says: "test rule 003: completes after about 6 minutes (set by outcomes next)",
      isSet: true,
    };
    expect(rules).toEqual([told, told]);
  });
});

describe("a name that no row has", () => {
  test.each([
    { rule: "quotedPayment.03", closest: "quotedPayment.003" },
    { rule: "quotedpayment.003", closest: "quotedPayment.003" },
    { rule: "transferOut.999", closest: "transferOut.002" },
    { rule: "cardIssue", closest: "cardIssue.001" },
  ])("$rule is 404, with $closest among the closest", async ({ rule, closest }) => {
    const { status, body } = await setNext(rule);
    expect([status, body.error.code]).toEqual([404, "OUTCOME_NOT_FOUND"]);
    expect(body.error.details.closest).toContain(closest);
    expect(body.error.message).toContain(`No outcome ${rule}; the closest ones are `);
  });

  test("of nothing alike is 404 without them", async () => {
    const { status, body } = await setNext("x");
    expect([status, body.error.message]).toEqual([404, "No outcome x"]);
  });

  test("a subject that is none is 404, and times beyond the bound is 400", async () => {
    const unknown = await setNext("transferOut.005", { for: "Customer:nobody" });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "ID_NOT_FOUND"]);
    expect((await setNext("transferOut.005", { times: 0 })).status).toBe(400);
    expect((await setNext("transferOut.005", { times: 1001 })).status).toBe(400);
    expect(await isSet()).toEqual([]);
  });
});

test("a fork has what is set in its origin, and each uses up its own", async () => {
  const own = await startTestSimulator();
  const payer = await createPayer(own);
  const bank = await createBank(own, payer.customerId, "999");
  await own.control("POST", "/outcomes/next", { rule: "transferOut.005" });
  expect((await own.control("POST", "/worlds", { name: "forked" })).status).toBe(201);
  const body = transferInput(payer.accountId, bank, 5);
  expect(ruleOf(await own.call("POST", "/transfer-out", body))).toBe("transferOut.005");
  expect((await own.control("GET", "/outcomes/next")).body.data).toEqual([]);
  const left = await own.control("GET", "/outcomes/next?world=forked");
  expect(left.body.data).toMatchObject([{ rule: "transferOut.005", times: 1 }]);
  await own.sim.close();
});

test("a fixture sets it as a step, and it survives in a world that starts with it", async () => {
  const steps = [
    { request: { method: "POST", path: "/_sim/outcomes/next", body: { rule: "transferOut.005" } } },
  ];
  const own = await startTestSimulator({ fixture: { name: "set", steps } });
  expect((await own.control("GET", "/outcomes/next")).body.data).toMatchObject([
    { rule: "transferOut.005", times: 1 },
  ]);
  const payer = await createPayer(own);
  const bank = await createBank(own, payer.customerId, "999");
  const body = transferInput(payer.accountId, bank, 5);
  expect(ruleOf(await own.call("POST", "/transfer-out", body))).toBe("transferOut.005");
  await own.sim.close();
});
