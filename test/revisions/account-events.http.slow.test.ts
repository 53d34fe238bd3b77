import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createParties } from "../api/setup/payment-parties.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { Receiver } from "../setup/receiver.ts";

const LATER = "2026-08";
const STATUS = "EXTERNAL_ACCOUNT.STATUS_UPDATED";
const FUNDING = "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED";
const WALLET = {
  currency: "USDC",
  ownershipType: "FIRST_PARTY",
  accountInfo: {
    accountType: "ETHEREUM_WALLET",
    address: "0x7d1f0c3a9b5e4d2c8a6f1e0b3c5d7a9f2b4e6c80",
  },
};
const SWIFT = {
  accountOrWalletInfo: {
    accountType: "SWIFT_ACCOUNT",
    paymentRails: ["SWIFT"],
    accountHolderName: "Service Sandbox",
    country: "SG",
    swiftCode: "DBSSSGSG",
    bankName: "DBS Bank",
    accountNumber: "0123456789",
    bankAddress: "1 Marina Road, Singapore",
    reference: "FUND-ABC123",
  },
  isPlatformAccount: true,
};

interface Item {
  accountOrWalletInfo: Record<string, unknown> & { accountType: string };
}

describe.each(["2025-10", LATER] as const)("an account in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  });

  afterEach(() => receiver.stop());

  const told = (type: string) =>
    receiver.received.filter((event) => event.type === type).map(({ data }) => data);

  /** Changes of the operator, whose document is that of the first revision. */
  const changed = async (path: string, body: object) => {
    const { sim } = world();
    const answer = await sim.fetch(
      new Request(`${sim.controlUrl}${path}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    return { status: answer.status, body: await answer.json() };
  };

  const platformAccount = async (currency: string) => {
    const { body } = await world().call("GET", `/platform/internal-accounts?currency=${currency}`);
    return body.data[0];
  };

  const instructed = async (source: object) => {
    const { call } = world();
    const entry = { minAmount: 1, maxAmount: 100_000_000, enabledTransactionTypes: ["OUTGOING"] };
    await call("PATCH", "/config", {
      supportedCurrencies: ["BTC", "USDT", "USDC"].map((currencyCode) => ({
        currencyCode,
        ...entry,
      })),
    });
    const destination = await call("POST", "/platform/external-accounts", WALLET);
    const { status, body } = await call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", ...source },
      destination: {
        destinationType: "ACCOUNT",
        accountId: destination.body.id ?? destination.body.details.existingAccountId,
      },
      lockedCurrencySide: "RECEIVING",
      lockedCurrencyAmount: 5_000_000,
    });
    const items: Item[] = body.paymentInstructions ?? [];
    return { status, infos: items.map((item) => item.accountOrWalletInfo), id: body.id };
  };

  // spec/later-accounts.md#statuses-of-external-accounts, spec/later-accounts.md#account-events
  test("outside tells of each change of its status, and not of its creation", async () => {
    const { body: made } = await world().call("POST", "/platform/external-accounts", WALLET);
    const path = `/external-accounts/${made.id}`;
    for (const status of ["ACTIVE", "UNDER_REVIEW", "UNDER_REVIEW", "INACTIVE"])
      expect((await changed(path, { status })).body.status).toBe(status);
    await goTo(world(), "09:00:05.000");
    const statuses = ["UNDER_REVIEW", "INACTIVE"];
    expect(told(STATUS).map(({ status }) => status)).toEqual(isLater ? statuses : []);
    const { body: read } = await world().call("GET", `/platform/external-accounts/${made.id}`);
    expect(read.status).toBe("INACTIVE");
    if (isLater) expect(told(STATUS).at(-1)).toEqual(read);
    const quoted = await world().call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: made.id },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 5_000,
    });
    expect([quoted.status, quoted.body.reason]).toEqual([400, "ACCOUNT_NOT_ACTIVE"]);
  });

  test("outside may be unproven in the later revision alone", async () => {
    const { body: made } = await world().call("POST", "/platform/external-accounts", WALLET);
    const path = `/external-accounts/${made.id}`;
    for (const status of ["PENDING_OWNERSHIP_VERIFICATION", "UNVERIFIED"]) {
      const set = await changed(path, { status });
      expect([set.status, set.body.status]).toEqual(isLater ? [200, status] : [400, undefined]);
    }
    const unknown = await changed("/external-accounts/none", {
      status: "ACTIVE",
    });
    expect(unknown.status).toBe(404);
  });

  // spec/later-accounts.md#failed-accounts
  test("inside may fail in the later revision alone, and is then of no use", async () => {
    const { customerId, accountId } = await createParties(world()).then(({ payer }) => payer);
    const path = `/internal-accounts/${accountId}`;
    const set = await changed(path, { status: "FAILED" });
    expect([set.status, set.body.status]).toEqual(isLater ? [200, "FAILED"] : [400, undefined]);
    const query = `customerId=${customerId}&currency=USD`;
    const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
    expect(body.data[0].status).toBe(isLater ? "FAILED" : "ACTIVE");
    const funded = await world().call("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
      amount: 100,
    });
    expect(funded.status).toBe(isLater ? 400 : 200);
  });

  // spec/later-accounts.md#instructions-that-the-operator-sets
  test("is paid into as the operator says, and tells of it once", async () => {
    const account = await platformAccount("USD");
    const path = `/internal-accounts/${account.id}`;
    const body = { fundingPaymentInstructions: [SWIFT] };
    const answers = [await changed(path, body), await changed(path, body)];
    expect(answers.map(({ status }) => status)).toEqual(isLater ? [200, 200] : [400, 400]);
    await goTo(world(), "09:00:05.000");
    expect(told(FUNDING).length).toBe(isLater ? 1 : 0);
    const shown = (await platformAccount("USD")).fundingPaymentInstructions;
    expect(shown).toEqual(isLater ? [SWIFT] : account.fundingPaymentInstructions);
    if (isLater) expect(told(FUNDING)[0].fundingPaymentInstructions).toEqual([SWIFT]);
    const wrong = await changed(path, {
      fundingPaymentInstructions: [{ accountOrWalletInfo: { accountType: "USD_ACCOUNT" } }],
    });
    expect(wrong.status).toBe(400);
  });

  // spec/later-accounts.md#payment-instructions
  test("in dollars has the address of its bank in the later revision", async () => {
    const { fundingPaymentInstructions } = await platformAccount("USD");
    const [{ accountOrWalletInfo: bank }] = fundingPaymentInstructions;
    expect(bank.bankAddress).toBe(isLater ? "1 Sandbox Street, Springfield, IL 62701" : undefined);
    expect(bank.bankName).toBe("Service Sandbox Bank");
  });

  test("a quote can be paid over Bitcoin's own chain, where it says so", async () => {
    const over = await instructed({ currency: "BTC", cryptoNetwork: "BITCOIN" });
    expect(over.status).toBe(isLater ? 201 : 501);
    if (isLater) {
      const [info] = over.infos;
      expect(over.infos.length).toBe(1);
      expect(info).toMatchObject({ accountType: "BITCOIN_L1", network: "BITCOIN" });
      expect(info?.address).toMatch(/^bcrt1q[02-9ac-hj-np-z]{38}$/);
      const { body: again } = await world().call("GET", `/quotes/${over.id}`);
      expect(again.paymentInstructions[0].accountOrWalletInfo).toEqual(info);
    }
    const { infos } = await instructed({ currency: "BTC" });
    expect(infos.map(({ accountType }) => accountType)).not.toContain("BITCOIN_L1");
  });

  test("a quote can be paid over Plasma", async () => {
    const over = await instructed({ currency: "USDT", cryptoNetwork: "PLASMA" });
    expect(over.status).toBe(isLater ? 201 : 400);
    expect(over.infos.map(({ accountType, assetType }) => [accountType, assetType])).toEqual(
      isLater ? [["PLASMA_WALLET", "USDT"]] : [],
    );
    const tron = await instructed({ currency: "USDT", cryptoNetwork: "TRON" });
    expect(tron.infos.map(({ accountType }) => accountType)).toEqual(["TRON_WALLET"]);
  });
});
