import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import type { Parsed } from "../setup/test-simulator.ts";

const LATER = "2026-08";

const CONSENT = {
  acceptedAt: "2026-01-05T08:00:00.000Z",
  ipAddress: "203.0.113.7",
  termsVersion: "2025-10-13",
  acceptanceMethod: "CLICK_TO_ACCEPT",
};

const PERSON = { customerType: "INDIVIDUAL", fullName: "Ada Moreno" };

// spec/later-customers.md#end-user-terms
describe.each(["2025-10", LATER] as const)("the terms for end users in %s", (revision) => {
  const world = worldPerTest({ revision });

  test("are told in the later revision alone", async () => {
    const { status, body } = await world().call("GET", "/customers/end-user-terms");
    expect([status, revision === LATER ? body : body.reason]).toEqual(
      revision === LATER
        ? [200, { version: "V1", url: "https://terms.sandbox.test/end-user-terms/v1" }]
        : [404, "UNKNOWN_OPERATION"],
    );
  });
});

// spec/later-customers.md#required-consent
describe.each(["2025-10", LATER] as const)("required consent in %s", (revision) => {
  const world = worldPerTest({ revision, endUserTerms: "required" });
  const isLater = revision === LATER;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  const accountsOf = async (id: string) =>
    (await world().call("GET", `/customers/internal-accounts?customerId=${id}`)).body.data;

  const consent = (id: string) =>
    world().call("PATCH", `/customers/${id}`, {
      customerType: "INDIVIDUAL",
      endUserTermsConsent: CONSENT,
    });

  test("opens the accounts of a customer once it is recorded", async () => {
    const { body: customer } = await world().call("POST", "/customers", PERSON);
    expect(await accountsOf(customer.id)).toHaveLength(isLater ? 0 : 3);
    const currencies = (await world().call("GET", "/config")).body.supportedCurrencies;
    await world().call("PATCH", "/config", {
      supportedCurrencies: [
        ...currencies,
        { currencyCode: "MXN", minAmount: 1, maxAmount: 1_000_000 },
      ],
    });
    expect(await accountsOf(customer.id)).toHaveLength(isLater ? 0 : 4);
    await consent(customer.id);
    await consent(customer.id);
    expect(await accountsOf(customer.id)).toHaveLength(4);
    await goTo(world(), "09:01:00.000");
    const told = receiver.received.filter(({ type }) => type !== "TEST");
    expect(told.map(({ type, data }) => `${type} ${data.status}`)).toEqual(
      isLater ? Array(4).fill("INTERNAL_ACCOUNT.STATUS_UPDATED ACTIVE") : [],
    );
    expect(new Set(told.map(({ data }) => data.balance.currency.code))).toEqual(
      new Set(isLater ? ["USD", "USDC", "USDB", "MXN"] : []),
    );
  });

  test("comes before a quote", async () => {
    const { body: customer } = await world().call("POST", "/customers", PERSON);
    const accountId = await createPayee(world(), customer.id, "999");
    const ask = () =>
      world().call("POST", "/quotes", {
        source: { sourceType: "REALTIME_FUNDING", customerId: customer.id, currency: "USD" },
        destination: { destinationType: "ACCOUNT", accountId },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 1_000,
      });
    const before = await ask();
    expect(before.body.code).toBe(isLater ? "END_USER_TERMS_NOT_ACCEPTED" : undefined);
    expect(before.status).toBe(isLater ? 403 : 201);
    await consent(customer.id);
    expect((await ask()).status).toBe(201);
  });

  test("is there from the beginning where it comes with the customer", async () => {
    const { body } = await world().call("POST", "/customers", {
      ...PERSON,
      endUserTermsConsent: CONSENT,
    });
    expect(await accountsOf(body.id)).toHaveLength(3);
  });
});

// spec/later-customers.md#required-consent
describe.each(["2025-10", LATER] as const)("a world of %s that begins to ask", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  const setting = (endUserTerms: string) => world().control("PATCH", "/config", { endUserTerms });

  test("refuses all that moves a customer's money until the consent is there", async () => {
    const { call } = world();
    const { customerId, accountId } = await createPayer(world());
    const payee = await createPayee(world(), customerId, "999");
    const bank = await createBank(world(), customerId);
    const waiting = (await call("POST", "/quotes", quoteInput(accountId, payee))).body.id;
    expect((await setting("required")).status).toBe(200);
    expect((await call("GET", "/config")).body).not.toHaveProperty("endUserTerms");
    const attempts: [path: string, body: object, done: number][] = [
      ["/quotes", quoteInput(accountId, payee), 201],
      [`/quotes/${waiting}/execute`, {}, 200],
      ["/transfer-in", transferInput(bank, accountId, 5), 201],
      ["/transfer-out", transferInput(accountId, bank, 5), 201],
    ];
    const refused = [403, "END_USER_TERMS_NOT_ACCEPTED", customerId];
    if (isLater)
      for (const [path, body] of attempts) {
        const { status, body: answer } = await call("POST", path, body);
        expect([path, status, answer.code, answer.details.customerId]).toEqual([path, ...refused]);
      }
    await call("PATCH", `/customers/${customerId}`, {
      customerType: "INDIVIDUAL",
      endUserTermsConsent: CONSENT,
    });
    for (const [path, body, done] of attempts)
      expect([path, (await call("POST", path, body)).status]).toEqual([path, done]);
  });

  test.each([{ endUserTerms: "off" }, { isRegulatedFinancialInstitution: true }])(
    "gives customers their accounts when it no longer asks: %o",
    async (change) => {
      await setting("required");
      const { body } = await world().call("POST", "/customers", PERSON);
      const path = `/customers/internal-accounts?customerId=${body.id}`;
      const accounts = async () => (await world().call("GET", path)).body.data.length;
      expect(await accounts()).toBe(isLater ? 0 : 3);
      await world().control("PATCH", "/config", change);
      expect(await accounts()).toBe(3);
    },
  );

  test("can be a fixture's, whose customers accept or wait, and generated ones accept", async () => {
    const body = { ...PERSON, endUserTermsConsent: CONSENT };
    const request = { method: "POST", path: "/customers" };
    const fixture = {
      name: "terms",
      config: { endUserTerms: "required" },
      steps: [{ request: { ...request, body: PERSON } }, { request: { ...request, body } }],
      generate: { customers: { count: 4 }, quotes: { count: 3 } },
    };
    const seeded = await world().control("POST", "/seed", { fixture });
    expect([seeded.status, seeded.body.error]).toEqual([200, undefined]);
    const { data } = (await world().call("GET", "/customers")).body;
    const wait = isLater ? 1 : 6;
    const consents = data.map((one: Parsed) => one.endUserTermsConsent?.termsVersion ?? "none");
    expect(consents.filter((version: string) => version === "none")).toHaveLength(wait);
    expect(consents.toSorted()).toEqual(
      isLater ? ["2025-10-13", "V1", "V1", "V1", "V1", "none"] : Array(6).fill("none"),
    );
  });

  test("takes no other word", async () => {
    const { status, body } = await setting("maybe");
    expect([status, body.error.details.field]).toEqual([400, "endUserTerms"]);
  });
});

// spec/later-customers.md#required-consent
describe("consent of a regulated platform's customers", () => {
  const world = worldPerTest({ revision: LATER, endUserTerms: "required" });

  test("is not asked for", async () => {
    const fixture = { name: "regulated", config: { isRegulatedFinancialInstitution: true } };
    const seeded = await world().control("POST", "/seed", { fixture });
    expect(seeded.status).toBe(200);
    const { body } = await world().call("POST", "/customers", PERSON);
    const path = `/customers/internal-accounts?customerId=${body.id}`;
    expect((await world().call("GET", path)).body.data).toHaveLength(3);
  });
});
