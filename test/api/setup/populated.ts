import { createBank, justInTime, to, transferInput } from "../../setup/banks.ts";
import { createPayee, createPayer, lookUpAccount, quoteInput } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { accountCase, creationBody } from "./account-bodies.ts";
import type { Operation } from "./every-operation.ts";
import { AGENT_BODIES, AGENT_ID_NAMES, populateAgents } from "./populated-agents.ts";
import { BUSINESS_BODIES, populateBusiness } from "./populated-business.ts";
import { CARD_BODIES, populateCards } from "./populated-cards.ts";
import { PLATFORM_BODIES, populatePlatform } from "./populated-platform.ts";
import { populateUploads } from "./populated-uploads.ts";
import { populateWallets, WALLET_BODIES, WALLET_ID_NAMES } from "./populated-wallets.ts";

/** Ids of existing records, by their names in paths. */
export type KnownIds = Record<string, string>;

/** A world with records of each kind; `waitingQuoteId` waits for its money. */
export const populate = async (world: TestSimulator): Promise<KnownIds> => {
  const { customerId, accountId } = await createPayer(world);
  const externalAccountId = await createPayee(world, customerId, "999");
  const bankId = await createBank(world, customerId);
  const input = quoteInput(accountId, externalAccountId);
  const { body } = await world.call("POST", "/quotes", input);
  const { body: waiting } = await world.call("POST", "/quotes", {
    ...input,
    ...justInTime("USD", customerId),
    ...to(externalAccountId),
  });
  const lookup = await lookUpAccount(world, externalAccountId);
  return {
    ...(await populatePlatform(world)),
    customerId,
    accountId,
    externalAccountId,
    bankId,
    quoteId: body.id,
    waitingQuoteId: waiting.id,
    transactionId: body.transactionId,
    lookupId: lookup.lookupId,
    receiverUmaAddress: "$success.mxn@sandbox.uma.test",
    ...(await populateWallets(world)),
    ...(await populateCards(world)),
    ...(await populateUploads(world, customerId)),
    ...(await populateAgents(world, { customerId, accountId, bankId, externalAccountId })),
    ...(await populateBusiness(world)),
  };
};

/** The name of the id in a path's parameter; several kinds share a name. */
export const idName = ({ operationId }: Operation, param: string) =>
  operationId === "lookUpExternalAccount" && param === "accountId"
    ? "externalAccountId"
    : (WALLET_ID_NAMES[operationId] ?? AGENT_ID_NAMES[operationId] ?? param);

/** The operation's path with ids of existing records, where there is one of that name. */
export const knownPath = (one: Operation, ids: KnownIds) =>
  one.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[idName(one, name)] ?? "none");

/** Headers of an operation's caller; the platform's own are the default. */
export const headersOf = ({ calledBy }: Operation, { agentToken }: KnownIds) =>
  ({
    ...(calledBy === "agent" && { authorization: `Bearer ${agentToken}` }),
    ...(calledBy === "anybody" && { authorization: "" }),
  }) as Record<string, string>;

/** Calls an operation as its own caller. */
export const callOperation = (
  { raw }: TestSimulator,
  one: Operation,
  { ids, path = knownPath(one, ids), body }: { ids: KnownIds; path?: string; body?: unknown },
): Promise<Answer> =>
  raw(one.method, path, {
    headers: {
      ...headersOf(one, ids),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Bodies that operations accept, with every documented member. */
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
  createQuote: ({ customerId, accountId, externalAccountId, lookupId }) => ({
    source: { sourceType: "ACCOUNT", accountId, customerId },
    destination: {
      destinationType: "ACCOUNT",
      accountId: externalAccountId,
      paymentRail: "SPEI",
    },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
    lookupId,
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
  ...PLATFORM_BODIES,
  fundInternalAccount: () => ({ amount: 1 }),
  transferIn: ({ bankId = "", accountId = "" }) => transferInput(bankId, accountId, 25_000),
  transferOut: ({ bankId = "", accountId = "" }) => transferInput(accountId, bankId, 25_000),
  sandboxSend: ({ waitingQuoteId }) => ({
    quoteId: waitingQuoteId,
    currencyCode: "USD",
    currencyAmount: 25_000,
  }),
  ...WALLET_BODIES,
  ...CARD_BODIES,
  ...AGENT_BODIES,
  ...BUSINESS_BODIES,
};
