import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";
import { accountCase, creationBody } from "./account-bodies.ts";
import type { Operation } from "./every-operation.ts";
import { populateWallets, WALLET_BODIES, WALLET_ID_NAMES } from "./populated-wallets.ts";

/** Ids of records that exist, by the names that paths give them. */
export type KnownIds = Record<string, string>;

/** A world with one record of each kind. */
export const populate = async (world: TestSimulator): Promise<KnownIds> => {
  const { customerId, accountId } = await createPayer(world);
  const externalAccountId = await createPayee(world, customerId, "999");
  const { body } = await world.call("POST", "/quotes", quoteInput(accountId, externalAccountId));
  return {
    customerId,
    accountId,
    externalAccountId,
    quoteId: body.id,
    transactionId: body.transactionId,
    ...(await populateWallets(world)),
  };
};

/** The name of the id that a path's parameter takes; several kinds go by one name. */
export const idName = ({ operationId }: Operation, param: string) =>
  WALLET_ID_NAMES[operationId] ?? param;

/** The operation's path with ids that exist, where a record of that name does. */
export const knownPath = (one: Operation, ids: KnownIds) =>
  one.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[idName(one, name)] ?? "none");

/** A body that the operation takes, every documented member in it. */
export const VALID_BODIES: Record<string, (ids: KnownIds) => object> = {
  createCustomer: () => ({
    customerType: "INDIVIDUAL",
    platformCustomerId: "acct-7781",
    region: "MX",
    currencies: ["USD"],
    email: "lena@shop.example",
    umaAddress: "$lena@pay.example",
    fullName: "Lena Ortiz",
    birthDate: "1991-11-02",
    nationality: "MX",
    address: { line1: "Av. 12", line2: "A", city: "P", state: "P", postalCode: "7", country: "MX" },
  }),
  patchCustomer: () => ({
    customerType: "INDIVIDUAL",
    currencies: ["USD"],
    email: "lena@shop.example",
    umaAddress: "$lena@pay.example",
    fullName: "Lena Ortiz",
    birthDate: "1991-11-02",
    nationality: "MX",
    address: { line1: "Av. 12", postalCode: "7", country: "MX" },
  }),
  createCustomerExternalAccount: ({ customerId }) => ({
    customerId,
    platformAccountId: "payee-88",
    defaultUmaDepositAccount: true,
    ...creationBody(accountCase("EUR_ACCOUNT")),
  }),
  createPlatformExternalAccount: () => ({
    platformAccountId: "payee-88",
    ...creationBody(accountCase("BRL_ACCOUNT")),
  }),
  createQuote: ({ customerId, accountId, externalAccountId }) => ({
    source: { sourceType: "ACCOUNT", accountId, customerId },
    destination: {
      destinationType: "ACCOUNT",
      accountId: externalAccountId,
      paymentRail: "SPEI",
    },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    immediatelyExecute: false,
    description: "Rent",
    purposeOfPayment: "GIFT",
    senderCustomerInfo: {},
  }),
  patchConfig: () => ({
    umaDomain: "pay.example",
    supportedCurrencies: [
      {
        currencyCode: "USD",
        minAmount: 100,
        maxAmount: 10_000_000,
        enabledTransactionTypes: ["OUTGOING"],
        requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }],
      },
    ],
    embeddedWalletConfig: { appName: "Pocket", otpLength: 6, alphanumeric: true },
  }),
  fundInternalAccount: () => ({ amount: 1 }),
  ...WALLET_BODIES,
};
