import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "../../../src/api/openapi.ts";
import { CURRENCY_CODES } from "../../../src/contract/money/currencies.ts";
import { wholePart } from "../../../src/http/openapi/references.ts";
import { PUBLISHED_INSTRUCTIONS } from "../../contract/setup/published-instructions.ts";
import { Receiver } from "../../setup/receiver.ts";
import { PERSON } from "../setup/account-bodies.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

interface Item {
  accountOrWalletInfo: { accountType: string; assetType?: string } & Record<string, unknown>;
  isPlatformAccount: boolean;
}

interface Account {
  id: string;
  balance: { currency: { code: string } };
  fundingPaymentInstructions: Item[];
}

interface Shape {
  properties: Record<string, Partial<Shape> & { const?: string; items?: { $ref?: string } }>;
  required: string[];
  additionalProperties?: boolean;
  oneOf?: Shape[];
}

const everyCurrency = CURRENCY_CODES.map((currencyCode) => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 1_000_000_000,
}));

beforeEach(async () => {
  await world().call("PATCH", "/config", { supportedCurrencies: everyCurrency });
});

const newCustomer = async (members: object = {}): Promise<string> => {
  const body = { customerType: "INDIVIDUAL", ...members };
  return (await world().call("POST", "/customers", body)).body.id;
};

const accountsOf = async (customerId: string): Promise<Account[]> =>
  (await world().call("GET", `/customers/internal-accounts?customerId=${customerId}&limit=100`))
    .body.data;

const platformAccounts = async (): Promise<Account[]> =>
  (await world().call("GET", "/platform/internal-accounts")).body.data;

const codeOf = ({ balance }: Account) => balance.currency.code;

const typesOf = (account: Account | undefined) =>
  account?.fundingPaymentInstructions.map((item) => item.accountOrWalletInfo.accountType);

/** Variants of an account in a currency; a bitcoin invoice belongs to a payment. */
const wantedTypes = (code: string, region?: string) => [
  ...PUBLISHED_INSTRUCTIONS.filter(({ funds }) => funds.includes(code))
    .map(({ type }) => type)
    .filter((type) => type !== "LIGHTNING" && (type !== "SLV_ACCOUNT" || region === "SV")),
  ...(code === "USD" ? ["SOLANA_WALLET"] : []),
];

describe("in all forty currencies", () => {
  test.each([
    { whose: "a customer's", isPlatform: false },
    { whose: "the platform's", isPlatform: true },
  ])("$whose accounts have funding instructions", async ({ isPlatform }) => {
    const accounts = isPlatform ? await platformAccounts() : await accountsOf(await newCustomer());
    expect(accounts.map(codeOf).sort()).toEqual([...CURRENCY_CODES].sort());
    expect(accounts.length).toBe(40);
    for (const account of accounts) {
      expect(typesOf(account)?.sort()).toEqual(wantedTypes(codeOf(account)).sort());
      for (const item of account.fundingPaymentInstructions)
        expect(item.isPlatformAccount).toBe(isPlatform);
    }
  });

  test("a customer in El Salvador has one more for dollars", async () => {
    const accounts = await accountsOf(await newCustomer({ region: "SV" }));
    for (const account of accounts)
      expect(typesOf(account)?.sort()).toEqual(wantedTypes(codeOf(account), "SV").sort());
  });

  // spec/payment-instructions.md#stable-values
  test("no two owners have the same instructions", async () => {
    const lists = [await accountsOf(await newCustomer()), await accountsOf(await newCustomer())];
    const all = [...lists.flat(), ...(await platformAccounts())].flatMap((account) =>
      account.fundingPaymentInstructions.map(({ accountOrWalletInfo }) =>
        JSON.stringify(accountOrWalletInfo),
      ),
    );
    expect(all.length).toBe(3 * 45); // 40 currencies; USD has one more, USDT one, USDC three
    expect(new Set(all).size).toBe(all.length);
  });

  test("a list, an event and a reply to funding show the same", async () => {
    const receiver = await new Receiver().start();
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const customerId = await newCustomer({ region: "SV" });
    for (const { id, fundingPaymentInstructions } of await accountsOf(customerId)) {
      const path = `/sandbox/internal-accounts/${id}/fund`;
      const { body } = await world().call("POST", path, { amount: 5 });
      expect(body.fundingPaymentInstructions).toEqual(fundingPaymentInstructions);
      await goTo(world(), "09:00:01.000");
      expect(receiver.received.at(-1)?.data).toEqual(body);
    }
    expect(receiver.received.length).toBe(1 + 40);
    await receiver.stop();
  });

  test("its values can be registered as external accounts, without a special ending", async () => {
    const customerId = await newCustomer({ region: "SV" });
    const registered = new Set<string>();
    for (const account of await accountsOf(customerId))
      for (const { accountOrWalletInfo: info } of account.fundingPaymentInstructions) {
        const { accountType, assetType } = info;
        if (["ARS_ACCOUNT", "BRL_ACCOUNT", "COP_ACCOUNT"].includes(accountType)) continue;
        const isWallet = accountType.endsWith("_WALLET");
        const { status, body } = await world().call("POST", "/customers/external-accounts", {
          customerId: await newCustomer(),
          currency: assetType ?? codeOf(account),
          accountInfo: { ...info, ...(!isWallet && { beneficiary: PERSON }) },
        });
        expect({ accountType, status }).toEqual({ accountType, status: 201 });
        expect(body.beneficiaryVerificationStatus).toBe(isWallet ? undefined : "MATCHED");
        registered.add(accountType);
      }
    // Of the 45: three have no external account type, LIGHTNING is for quotes, EMBEDDED_WALLET is a
    // shape only.
    expect(registered.size).toBe(40);
  });
});

test("the OpenAPI document has every variant, with its members and no others", () => {
  const document = openApiDocument("test");
  const { schemas } = document.components as { schemas: Record<string, Shape> };
  const funding = schemas.InternalAccount?.properties.fundingPaymentInstructions;
  expect(funding?.items?.$ref).toBe("#/components/schemas/PaymentInstructions");
  const info = schemas.PaymentInstructions?.properties.accountOrWalletInfo as Shape;
  const variants = wholePart(info, document).oneOf ?? [];
  const documented = variants
    .map((variant) => wholePart(variant, document))
    .map(({ properties, required, additionalProperties }) => ({
      type: properties.accountType?.const,
      members: Object.keys(properties).sort(),
      required: [...required].sort(),
      additionalProperties,
    }));
  const published = PUBLISHED_INSTRUCTIONS.map(({ type, required, optional }) => ({
    type,
    members: ["accountType", ...required, ...optional].sort(),
    required: ["accountType", ...required].sort(),
    additionalProperties: false,
  }));
  const byType = (a: { type?: string | undefined }, b: { type?: string | undefined }) =>
    (a.type ?? "") < (b.type ?? "") ? -1 : 1;
  expect(documented.sort(byType)).toEqual(published.sort(byType));
});

test("an account that is opened later has instructions too", async () => {
  const customerId = await newCustomer();
  const { status, body } = await world().control("POST", "/internal-accounts", {
    customerId,
    currency: "USDB",
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    type: "EMBEDDED_WALLET",
    fundingPaymentInstructions: [
      {
        accountOrWalletInfo: { accountType: "SPARK_WALLET", assetType: "USDB" },
        isPlatformAccount: false,
      },
    ],
  });
  expect(await accountsOf(customerId)).toContainEqual(body);
});
