import type { TestSimulator } from "./test-simulator.ts";

/** A customer with money in its USD account. */
export interface Payer {
  customerId: string;
  accountId: string;
}

export const createPayer = async (
  { call }: TestSimulator,
  fundMinor = 1_000_000,
): Promise<Payer> => {
  const { body: customer } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customer.id}&currency=USD`;
  const { body: accounts } = await call("GET", `/customers/internal-accounts?${query}`);
  const accountId = accounts.data[0].id;
  if (fundMinor > 0)
    await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: fundMinor });
  return { customerId: customer.id, accountId };
};

/** `accountInfo` of a Mexican account whose CLABE has the given ending. */
export const mxnAccount = (suffix: string, prefix = "646180110400000") => ({
  accountType: "MXN_ACCOUNT",
  clabeNumber: prefix + suffix,
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
});

export const createPayee = async (
  { call }: TestSimulator,
  customerId: string,
  suffix: string,
): Promise<string> => {
  const { status, body } = await call("POST", "/customers/external-accounts", {
    customerId,
    currency: "MXN",
    accountInfo: mxnAccount(suffix),
  });
  if (status !== 201) throw new Error(`Expected an account but found ${JSON.stringify(body)}`);
  return body.id;
};

export const quoteInput = (from: string, to: string, amountMinor = 25_000) => ({
  source: { sourceType: "ACCOUNT", accountId: from },
  destination: { destinationType: "ACCOUNT", accountId: to },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: amountMinor,
});

/** A lookup's reply. */
export interface LookedUp {
  lookupId: string;
  supportedCurrencies: { currency: { code: string }; estimatedExchangeRate: number }[];
}

const found = async ({ call }: TestSimulator, path: string): Promise<LookedUp> => {
  const { status, body } = await call("GET", path);
  if (status !== 200) throw new Error(`Expected a receiver but found ${JSON.stringify(body)}`);
  return body;
};

export const lookUpUma = (world: TestSimulator, umaAddress: string) =>
  found(world, `/receiver/uma/${encodeURIComponent(umaAddress)}`);

export const lookUpAccount = (world: TestSimulator, accountId: string) =>
  found(world, `/receiver/external-account/${accountId}`);

/** Facts about a payer that a receiver of the sandbox may ask for. */
export const PAYER_INFO = { FULL_NAME: "Tomas Reyes", BIRTH_DATE: "1979-11-30" };

/** Looks up a UMA address and makes the body of a quote to it, with all facts about the payer. */
export const umaQuoteInput = async (world: TestSimulator, from: string, umaAddress: string) => ({
  source: { sourceType: "ACCOUNT", accountId: from },
  destination: { destinationType: "UMA_ADDRESS", umaAddress },
  lookupId: (await lookUpUma(world, umaAddress)).lookupId,
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 25_000,
  senderCustomerInfo: PAYER_INFO,
});
