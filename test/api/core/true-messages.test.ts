import { expect, test } from "vitest";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayer } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { activeCard, authorize, clear, tryReturn } from "../cards/setup/card-world.ts";
import { populateCards } from "../setup/populated-cards.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const PERSON = { customerType: "INDIVIDUAL" };

const deleted = async ({ call }: TestSimulator): Promise<string> => {
  const { body } = await call("POST", "/customers", PERSON);
  await call("DELETE", `/customers/${body.id}`);
  return body.id;
};

/** Calls that name a customer and refuse a deleted one. */
const NAMING: {
  says: string;
  ask(world: TestSimulator, id: string): ReturnType<TestSimulator["call"]>;
}[] = [
  { says: "a change", ask: ({ call }, id) => call("PATCH", `/customers/${id}`, PERSON) },
  { says: "a KYC link", ask: ({ call }, id) => call("POST", `/customers/${id}/kyc-link`, {}) },
  {
    says: "a verification",
    ask: ({ call }, customerId) => call("POST", "/verifications", { customerId }),
  },
  {
    says: "an agent",
    ask: ({ call }, customerId) =>
      call("POST", "/agents", { name: "Bot", customerId, policy: GENEROUS }),
  },
  {
    says: "a card",
    ask: ({ call }, cardholderId) =>
      call("POST", "/cards", { cardholderId, form: "VIRTUAL", fundingSources: ["x"] }),
  },
  {
    says: "an external account",
    ask: ({ call }, customerId) =>
      call("POST", "/customers/external-accounts", {
        customerId,
        currency: "USDC",
        accountInfo: { accountType: "BASE_WALLET", address: `0x${"1".repeat(40)}` },
      }),
  },
  {
    says: "a lookup",
    ask: ({ call }, customerId) =>
      call("GET", `/receiver/uma/$success.mxn@sandbox.uma.test?customerId=${customerId}`),
  },
];

test.each(NAMING)("$says that names a deleted customer is refused as such", async ({ ask }) => {
  const id = await deleted(world());
  const { status, body } = await ask(world(), id);
  expect([400, 404]).toContain(status);
  expect(body.message).toBe(
    `The customer ${id} is deleted. Use another customer; GET /customers/${id} still shows this one`,
  );
  expect((await world().call("GET", `/customers/${id}`)).status).toBe(200);
});

test("an unknown customer has a message of its own", async () => {
  const { body } = await world().call("PATCH", "/customers/Customer:none", PERSON);
  expect(body.message).toBe("No customer Customer:none. GET /customers lists them");
});

test("an unknown card transaction has advice of its own", async () => {
  const { cardId } = await populateCards(world());
  const path = `/sandbox/cards/${cardId}/simulate/clearing`;
  const { body } = await world().call("POST", path, { cardTransactionId: "none", amount: 1 });
  expect(body.message).toBe(
    "The card has no transaction none. POST /sandbox/cards/{cardId}/simulate/authorization " +
      "returns the id of a new one",
  );
});

test("accounts of two owners are refused with advice", async () => {
  const { customerId } = await createPayer(world());
  const bank = await createBank(world(), customerId);
  const { body: platform } = await world().call("GET", "/platform/internal-accounts?currency=USD");
  const input = transferInput(platform.data[0].id, bank, 1);
  const { body } = await world().call("POST", "/transfer-out", input);
  expect(body.message).toBe(
    "The two accounts belong to different owners. " +
      "Use two accounts of one owner: of a customer, or of the platform",
  );
});

test("an agent's account must be its customer's, and the message says so", async () => {
  const { customerId } = await createPayer(world());
  const { body: platform } = await world().call("GET", "/platform/internal-accounts?currency=USD");
  const agent = await connectAgent(world(), customerId);
  const { body } = await world().call("PATCH", `/agents/${agent.id}/policy`, {
    accountRestrictions: { allowedAccountIds: [platform.data[0].id] },
  });
  expect(body.message).toBe(
    "accountRestrictions.allowedAccountIds.0 belongs to another owner. " +
      "Use an internal account of the agent's customer",
  );
});

test("a fully returned transaction is not called unsettled", async () => {
  const { cardId } = await activeCard(world(), { on: "usd", minor: 2_000 });
  const transaction = await authorize(world(), cardId, { amount: 2_000 });
  await clear(world(), transaction, 0);
  const { body } = await tryReturn(world(), transaction, 1);
  expect(body.details).toMatchObject({
    transactionStatus: "SETTLED",
    why: "all that settled was already returned",
  });
});
