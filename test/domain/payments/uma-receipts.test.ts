import { expect, test } from "vitest";
import { endpointAddress } from "../../../src/contract/core/endpoint-address.ts";
import type { Rule } from "../../../src/domain/core/draft.ts";
import { platformConfig } from "../../../src/domain/core/platform-config.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { createCustomer } from "../../../src/domain/customers/customers.ts";
import { receiveUmaPayment } from "../../../src/domain/payments/uma-receipts.ts";
import type { PlatformConfigRecord } from "../../../src/domain/records/records.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const configure: Rule<Partial<PlatformConfigRecord>, void> = (draft, changed) =>
  draft.put("PlatformConfig", { ...platformConfig(draft), ...changed });

const euros = {
  currencyCode: "EUR",
  minAmount: 100,
  maxAmount: 10_000,
  enabledTransactionTypes: ["INCOMING" as const],
  requiredCounterpartyFields: [],
};

test("a customer without an account in the received currency is paid nothing", () => {
  const world = new RuleWorld();
  const customer = world.run(createCustomer, { body: { customerType: "INDIVIDUAL" } });
  // A state that PATCH /config never leaves: the currency is supported, but has no account.
  const webhookEndpoint = endpointAddress("http://127.0.0.1:9/");
  world.run(configure, { supportedCurrencies: [euros], webhookEndpoint });
  const pay = () =>
    world.run(receiveUmaPayment, {
      body: {
        senderUmaAddress: "$success.eur@sandbox.uma.test",
        receivingCurrencyCode: "EUR",
        receivingCurrencyAmount: 8_800,
        customerId: customer.id,
      },
    });
  expect(pay).toThrow(Refusal);
  expect(pay).toThrow("INVALID_CURRENCY");
});
