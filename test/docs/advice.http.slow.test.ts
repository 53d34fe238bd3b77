import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { accountCase, creationBody } from "../api/setup/account-bodies.ts";
import { createParties, type Parties } from "../api/setup/payment-parties.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createAgent, GENEROUS } from "../setup/agents.ts";
import { from, justInTime, to, transferInput } from "../setup/banks.ts";
import type { Answer } from "../setup/test-simulator.ts";

const world = worldPerTest();
let parties: Parties;

beforeEach(async () => {
  parties = await createParties(world());
});

const LOCKED = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };

const post = (path: string, body: object) => world().call("POST", path, body);

interface Advice {
  says: string;
  call: () => Promise<Answer>;
  message: () => string;
}

/** Cases in which the general advice repeats the caller's step, or is of no use. */
const ADVICE: Advice[] = [
  {
    says: "a transfer from a customer to the platform's bank",
    call: () =>
      post("/transfer-out", transferInput(parties.payer.accountId, parties.platformBank, 1)),
    message: () =>
      "The two accounts belong to different owners. Use two accounts of one owner: of a customer, or of the platform",
  },
  {
    says: "a transfer from the platform's bank to a customer",
    call: () =>
      post("/transfer-in", transferInput(parties.platformBank, parties.payer.accountId, 1)),
    message: () =>
      "The two accounts belong to different owners. Use two accounts of one owner: of a customer, or of the platform",
  },
  {
    says: "a quote that names another customer than the account's",
    call: () =>
      post("/quotes", {
        ...from(parties.payer.accountId, parties.other.customerId),
        ...to(parties.mexican),
        ...LOCKED,
      }),
    message: () =>
      `source.accountId is not an account of ${parties.other.customerId}. Omit source.customerId, or name the owner of the account`,
  },
  {
    says: "an agent's policy that allows an account of the platform",
    call: () =>
      post("/agents", {
        name: "Invoice bot",
        customerId: parties.payer.customerId,
        policy: { ...GENEROUS, accountRestrictions: { allowedAccountIds: [parties.platform] } },
      }),
    message: () =>
      "policy.accountRestrictions.allowedAccountIds.0 belongs to another owner. Use an internal account of the agent's customer",
  },
  {
    says: "a quote that is to be funded just in time and executed at once",
    call: () =>
      post("/quotes", {
        ...justInTime("USD", parties.payer.customerId),
        ...to(parties.mexican),
        ...LOCKED,
        immediatelyExecute: true,
      }),
    message: () =>
      "A quote that is funded just in time starts when its money arrives. Omit immediatelyExecute, then pay as the quote's paymentInstructions say",
  },
  {
    says: "a quote from a wallet that is to be executed at once",
    call: () =>
      post("/quotes", {
        ...from(parties.wallet),
        ...to(parties.mexican),
        ...LOCKED,
        immediatelyExecute: true,
      }),
    message: () =>
      "A quote from an embedded wallet starts when it is signed. Omit immediatelyExecute, then POST /quotes/{quoteId}/execute",
  },
  {
    says: "an execution of a quote that is funded just in time",
    call: async () => {
      const { body } = await post("/quotes", {
        ...justInTime("USD", parties.payer.customerId),
        ...to(parties.mexican),
        ...LOCKED,
      });
      return world().call("POST", `/quotes/${body.id}/execute`);
    },
    message: () =>
      "A quote that is funded just in time starts when its money arrives. Pay as its paymentInstructions say; in the sandbox, POST /sandbox/send does it",
  },
  {
    says: "money sent to a quote that pays from an account",
    call: async () => {
      const quote = { ...from(parties.payer.accountId), ...to(parties.mexican), ...LOCKED };
      const { body } = await post("/quotes", quote);
      return post("/sandbox/send", { quoteId: body.id, currencyCode: "USD" });
    },
    message: () =>
      "This quote pays from an account and accepts no other money. POST /quotes/{quoteId}/execute starts it",
  },
];

test.each(ADVICE)("$says: what to do is of use", async ({ call, message }) => {
  const answer = await call();
  expect(answer.status).toBe(400);
  expect(answer.body.message).toBe(message());
});

test("a sender who is nobody is told the senders there are, and no customers", async () => {
  const { body: payer } = await world().call("GET", `/customers/${parties.payer.customerId}`);
  const answer = await post("/sandbox/uma/receive", {
    senderUmaAddress: payer.umaAddress,
    customerId: parties.other.customerId,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 10_000,
  });
  expect(answer.body.message).toBe(
    `${payer.umaAddress} is unknown at the sandbox's UMA domain. Use $success.usd, $success.eur, $success.mxn, $pending.long.usd, $fail.compliance.usd at sandbox.uma.test`,
  );
});

describe("a deleted customer counts as unknown, and is said to be deleted:", () => {
  const uma = { senderUmaAddress: "$success.usd@sandbox.uma.test", receivingCurrencyCode: "USD" };
  const NAMED: { says: string; status: number; call: (id: string) => Promise<Answer> }[] = [
    {
      says: "PATCH",
      status: 404,
      call: (id) => world().call("PATCH", `/customers/${id}`, { customerType: "INDIVIDUAL" }),
    },
    { says: "a KYC link", status: 404, call: (id) => post(`/customers/${id}/kyc-link`, {}) },
    {
      says: "a verification",
      status: 404,
      call: (customerId) => post("/verifications", { customerId }),
    },
    {
      says: "a lookup",
      status: 404,
      call: (id) =>
        world().call("GET", `/receiver/uma/$success.usd@sandbox.uma.test?customerId=${id}`),
    },
    {
      says: "an incoming payment",
      status: 404,
      call: (customerId) =>
        post("/sandbox/uma/receive", { ...uma, customerId, receivingCurrencyAmount: 10_000 }),
    },
    {
      says: "an external account",
      status: 400,
      call: (customerId) =>
        post("/customers/external-accounts", {
          ...creationBody(accountCase("MXN_ACCOUNT")),
          customerId,
        }),
    },
    {
      says: "an agent",
      status: 400,
      call: (customerId) => post("/agents", { name: "Invoice bot", customerId, policy: GENEROUS }),
    },
    {
      says: "a card",
      status: 400,
      call: (cardholderId) =>
        post("/cards", { cardholderId, form: "VIRTUAL", fundingSources: [parties.platform] }),
    },
    {
      says: "a quote that is funded just in time",
      status: 400,
      call: (id) =>
        post("/quotes", { ...justInTime("USD", id), ...to(parties.platformBank), ...LOCKED }),
    },
    {
      says: "a quote of the platform for it",
      status: 400,
      call: (id) =>
        post("/quotes", { ...from(parties.platform, id), ...to(parties.platformBank), ...LOCKED }),
    },
  ];

  test.each(NAMED)("$says", async ({ status, call }) => {
    const { customerId } = parties.other;
    await world().call("DELETE", `/customers/${customerId}`);
    expect((await world().call("GET", `/customers/${customerId}`)).status).toBe(200);
    const answer = await call(customerId);
    expect([answer.status, answer.body.message]).toEqual([
      status,
      `The customer ${customerId} is deleted. Use another customer; GET /customers/${customerId} still shows this one`,
    ]);
  });

  test("one that never was is said to be unknown", async () => {
    const answer = await world().call("PATCH", "/customers/Customer:none", {
      customerType: "INDIVIDUAL",
    });
    expect(answer.body.message).toBe("No customer Customer:none. GET /customers lists them");
  });
});

test("the guide's bot asks for what is above its threshold, as the guide says", async () => {
  const page = readFileSync("src/docs/guide/agents.md", "utf8");
  const [, asksAbove = ""] =
    /a bot that pays up to 500\.00 USD and asks above (\S+):/.exec(page) ?? [];
  const [, threshold = ""] =
    /"approvalThresholds":\{"currency":"USD","amount":(\d+)\}/.exec(page) ?? [];
  expect([asksAbove, threshold]).toEqual(["200.00", "20000"]);
  const policy = {
    ...GENEROUS,
    approvalThresholds: { currency: "USD", amount: Number(threshold) },
  };
  const { agent } = await createAgent(world(), parties.payer.customerId, policy);
  const decided = async (amount: number) =>
    (await world().control("POST", `/agents/${agent.id}/evaluate`, { amount })).body.decision;
  expect([await decided(20_000), await decided(20_001)]).toEqual(["allow", "ask"]);
});
