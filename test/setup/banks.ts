import type { TestSimulator } from "./test-simulator.ts";

/** `accountInfo` of an American bank account whose number has the given ending. */
export const usdAccount = (suffix: string, prefix = "000123") => ({
  accountType: "USD_ACCOUNT",
  accountNumber: prefix + suffix,
  routingNumber: "021000021",
  beneficiary: { beneficiaryType: "BUSINESS", legalName: "Prueba SA" },
});

/** Opens an external USD account: of a customer, or of the platform without one. */
export const createBank = async (
  { call }: TestSimulator,
  customerId: string | undefined,
  suffix = "999",
): Promise<string> => {
  const scope = customerId === undefined ? "platform" : "customers";
  const { status, body } = await call("POST", `/${scope}/external-accounts`, {
    ...(customerId !== undefined && { customerId }),
    currency: "USD",
    accountInfo: usdAccount(suffix),
  });
  if (status !== 201) throw new Error(`Expected an account but found ${JSON.stringify(body)}`);
  return body.id;
};

/** Body of a transfer. */
export const transferInput = (from: string, to: string, amount?: unknown) => ({
  source: { accountId: from },
  destination: { accountId: to },
  ...(amount !== undefined && { amount }),
});

/** The source of a quote that is funded just in time. */
export const justInTime = (currency: string, customerId?: string) => ({
  source: { sourceType: "REALTIME_FUNDING", currency, ...(customerId && { customerId }) },
});

/** An account by id as the source of a quote. */
export const from = (accountId: string, customerId?: string) => ({
  source: { sourceType: "ACCOUNT", accountId, ...(customerId && { customerId }) },
});

/** An account by id as the destination of a quote. */
export const to = (accountId: string) => ({
  destination: { destinationType: "ACCOUNT", accountId },
});
