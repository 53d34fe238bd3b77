import { beforeEach, describe, expect, test } from "vitest";
import { transferInput } from "../../setup/banks.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import {
  accountIn,
  createParties,
  createWallet,
  NOBODY,
  type Parties,
  WALLETS,
} from "../setup/payment-parties.ts";
import { expectNothing as expectNothingOf, invalid, type Refused } from "../setup/refused.ts";
import { balanceOf } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let parties: Parties;

const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
});

type Way = "in" | "out";

/** Asserts a refusal that changes nothing. */
const expectNothing = (act: () => Promise<Answer>, refused: Refused) =>
  expectNothingOf(world(), act, refused);

const post = (way: Way, body: unknown) => world().call("POST", `/transfer-${way}`, body);

const WAYS: Way[] = ["in", "out"];
const INTERNAL = { in: "destination.accountId", out: "source.accountId" };
const EXTERNAL = { in: "source.accountId", out: "destination.accountId" };

interface Ends {
  internal: string;
  external: string;
}

const usual = (): Ends => ({ internal: parties.payer.accountId, external: parties.bank });

/** A transfer between an internal and an external account, in either direction. */
const transfer = (way: Way, changes: Partial<Ends> = {}, amount: unknown = 25_000) => {
  const { internal, external } = { ...usual(), ...changes };
  const [from, to] = way === "in" ? [external, internal] : [internal, external];
  return post(way, transferInput(from, to, amount));
};

describe.each(WAYS)("transfer-%s refuses", (way) => {
  test.each([
    { says: "an unknown account", id: () => "InternalAccount:none" },
    { says: "an unknown account outside", id: () => "ExternalAccount:none" },
    { says: "a word", id: () => "none" },
    { says: "nothing", id: () => "" },
    { says: "a prototype", id: () => "__proto__" },
    { says: "a customer", id: () => parties.payer.customerId },
    { says: "an id of no record", id: () => NOBODY },
  ])("$says at either end", async ({ id }) => {
    const reason = "ACCOUNT_NOT_FOUND";
    await expectNothing(() => transfer(way, { internal: id() }), invalid(INTERNAL[way], reason));
    await expectNothing(() => transfer(way, { external: id() }), invalid(EXTERNAL[way], reason));
  });

  test("a transaction or a quote in place of an account", async () => {
    const { body } = await transfer("out");
    await expectNothing(
      () => transfer(way, { external: body.id }),
      invalid(EXTERNAL[way], "ACCOUNT_NOT_FOUND"),
    );
  });

  // spec/transfers.md#account-kinds
  test("an internal account for an external one, and the reverse", async () => {
    const { bank, platform, platformBank } = parties;
    const { accountId } = parties.payer;
    const reason = "ACCOUNT_KIND_NOT_ALLOWED";
    for (const external of [accountId, parties.other.accountId, platform, parties.wallet])
      await expectNothing(() => transfer(way, { external }), invalid(EXTERNAL[way], reason));
    for (const internal of [bank, parties.otherBank, platformBank, parties.mexican])
      await expectNothing(() => transfer(way, { internal }), invalid(INTERNAL[way], reason));
    await expectNothing(
      () => transfer(way, { internal: bank, external: accountId }),
      invalid("source.accountId", reason),
    );
  });

  // spec/transfers.md#owner
  test.each([
    { internal: "payer", external: "otherBank" },
    { internal: "payer", external: "platformBank" },
    { internal: "other", external: "bank" },
    { internal: "platform", external: "bank" },
  ] as const)("accounts of two owners: $internal and $external", async (ends) => {
    const inside = parties[ends.internal];
    const internal = typeof inside === "string" ? inside : inside.accountId;
    await expectNothing(
      () => transfer(way, { internal, external: parties[ends.external] }),
      invalid("destination.accountId", "OWNER_MISMATCH"),
    );
  });

  test.each(["FROZEN", "CLOSED", "PENDING"])("an internal account that is %s", async (status) => {
    const { accountId } = parties.payer;
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status });
    await expectNothing(() => transfer(way), invalid(INTERNAL[way], "ACCOUNT_NOT_ACTIVE"));
    await world().control("PATCH", `/internal-accounts/${accountId}`, { status: "ACTIVE" });
    expect((await transfer(way)).status).toBe(201);
  });

  test("accounts of a deleted customer", async () => {
    await world().call("DELETE", `/customers/${parties.payer.customerId}`);
    await expectNothing(() => transfer(way), invalid(INTERNAL[way], "CUSTOMER_DELETED"));
  });

  test("a deleted external account", async () => {
    await world().call("DELETE", `/customers/external-accounts/${parties.bank}`);
    await expectNothing(() => transfer(way), invalid(EXTERNAL[way], "ACCOUNT_NOT_FOUND"));
  });

  test.each(["PENDING", "REJECTED", "UNVERIFIED"])("a customer that is %s", async (kycStatus) => {
    const { customerId } = parties.payer;
    await world().control("PATCH", `/customers/${customerId}`, { kycStatus });
    await expectNothing(() => transfer(way), { status: 403, code: "USER_NOT_READY" });
  });

  // spec/transfers.md#currency
  test("two currencies", async () => {
    const refused = { status: 400, code: "INVALID_CURRENCY", field: "destination.accountId" };
    await expectNothing(() => transfer(way, { external: parties.mexican }), refused);
    const internal = await accountIn(world(), "USDC", parties.payer.customerId);
    await expectNothing(() => transfer(way, { internal }), refused);
  });

  test.each([
    { amount: 0, code: "INVALID_AMOUNT" },
    { amount: -1, code: "INVALID_AMOUNT" },
    { amount: -9_000_000_000_000_001, code: "INVALID_AMOUNT" },
    { amount: 0.5, code: "INVALID_AMOUNT" },
    { amount: 25_000.01, code: "INVALID_AMOUNT" },
    { amount: 9_000_000_000_000_001, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: Number.MAX_SAFE_INTEGER, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: 1e300, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: null, code: "INVALID_INPUT" },
    { amount: "25000", code: "INVALID_INPUT" },
    { amount: true, code: "INVALID_INPUT" },
    { amount: {}, code: "INVALID_INPUT" },
    { amount: [25_000], code: "INVALID_INPUT" },
  ])("the amount $amount as $code", ({ amount, code }) =>
    expectNothing(() => transfer(way, {}, amount), { status: 400, code, field: "amount" }),
  );

  test.each([
    { body: {}, field: "source" },
    { body: { source: null, destination: { accountId: "x" }, amount: 1 }, field: "source" },
    { body: { source: "x", destination: { accountId: "x" }, amount: 1 }, field: "source" },
    { body: { source: {}, destination: { accountId: "x" } }, field: "source.accountId" },
    {
      body: { source: { accountId: 7 }, destination: { accountId: "x" }, amount: 1 },
      field: "source.accountId",
    },
    { body: { source: { accountId: "x" }, amount: 1 }, field: "destination" },
    {
      body: { source: { accountId: "x" }, destination: { accountId: null }, amount: 1 },
      field: "destination.accountId",
    },
  ])("a malformed body: $field of $body", ({ body, field }) =>
    expectNothing(() => post(way, body), invalid(field)),
  );
});

describe("transfer-in refuses", () => {
  test("a missing amount", async () => {
    const { accountId } = parties.payer;
    const refused = { status: 400, code: "INVALID_AMOUNT", field: "amount" };
    await expectNothing(() => post("in", transferInput(parties.bank, accountId)), refused);
  });

  // spec/transfers.md#pullable-sources
  test.each(WALLETS)("to pull from a $type", async ({ type, currency }) => {
    const { customerId } = parties.payer;
    const wallet = await createWallet(world(), customerId, type);
    const account = { customerId, currency };
    const { body: internal } = await world().control("POST", "/internal-accounts", account);
    await expectNothing(
      () => transfer("in", { internal: internal.id, external: wallet }),
      invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    );
  });

  test("there are seven wallets", () => {
    expect(WALLETS).toHaveLength(7);
  });
});

describe("transfer-out refuses", () => {
  // spec/transfers.md#wallet-sources
  test("an embedded wallet, with or without an amount, even when it is empty", async () => {
    const { wallet, payer } = parties;
    const { body: spark } = await world().call("POST", "/customers/external-accounts", {
      customerId: payer.customerId,
      currency: "USDB",
      accountInfo: { accountType: "SPARK_WALLET", address: "spark1pgssx2h5v0q8r3n7t999" },
    });
    const input = transferInput(wallet, spark.id);
    const refused = invalid("source.accountId", "USE_QUOTE");
    await expectNothing(() => post("out", input), refused);
    await world().call("POST", `/sandbox/internal-accounts/${wallet}/fund`, { amount: 500 });
    await expectNothing(() => post("out", { ...input, amount: 100 }), refused);
    await expectNothing(() => post("out", input), refused);
  });

  test("more than the account holds, by one cent", async () => {
    await expectNothing(() => transfer("out", {}, 1_000_001), {
      status: 400,
      code: "AMOUNT_OUT_OF_RANGE",
      reason: "INSUFFICIENT_BALANCE",
    });
    const answer = await transfer("out", {}, 1_000_001);
    expect(answer.body.details).toEqual({
      accountId: parties.payer.accountId,
      currency: "USD",
      balance: 1_000_000,
      needed: 1_000_001,
      reason: "INSUFFICIENT_BALANCE",
    });
    expect((await transfer("out", {}, 1_000_000)).status).toBe(201);
    expect(await balanceOf(world(), parties.payer.accountId)).toBe(0);
  });

  test("the second of two transfers that together exceed the balance", async () => {
    const [one, two] = await Promise.all([
      transfer("out", {}, 600_000),
      transfer("out", {}, 600_000),
    ]);
    expect([one.status, two.status].sort()).toEqual([201, 400]);
    expect(await balanceOf(world(), parties.payer.accountId)).toBe(400_000);
  });

  test("to send the whole balance of an empty account", async () => {
    const { accountId } = parties.payer;
    await transfer("out", {}, 1_000_000);
    await expectNothing(() => post("out", transferInput(accountId, parties.bank)), {
      status: 400,
      code: "INVALID_AMOUNT",
      field: "amount",
    });
  });
});
