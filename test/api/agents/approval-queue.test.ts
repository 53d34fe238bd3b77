import { beforeEach, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { transferInput } from "../../setup/banks.ts";
import { NOBODY } from "../setup/payment-parties.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  ASKING,
  createAgentParties,
  decide,
  payOut,
  payQuote,
} from "./setup/agent-parties.ts";

const world = worldPerTest();
let parties: AgentParties;
let otherAgent: string;

/** One action a minute: amounts 1 and 2 of one agent, 3 of the other customer's, 4 of the first. */
const agentParties = preparedOnce((one) => createAgentParties(one, ASKING));

beforeEach(async () => {
  parties = await agentParties(world());
  const { other, otherBank } = parties;
  const second = await connectAgent(world(), other.customerId, ASKING);
  otherAgent = second.id;
  await payOut(parties, 1);
  await goTo(world(), "09:01:00.000");
  await payOut(parties, 2);
  await goTo(world(), "09:02:00.000");
  const body = transferInput(other.accountId, otherBank, 3);
  await second.call("POST", "/agents/me/transfer-out", body);
  await goTo(world(), "09:03:00.000");
  await payOut(parties, 4);
});

interface Waiting {
  id: string;
  transferDetails: { amount: number };
}

const queue = async (query = "") => {
  const { status, body } = await world().call("GET", `/agents/approvals?${query}`);
  expect(status).toBe(200);
  return body as { data: Waiting[]; hasMore: boolean; totalCount: number; nextCursor?: string };
};

const amounts = async (query: string) =>
  (await queue(query)).data.map(({ transferDetails }) => transferDetails.amount);

test("waiting actions are listed by each filter and in both orders", async () => {
  const { agent, payer, other } = parties;
  const cases: [string, number[]][] = [
    ["", [4, 3, 2, 1]],
    ["sortOrder=desc", [4, 3, 2, 1]],
    ["sortOrder=asc", [1, 2, 3, 4]],
    [`agentId=${agent.id}`, [4, 2, 1]],
    [`agentId=${otherAgent}`, [3]],
    ["agentId=Agent:none", []],
    [`customerId=${payer.customerId}`, [4, 2, 1]],
    [`customerId=${other.customerId}&sortOrder=asc`, [3]],
    [`customerId=${NOBODY}`, []],
    [`customerId=${other.customerId}&agentId=${agent.id}`, []],
    ["startDate=2026-01-05T09:02:00.000Z", [4, 3]],
    ["startDate=2026-01-05T09:02:00.001Z", [4]],
    ["endDate=2026-01-05T09:01:00.000Z", [2, 1]],
    ["endDate=2026-01-05T09:00:59.999Z", [1]],
    ["startDate=2026-01-05T09:01:00.000Z&endDate=2026-01-05T09:02:00.000Z&sortOrder=asc", [2, 3]],
  ];
  for (const [query, found] of cases) expect([query, await amounts(query)]).toEqual([query, found]);
});

test("each looks the same to its agent", async () => {
  for (const action of (await queue(`agentId=${parties.agent.id}`)).data) {
    const { body } = await parties.agent.call("GET", `/agents/me/actions/${action.id}`);
    expect(action).toEqual(body);
    expect(body).toMatchObject({ status: "PENDING_APPROVAL", why: { decision: "ask" } });
  }
});

test("decided actions leave; failed and automatic ones were never listed", async () => {
  const { data } = await queue("sortOrder=asc&limit=2");
  await decide(world(), parties, { verb: "approve", id: data[0]?.id ?? "" });
  await decide(world(), parties, { verb: "reject", id: data[1]?.id ?? "" });
  expect(await amounts("")).toEqual([4, 3]);
  await world().call("PATCH", `/agents/${parties.agent.id}/policy`, {
    defaultExecutionMode: "AUTO",
    spendingLimits: { perTransactionLimit: 2_000_000 },
  });
  expect((await payOut(parties, 5)).body.status).toBe("APPROVED");
  expect((await payOut(parties, 1_000_001)).body.status).toBe("FAILED");
  expect((await payQuote(parties)).body.status).toBe("APPROVED");
  expect(await amounts("")).toEqual([4, 3]);
});

test("the queue comes in pages, in both orders, even while actions leave it", async () => {
  const first = await queue("limit=2&sortOrder=asc");
  expect([first.data.length, first.hasMore, first.totalCount]).toEqual([2, true, 4]);
  await decide(world(), parties, { verb: "approve", id: first.data[1]?.id ?? "" });
  const second = await queue(`limit=2&sortOrder=asc&cursor=${first.nextCursor}`);
  expect(second.data.map((one) => one.transferDetails.amount)).toEqual([3, 4]);
  expect([second.hasMore, second.totalCount]).toEqual([false, 3]);
  expect(second).not.toHaveProperty("nextCursor");
  const turned = `/agents/approvals?limit=2&cursor=${first.nextCursor}`;
  expectRefused(await world().call("GET", turned), invalid("cursor"));
});

test.each([
  ["sortOrder=up", "sortOrder"],
  ["startDate=today", "startDate"],
  ["endDate=2026-01-05", "endDate"],
  ["limit=101", "limit"],
  ["cursor=x", "cursor"],
])("the queue refuses %s", async (query, field) => {
  expectRefused(await world().call("GET", `/agents/approvals?${query}`), invalid(field));
});
