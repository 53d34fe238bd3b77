import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createPayee } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";

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
