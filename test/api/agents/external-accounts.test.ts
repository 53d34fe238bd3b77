import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { usdAccount } from "../../setup/banks.ts";
import { createPayer } from "../../setup/platform.ts";
import { accountCase, CASE_OF_EACH_IDENTIFIER, creationBody } from "../setup/account-bodies.ts";
import { NOBODY } from "../setup/payment-parties.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  ASKING,
  askQuote,
  createAgentParties,
  decide,
  payOut,
} from "./setup/agent-parties.ts";

const PATH = "/agents/me/external-accounts";
const NOT_FOUND = { status: 404, code: "REFERENCE_NOT_FOUND" };

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one, ASKING));

beforeEach(async () => {
  parties = await agentParties(world());
});

const create = (body: object) => parties.agent.call("POST", PATH, body);
const POUNDS = creationBody(accountCase("GBP_ACCOUNT"));

// spec/agents.md#own-external-accounts
describe("an external account that an agent adds", () => {
  test("is the customer's, and is made at once as by the platform", async () => {
    const { agent, payer } = parties;
    const { status, body } = await create(POUNDS);
    expect([status, body.customerId]).toEqual([201, payer.customerId]);
    const input = { ...POUNDS, customerId: parties.other.customerId };
    const own = (await world().call("POST", "/customers/external-accounts", input)).body;
    const { id, customerId, ...rest } = body;
    const { id: _id, customerId: _customerId, ...same } = own;
    expect(rest).toEqual(same);
    for (const answer of [
      await agent.call("GET", `${PATH}/${id}`),
      await world().call("GET", `/customers/external-accounts/${id}`),
    ])
      expect([answer.status, answer.body]).toEqual([200, body]);
    expect((await agent.call("GET", "/agents/me/actions")).body.data).toEqual([]);
    expect(customerId).toBe(payer.customerId);
  });

  test.each(CASE_OF_EACH_IDENTIFIER.map((one) => ({ type: one.type, one })))(
    "may be of every type: $type",
    async ({ one }) => {
      const { customerId } = await createPayer(world(), 0);
      const agent = await connectAgent(world(), customerId);
      expect((await agent.call("POST", PATH, creationBody(one))).status).toBe(201);
    },
  );

  test("may name its customer or none, but no other", async () => {
    const { payer, other } = parties;
    const named = (customerId: unknown, suffix: string) =>
      create({ customerId, currency: "USD", accountInfo: usdAccount(suffix) });
    expect((await named(payer.customerId, "801")).status).toBe(201);
    expect((await named(null, "802")).body.customerId).toBe(payer.customerId);
    for (const id of [other.customerId, NOBODY])
      await expectNothing(world(), () => named(id, "803"), invalid("customerId", "USER_NOT_FOUND"));
  });

  test("exists once for each customer, whoever adds it", async () => {
    const exists = { status: 409, code: "CONFLICT", reason: "EXTERNAL_ACCOUNT_EXISTS" };
    expect((await create(POUNDS)).status).toBe(201);
    await expectNothing(world(), () => create(POUNDS), exists);
    const { customerId } = parties.payer;
    const euro = creationBody(accountCase("EUR_ACCOUNT"));
    await world().call("POST", "/customers/external-accounts", { ...euro, customerId });
    await expectNothing(world(), () => create(euro), exists);
  });

  test("can be paid by the agent at once", async () => {
    const { body } = await create({ currency: "USD", accountInfo: usdAccount("804") });
    const answer = await payOut({ ...parties, bank: body.id });
    expect(answer.body.status).toBe("PENDING_APPROVAL");
  });
});

describe("the list of external accounts", () => {
  test("is filtered by currency, newest first, and comes in pages", async () => {
    const { agent, bank, mexican } = parties;
    await goTo(world(), "09:01:00.000");
    const { id } = (await create(POUNDS)).body;
    const list = async (query: string) => (await agent.call("GET", `${PATH}?${query}`)).body;
    const ids = async (query: string) =>
      (await list(query)).data.map((one: { id: string }) => one.id);
    expect((await ids(""))[0]).toBe(id);
    expect((await ids("")).sort()).toEqual([id, bank, mexican].sort());
    expect(await ids("currency=MXN")).toEqual([mexican]);
    expect(await ids("currency=XYZ")).toEqual([]);
    expect(await ids(`customerId=${parties.other.customerId}&currency=GBP`)).toEqual([id]);
    const first = await list("limit=2");
    expect([first.data.length, first.hasMore, first.totalCount]).toEqual([2, true, 3]);
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect([second.data.length, second.hasMore]).toEqual([1, false]);
    expectRefused(await agent.call("GET", `${PATH}?limit=0`), invalid("limit"));
  });
});

describe("deleting an external account", () => {
  test("removes it for everyone; its payments keep their record", async () => {
    const { agent, bank } = parties;
    const { id } = (await payOut(parties)).body;
    await decide(world(), parties, { verb: "approve", id });
    await goTo(world(), "09:01:00.000");
    const gone = await agent.call("DELETE", `${PATH}/${bank}`);
    expect([gone.status, gone.body, gone.headers.get("content-type")]).toEqual([204, "", null]);
    expectRefused(await agent.call("DELETE", `${PATH}/${bank}`), NOT_FOUND);
    expectRefused(await agent.call("GET", `${PATH}/${bank}`), NOT_FOUND);
    expectRefused(await world().call("GET", `/customers/external-accounts/${bank}`), NOT_FOUND);
    expectRefused(await payOut(parties), invalid("destination.accountId", "ACCOUNT_NOT_FOUND"));
    const { body: action } = await agent.call("GET", `/agents/me/actions/${id}`);
    expect(action).toMatchObject({
      status: "APPROVED",
      transferDetails: { destinationAccountId: bank },
    });
  });

  test("that a waiting action needs makes the action fail at its approval", async () => {
    const { id } = (await payOut(parties)).body;
    await parties.agent.call("DELETE", `${PATH}/${parties.bank}`);
    const { status, body } = await decide(world(), parties, { verb: "approve", id });
    expect([status, body.status]).toEqual([200, "FAILED"]);
  });

  test("that a quote pays to makes its execution fail", async () => {
    const { body: quote } = await askQuote(parties);
    await parties.agent.call("DELETE", `${PATH}/${parties.mexican}`);
    const path = `/agents/me/quotes/${quote.id}/execute`;
    expectRefused(await parties.agent.call("POST", path), {
      status: 400,
      code: "INVALID_BANK_ACCOUNT",
      field: "destination.accountId",
    });
  });
});

test("an agent of a deleted customer reads, but neither adds nor deletes accounts", async () => {
  const { agent, payer, bank } = parties;
  await world().call("DELETE", `/customers/${payer.customerId}`);
  const paused = { status: 403, code: "FORBIDDEN", reason: "AGENT_PAUSED" };
  expectRefused(await create(POUNDS), paused);
  expectRefused(await agent.call("DELETE", `${PATH}/${bank}`), paused);
  for (const path of ["", "/transactions", "/internal-accounts", "/actions"])
    expect((await agent.call("GET", `/agents/me${path}`)).status).toBe(200);
  await world().call("PATCH", `/agents/${agent.id}`, { isPaused: false });
  expectRefused(await create(POUNDS), invalid("customerId", "USER_NOT_FOUND"));
});
