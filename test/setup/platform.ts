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

/** `accountInfo` of a Mexican account whose CLABE ends as wanted. */
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
