import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { createParties } from "../setup/payment-parties.ts";
import { stagePerTest } from "../setup/stage-per-test.ts";
import { goTo } from "../setup/told.ts";
import {
  type AgentParties,
  ASKING,
  askQuote,
  decide,
  payOut,
  payQuote,
  pullIn,
} from "./setup/agent-parties.ts";

const PENDING = "AGENT_ACTION.PENDING_APPROVAL";

const stage = stagePerTest(0);
let parties: AgentParties;

beforeEach(async () => {
  const { world } = stage();
  const made = await createParties(world);
  parties = { ...made, agent: await connectAgent(world, made.payer.customerId, ASKING) };
  await settle();
  stage().receiver.received.length = 0;
});

const settle = () => goTo(stage().world, "09:00:00.000");

const setPolicy = (part: object) =>
  stage().world.call("PATCH", `/agents/${parties.agent.id}/policy`, part);

const told = () => stage().receiver.received;
const types = () => stage().receiver.types();
const own = () => told().filter(({ type }) => type === PENDING);

describe("an action that waits", () => {
  test.each([
    { says: "a transfer out", submit: (one: AgentParties) => payOut(one), type: "TRANSFER_OUT" },
    { says: "a transfer in", submit: (one: AgentParties) => pullIn(one), type: "TRANSFER_IN" },
    { says: "a quote", submit: (one: AgentParties) => payQuote(one), type: "EXECUTE_QUOTE" },
  ])("sends one signed event with the whole action: $says", async ({ submit, type }) => {
    const { world } = stage();
    const { body: action } = await submit(parties);
    await goTo(world, "09:01:00.000");
    const events = own();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      id: expect.stringMatching(/^Webhook:[0-9a-f-]{36}$/),
      type: PENDING,
      timestamp: "2026-01-05T09:00:00.000Z",
    });
    expect(events[0]?.data).toEqual(action);
    expect(action).toMatchObject({ type, status: "PENDING_APPROVAL", why: { decision: "ask" } });
    const { body } = await parties.agent.call("GET", `/agents/me/actions/${action.id}`);
    expect(events[0]?.data).toEqual(body);
    expect(types().filter((one) => one.startsWith("OUTGOING") && type !== "EXECUTE_QUOTE")).toEqual(
      [],
    );
  });

  test("from immediatelyExecute sends its event too, with its quote", async () => {
    const { body: quote } = await askQuote(parties, { immediatelyExecute: true });
    await settle();
    expect(own()).toHaveLength(1);
    expect(own()[0]?.data).toMatchObject({ type: "EXECUTE_QUOTE", quote });
  });

  test("sends no event when it is approved; its payment does", async () => {
    const { world } = stage();
    const { body: action } = await payOut(parties);
    await settle();
    const { body } = await decide(world, parties, { verb: "approve", id: action.id });
    await settle();
    expect(own()).toHaveLength(1);
    const payments = told().filter(({ data }) => data.id === body.transaction.id);
    expect(payments.map(({ type }) => type)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
    expect(types()).toContain("INTERNAL_ACCOUNT.BALANCE_UPDATED");
  });

  test.each([
    {
      says: "rejected",
      end: (id: string) => decide(stage().world, parties, { verb: "reject", id }),
    },
    {
      says: "rejected with its agent",
      end: () => stage().world.call("DELETE", `/agents/${parties.agent.id}`),
    },
    {
      says: "approved, and fails",
      end: async (id: string) => {
        await setPolicy({ permissions: [] });
        await decide(stage().world, parties, { verb: "approve", id });
      },
    },
  ])("sends no event when it is $says", async ({ end }) => {
    const { body: action } = await payOut(parties);
    await settle();
    await end(action.id);
    await goTo(stage().world, "09:10:00.000");
    expect(types()).toEqual([PENDING]);
  });

  test("sends no event if its call is refused or replayed", async () => {
    const { agent, payer, bank } = parties;
    const body = { source: { accountId: payer.accountId }, destination: { accountId: bank } };
    const send = (amount: number) =>
      agent.call(
        "POST",
        "/agents/me/transfer-out",
        { ...body, amount },
        { "idempotency-key": "k" },
      );
    expect((await send(1)).status).toBe(201);
    expect((await send(1)).status).toBe(201);
    expect((await payOut(parties, 40_001)).status).toBe(403);
    await settle();
    expect(types()).toEqual([PENDING]);
  });
});

describe("an action that runs at once", () => {
  beforeEach(async () => {
    await setPolicy({ defaultExecutionMode: "AUTO" });
  });

  test("sends the events of its payment alone, each with agentId", async () => {
    const { agent } = parties;
    const ids = [
      (await payOut(parties)).body.transaction.id,
      (await pullIn(parties)).body.transaction.id,
      (await payQuote(parties)).body.transaction.id,
    ];
    await settle();
    expect(own()).toEqual([]);
    const payments = told().filter(({ type }) => /^(OUTGOING|INCOMING)_PAYMENT/.test(type));
    expect([...new Set(payments.map(({ data }) => data.id))].sort()).toEqual(ids.sort());
    expect(payments.length).toBe(7);
    expect(payments.every(({ data }) => data.agentId === agent.id)).toBe(true);
  });

  test("and FAILED for too little balance sends no event", async () => {
    await setPolicy({ spendingLimits: { perTransactionLimit: 2_000_000 } });
    expect((await payOut(parties, 1_000_001)).body.status).toBe("FAILED");
    await settle();
    expect(types()).toEqual([]);
  });
});
