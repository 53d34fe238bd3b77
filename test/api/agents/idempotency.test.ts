import { beforeEach, describe, expect, test } from "vitest";
import { type ConnectedAgent, connectAgent } from "../../setup/agents.ts";
import { transferInput } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import { type AgentParties, askQuote, createAgentParties, usageOf } from "./setup/agent-parties.ts";

const KEY = { "idempotency-key": "k1" };

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one));

beforeEach(async () => {
  parties = await agentParties(world());
});

const setPolicy = (part: object) =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, part);

const balance = () => balanceOf(world(), parties.payer.accountId);

const transferOut = (agent: ConnectedAgent = parties.agent, amount: unknown = 25_000) =>
  agent.call(
    "POST",
    "/agents/me/transfer-out",
    transferInput(parties.payer.accountId, parties.bank, amount),
    KEY,
  );

/** The operations of agents that take a key, each ready to be called once. */
const OPERATIONS: {
  operation: string;
  done: number;
  prepare: () => Promise<() => Promise<Answer>>;
}[] = [
  {
    operation: "agentCreateQuote",
    done: 201,
    prepare: async () => () =>
      parties.agent.call(
        "POST",
        "/agents/me/quotes",
        quoteInput(parties.payer.accountId, parties.mexican),
        KEY,
      ),
  },
  {
    operation: "agentExecuteQuote",
    done: 200,
    prepare: async () => {
      const { id } = (await askQuote(parties)).body;
      return () => parties.agent.call("POST", `/agents/me/quotes/${id}/execute`, undefined, KEY);
    },
  },
  {
    operation: "agentTransferIn",
    done: 201,
    prepare: async () => () =>
      parties.agent.call(
        "POST",
        "/agents/me/transfer-in",
        transferInput(parties.bank, parties.payer.accountId, 25_000),
        KEY,
      ),
  },
  { operation: "agentTransferOut", done: 201, prepare: async () => () => transferOut() },
];

// spec/agent-actions.md#idempotency-keys
describe.each(OPERATIONS)("$operation under a key", ({ done, prepare }) => {
  test("runs once, and repeats its first answer", async () => {
    const act = await prepare();
    const first = await act();
    expect(first.status).toBe(done);
    await goTo(world(), "09:10:00.000");
    const money = await balance();
    const usage = await usageOf(parties);
    const again = await act();
    expect([again.status, again.body]).toEqual([done, first.body]);
    expect([await balance(), await usageOf(parties)]).toEqual([money, usage]);
  });

  test("runs once for concurrent calls", async () => {
    const act = await prepare();
    const answers = await Promise.all([act(), act(), act()]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test("waits for one approval, and its replay shows the action as it was then", async () => {
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    const act = await prepare();
    const { body: first } = await act();
    if (first.status === "PENDING_APPROVAL")
      await world().call("POST", `/agents/${parties.agent.id}/actions/${first.id}/approve`);
    expect((await act()).body).toEqual(first);
  });

  test("repeats the refusal of a pause, even after the pause", async () => {
    const act = await prepare();
    await world().call("PATCH", `/agents/${parties.agent.id}`, { isPaused: true });
    const first = await act();
    expect(first.body).toMatchObject({ status: 403, reason: "AGENT_PAUSED" });
    await world().call("PATCH", `/agents/${parties.agent.id}`, { isPaused: false });
    const again = await act();
    expect([again.status, again.body]).toEqual([403, first.body]);
  });
});

test("a denial by limits is stored; another key succeeds once the policy allows it", async () => {
  await setPolicy({ spendingLimits: { perTransactionLimit: 24_999 } });
  const first = await transferOut();
  expect(first.body).toMatchObject({ status: 403, reason: "PER_TRANSACTION_LIMIT_EXCEEDED" });
  await setPolicy({ spendingLimits: { perTransactionLimit: 25_000 } });
  const again = await transferOut();
  expect([again.status, again.body]).toEqual([403, first.body]);
  expect((await transferOut(parties.agent, 1)).body).toEqual(first.body);
  const body = transferInput(parties.payer.accountId, parties.bank, 25_000);
  const other = { "idempotency-key": "k2" };
  const done = await parties.agent.call("POST", "/agents/me/transfer-out", body, other);
  expect(done.status).toBe(201);
});

test("a refusal of the body is repeated before path and permission are checked", async () => {
  const first = await transferOut(parties.agent, 0);
  expectRefused(first, { status: 400, code: "INVALID_AMOUNT", field: "amount" });
  await setPolicy({ permissions: [] });
  expect((await transferOut()).body).toEqual(first.body);
});

test("one key of two agents and of the platform is three keys", async () => {
  const { payer, bank } = parties;
  const second = await connectAgent(world(), payer.customerId);
  const input = quoteInput(payer.accountId, parties.mexican);
  const ask = (agent: ConnectedAgent) => agent.call("POST", "/agents/me/quotes", input, KEY);
  const platform = (path: string, body: object) =>
    world().raw("POST", path, {
      headers: { ...KEY, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const quotes = [await ask(parties.agent), await ask(second), await platform("/quotes", input)];
  expect(new Set(quotes.map(({ body }) => body.id)).size).toBe(3);
  const transfer = transferInput(payer.accountId, bank, 25_000);
  for (const answer of [
    await transferOut(),
    await transferOut(second),
    await platform("/transfer-out", transfer),
  ])
    expect(answer.status).toBe(201);
  expect(await balance()).toBe(925_000);
  expect((await ask(second)).body).toEqual(quotes[1]?.body);
});

test("one key for the platform's and the agent's execution of a quote is two keys", async () => {
  const { id } = (await askQuote(parties)).body;
  const done = await world().raw("POST", `/quotes/${id}/execute`, { headers: KEY });
  expect(done.status).toBe(200);
  const late = await parties.agent.call("POST", `/agents/me/quotes/${id}/execute`, undefined, KEY);
  expect(late.status).toBe(409);
});

test("a 401 is not stored, of a wrong token or a deleted agent", async () => {
  const wrong = { authorization: "Bearer agt_none", ...KEY };
  const path = "/agents/me/transfer-out";
  expect((await world().raw("POST", path, { headers: wrong })).status).toBe(401);
  const first = await transferOut();
  expect(first.status).toBe(201);
  await world().call("DELETE", `/agents/${parties.agent.id}`);
  expectRefused(await transferOut(), { status: 401, code: "UNAUTHORIZED" });
});

test("a FAILED action is stored like any other answer", async () => {
  await setPolicy({ spendingLimits: { perTransactionLimit: 2_000_000 } });
  const first = await transferOut(parties.agent, 1_000_001);
  expect(first.body.status).toBe("FAILED");
  const fund = `/sandbox/internal-accounts/${parties.payer.accountId}/fund`;
  await world().call("POST", fund, { amount: 1 });
  expect((await transferOut(parties.agent, 1_000_001)).body).toEqual(first.body);
  expect(await balance()).toBe(1_000_001);
});

test("a key is stored for 24 simulated hours", async () => {
  const first = await transferOut();
  await world().control("POST", "/clock/advance", { to: "2026-01-06T08:59:59.999Z" });
  expect((await transferOut()).body.id).toBe(first.body.id);
  await world().control("POST", "/clock/advance", { to: "2026-01-06T09:00:00.000Z" });
  expect((await transferOut()).body.id).not.toBe(first.body.id);
});

test("an approval ignores keys: the second one is 409", async () => {
  await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
  const { id } = (await transferOut()).body;
  const path = `/agents/${parties.agent.id}/actions/${id}/approve`;
  expect((await world().raw("POST", path, { headers: KEY })).status).toBe(200);
  await expectNothing(world(), () => world().raw("POST", path, { headers: KEY }), {
    status: 409,
    code: "CONFLICT",
    reason: "ACTION_ALREADY_DECIDED",
  });
});
