import type { CallInput } from "../../contract/control/called.ts";
import { callPlatform } from "../call-platform.ts";
import type { Control } from "../control.ts";

/** The calls of a first payout, as a server makes them. */
export const PAYOUT_CALLS = [
  "POST /customers",
  "POST /customers/external-accounts",
  "GET /customers/internal-accounts",
  "POST /sandbox/internal-accounts/{id}/fund",
  "POST /quotes",
  "POST /quotes/{id}/execute",
] as const;

const LUCIE = {
  currency: "EUR",
  accountInfo: {
    accountType: "EUR_ACCOUNT",
    iban: "FR7630006000011234567893003",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Lucie Moreau",
      address: { line1: "4 rue des Lilas", city: "Lyon", postalCode: "69003", country: "FR" },
    },
  },
};

const FUNDED_MINOR = 100_000;
const SENT_MINOR = 25_000;

/**
 * Makes a payout that takes six minutes: its IBAN ends in 003.
 * @returns the id of its quote
 */
export const makePayout = async (control: Control, onCall: () => void): Promise<string> => {
  const call = <Body>(input: CallInput) => {
    onCall();
    return callPlatform<Body>(control, input);
  };
  interface Made {
    id: string;
  }
  const customer = await call<Made>({
    operationId: "createCustomer",
    body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
  });
  const payee = await call<Made>({
    operationId: "createCustomerExternalAccount",
    body: { customerId: customer.id, ...LUCIE },
  });
  const { data } = await call<{ data: (Made & { balance: { currency: { code: string } } })[] }>({
    operationId: "listCustomerInternalAccounts",
    query: { customerId: customer.id },
  });
  const account = data.find(({ balance }) => balance.currency.code === "USD") ?? data[0];
  const accountId = account?.id ?? "";
  await call({
    operationId: "fundInternalAccount",
    params: { accountId },
    body: { amount: FUNDED_MINOR },
  });
  const quote = await call<Made>({
    operationId: "createQuote",
    body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: payee.id },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: SENT_MINOR,
    },
  });
  await call({ operationId: "executeQuote", params: { quoteId: quote.id } });
  return quote.id;
};
