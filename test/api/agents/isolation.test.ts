import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent } from "../../setup/agents.ts";
import { from, to, transferInput } from "../../setup/banks.ts";
import { createPayee, quoteInput } from "../../setup/platform.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  askQuote,
  createAgentParties,
  executeQuote,
  payOut,
} from "./setup/agent-parties.ts";

const world = worldPerTest();

/** The agent under test, and an agent of another customer whose records it must not see. */
let own: AgentParties;
let other: AgentParties;
let otherMexican: string;

const agentParties = preparedOnce((one) => createAgentParties(one));

beforeEach(async () => {
  own = await agentParties(world());
  const customerId = own.other.customerId;
  otherMexican = await createPayee(world(), customerId, "998");
  other = {
    ...own,
    agent: await connectAgent(world(), customerId),
    payer: own.other,
    bank: own.otherBank,
    mexican: otherMexican,
  };
});

// spec/agents.md#scope
describe("a resource of another customer is unknown in a path", () => {
  test("a transaction, a quote, an action, an external account", async () => {
    const { body: quote } = await askQuote(other);
    const { body: action } = await payOut(other);
    const paths: [string, string, string][] = [
      ["GET", `/transactions/${quote.transactionId}`, "TRANSACTION_NOT_FOUND"],
      ["GET", `/transactions/${action.transaction.id}`, "TRANSACTION_NOT_FOUND"],
      ["GET", `/quotes/${quote.id}`, "QUOTE_NOT_FOUND"],
      ["POST", `/quotes/${quote.id}/execute`, "QUOTE_NOT_FOUND"],
      ["GET", `/actions/${action.id}`, "REFERENCE_NOT_FOUND"],
      ["GET", `/external-accounts/${own.otherBank}`, "REFERENCE_NOT_FOUND"],
      ["DELETE", `/external-accounts/${own.otherBank}`, "REFERENCE_NOT_FOUND"],
      ["GET", `/external-accounts/${own.platformBank}`, "REFERENCE_NOT_FOUND"],
      ["DELETE", `/external-accounts/${own.platformBank}`, "REFERENCE_NOT_FOUND"],
    ];
    for (const [method, path, code] of paths) {
      const act = () => own.agent.call(method, `/agents/me${path}`);
      await expectNothing(world(), act, { status: 404, code });
    }
    expect((await executeQuote(other, quote.id)).body.status).toBe("APPROVED");
  });

  test("with the same 404 as an unknown id", async () => {
    const { body: quote } = await askQuote(other);
    const none = quote.id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"));
    const told = async (id: string) => {
      const { body } = await own.agent.call("GET", `/agents/me/quotes/${id}`);
      return JSON.parse(JSON.stringify(body).replaceAll(id, "ID"));
    };
    expect(await told(quote.id)).toEqual(await told(none));
  });
});

describe("an account of another customer, or of the platform, is unknown in a body", () => {
  test("as either end of a transfer", async () => {
    const { payer, bank } = own;
    for (const foreign of [own.other.accountId, own.otherBank, own.platform, own.platformBank]) {
      const cases: [string, object, string][] = [
        ["out", transferInput(foreign, bank, 1), "source.accountId"],
        ["out", transferInput(payer.accountId, foreign, 1), "destination.accountId"],
        ["in", transferInput(foreign, payer.accountId, 1), "source.accountId"],
        ["in", transferInput(bank, foreign, 1), "destination.accountId"],
      ];
      for (const [way, body, field] of cases) {
        const act = () => own.agent.call("POST", `/agents/me/transfer-${way}`, body);
        await expectNothing(world(), act, invalid(field, "ACCOUNT_NOT_FOUND"));
      }
    }
  });

  test("as either end of a quote, whatever customer the body names", async () => {
    const { other: stranger } = own;
    for (const foreign of [stranger.accountId, own.otherBank, own.platform, own.platformBank]) {
      const ask = (members: object) => () => askQuote(own, members);
      const source = invalid("source.accountId", "ACCOUNT_NOT_FOUND");
      await expectNothing(world(), ask(from(foreign)), source);
      await expectNothing(world(), ask(from(foreign, stranger.customerId)), source);
      const destination = invalid("destination.accountId", "ACCOUNT_NOT_FOUND");
      await expectNothing(world(), ask(to(foreign)), destination);
    }
  });

  test("with the same answer as an unknown account", async () => {
    const told = async (id: string) => {
      const body = transferInput(own.payer.accountId, id, 1);
      const answer = await own.agent.call("POST", "/agents/me/transfer-out", body);
      return JSON.parse(JSON.stringify(answer.body).replaceAll(id, "ID"));
    };
    const none = own.otherBank.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(await told(own.otherBank)).toEqual(await told(none));
  });
});

// spec/agents.md#own-reads
describe("lists contain nothing of others", () => {
  const ids = async ({ agent }: AgentParties, path: string): Promise<string[]> => {
    const { status, body } = await agent.call("GET", `/agents/me/${path}`);
    expect(status).toBe(200);
    expect(body.totalCount).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => id).sort();
  };

  test("transactions, even if a filter names another customer's account", async () => {
    const { body: mine } = await payOut(own);
    const { body: theirs } = await payOut(other);
    expect(await ids(own, "transactions")).toEqual([mine.transaction.id]);
    expect(await ids(other, "transactions")).toEqual([theirs.transaction.id]);
    for (const query of [
      `accountIdentifier=${own.otherBank}`,
      `reference=${theirs.transaction.reconciliationInstructions.reference}`,
    ])
      expect(await ids(own, `transactions?${query}`)).toEqual([]);
    const all = `transactions?customerId=${own.other.customerId}`;
    expect(await ids(own, all)).toEqual([mine.transaction.id]);
  });

  test("internal and external accounts, and actions", async () => {
    const { body: mine } = await payOut(own);
    await payOut(other);
    const path = `/customers/internal-accounts?customerId=${own.payer.customerId}`;
    const { body: held } = await world().call("GET", path);
    expect(await ids(own, "internal-accounts")).toEqual(
      held.data.map(({ id }: { id: string }) => id).sort(),
    );
    expect(await ids(own, "external-accounts")).toEqual([own.bank, own.mexican].sort());
    expect(await ids(other, "external-accounts")).toEqual([own.otherBank, otherMexican].sort());
    expect(await ids(own, "actions")).toEqual([mine.id]);
    const foreign = `internal-accounts?customerId=${own.other.customerId}`;
    expect(await ids(own, foreign)).toHaveLength(held.data.length);
  });

  test("a cursor of another agent's list is refused", async () => {
    await payOut(other);
    await payOut(own);
    await payOut(own);
    const { body } = await own.agent.call("GET", "/agents/me/actions?limit=1");
    const path = `/agents/me/actions?cursor=${body.nextCursor}`;
    expectRefused(await other.agent.call("GET", path), invalid("cursor"));
  });
});

describe("two agents of one customer", () => {
  test("see the customer's transactions and accounts, but not each other's quotes", async () => {
    const second = { ...own, agent: await connectAgent(world(), own.payer.customerId) };
    const { body: quote } = await askQuote(own);
    const { body: action } = await payOut(own);
    const get = (path: string) => second.agent.call("GET", `/agents/me/${path}`);
    expect((await get(`transactions/${quote.transactionId}`)).status).toBe(200);
    expect((await get(`external-accounts/${own.bank}`)).status).toBe(200);
    expectRefused(await get(`quotes/${quote.id}`), { status: 404, code: "QUOTE_NOT_FOUND" });
    expectRefused(await executeQuote(second, quote.id), { status: 404, code: "QUOTE_NOT_FOUND" });
    expectRefused(await get(`actions/${action.id}`), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    });
  });

  test("have limits and counters of their own", async () => {
    const second = { ...own, agent: await connectAgent(world(), own.payer.customerId) };
    await world().call("PATCH", `/agents/${own.agent.id}/policy`, {
      spendingLimits: { dailyTransactionLimit: 1 },
    });
    expect((await payOut(own)).status).toBe(201);
    expect((await payOut(own)).status).toBe(403);
    expect((await payOut(second)).status).toBe(201);
    expect((await second.agent.call("GET", "/agents/me")).body.usage.dailySpend).toBe(25_000);
  });
});

describe("the allow-list", () => {
  test("hides internal accounts from the list, and no transaction", async () => {
    const { agent, payer, wallet } = own;
    await payOut(own);
    await world().call("PATCH", `/agents/${agent.id}/policy`, {
      accountRestrictions: { allowedAccountIds: [wallet] },
    });
    const list = async (query: string) =>
      (await agent.call("GET", `/agents/me/internal-accounts?${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list("")).toEqual([wallet]);
    expect(await list("type=EMBEDDED_WALLET")).toEqual([wallet]);
    expect(await list("currency=USD")).toEqual([]);
    expect(await list("type=INTERNAL_FIAT")).toEqual([]);
    expect((await agent.call("GET", "/agents/me/transactions")).body.totalCount).toBe(1);
    await world().call("PATCH", `/agents/${agent.id}/policy`, {
      accountRestrictions: { allowedAccountIds: null },
    });
    expect(await list("type=INTERNAL_FIAT&currency=USD")).toEqual([payer.accountId]);
    expect(await list("currency=XYZ")).toEqual([]);
  });
});

test("the transaction of a quote from the platform's own account is unknown to agents", async () => {
  const input = quoteInput(own.platform, own.payer.accountId);
  const { status, body } = await world().call("POST", "/quotes", input);
  expect(status).toBe(201);
  expectRefused(await own.agent.call("GET", `/agents/me/transactions/${body.transactionId}`), {
    status: 404,
    code: "TRANSACTION_NOT_FOUND",
  });
});
