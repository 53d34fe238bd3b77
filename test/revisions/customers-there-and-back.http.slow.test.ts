import { expect, test } from "vitest";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

const LATER = "2026-08";

const FIELDS = [
  { name: "FULL_NAME", mandatory: true },
  { name: "ID_NUMBER", mandatory: false },
];

// spec/later-customers.md#on-hold
test("customers of a later revision are shown in words of the first one, and kept whole", async () => {
  const directory = new StateDirectory();
  const storage = directory.url;
  const first = await startTestSimulator({ storage, revision: LATER });
  const made = await first.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ada Moreno",
    phoneNumber: "+14155550123",
    idType: "SSN",
    identifier: "123-45-6789",
    pepStatus: "NONE",
    endUserTermsConsent: {
      acceptedAt: "2026-01-05T08:00:00.000Z",
      ipAddress: "203.0.113.7",
      termsVersion: "V1",
      acceptanceMethod: "CHECKBOX",
    },
  });
  const firm = await first.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "North Pier Trust",
      taxId: "98-7654321",
      incorporatedOn: "2019-04-01",
      country: "US",
      entityType: "TRUST",
      naicsCode: "42",
    },
  });
  await first.control("PATCH", `/customers/${made.body.id}`, { kycStatus: "HOLD" });
  await first.call("PATCH", "/config", {
    supportedCurrencies: [
      { currencyCode: "USD", minAmount: 1, maxAmount: 9, requiredCounterpartyFields: FIELDS },
    ],
  });
  const held = (await first.call("GET", `/customers/${made.body.id}`)).body;
  expect([held.kycStatus, held.pepStatus, held.idType]).toEqual(["HOLD", "NONE", "SSN"]);
  await first.sim.close();

  const earlier = await reopen(directory, { revision: "2025-10" });
  const { body: shown } = await earlier.call("GET", `/customers/${made.body.id}`);
  expect(Object.keys(shown)).toEqual([
    "id",
    "customerType",
    "platformCustomerId",
    "currencies",
    "umaAddress",
    "kycStatus",
    "isDeleted",
    "fullName",
    "createdAt",
    "updatedAt",
  ]);
  expect(shown.kycStatus).toBe("PENDING");
  const { body: business } = await earlier.call("GET", `/customers/${firm.body.id}`);
  expect(business.businessInfo).toEqual({
    legalName: "North Pier Trust",
    taxId: "98-7654321",
    incorporatedOn: "2019-04-01",
    country: "US",
    entityType: "OTHER",
  });
  const { body: config } = await earlier.call("GET", "/config");
  expect(config.supportedCurrencies[0].requiredCounterpartyFields).toEqual(FIELDS.slice(0, 1));
  const renamed = { customerType: "INDIVIDUAL", fullName: "Ada King" };
  expect((await earlier.call("PATCH", `/customers/${made.body.id}`, renamed)).status).toBe(200);
  await earlier.sim.close();

  const again = await reopen(directory, { revision: LATER });
  const { body: back } = await again.call("GET", `/customers/${made.body.id}`);
  expect(back).toEqual({ ...held, fullName: "Ada King", updatedAt: back.updatedAt });
  const { body: kept } = await again.call("GET", `/customers/${firm.body.id}`);
  expect([kept.businessInfo.entityType, kept.businessInfo.naicsCode]).toEqual(["TRUST", "42"]);
  await again.sim.close();
  directory.remove();
});
