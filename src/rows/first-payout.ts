import type { Called } from "../contract/control/called.ts";
import type { WatchedWorld } from "./world.ts";

/** The calls of a first payout, as a server makes them. */
export const PAYOUT_CALLS = [
  "POST /customers",
  "POST /customers/external-accounts",
  "GET /customers/internal-accounts",
  "POST /sandbox/internal-accounts/{id}/fund",
  "POST /quotes",
  "POST /quotes/{id}/execute",
] as const;

/** Steps of a first payment, on the screen and in the console, in their order. */
export const FIRST_STEPS = {
  title: "A first payment",
  make: "Make a payout",
  why: "See why it waits",
  advance: "Let six minutes pass",
  webhook: "Read the webhook",
} as const;

const OVER: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "REFUNDED"]);

/** The steps that have happened, from wherever. */
export const stepsDone = ({ payments, deliveries }: WatchedWorld["lists"]) => {
  const isMade = payments.some(({ status }) => status !== "PENDING");
  const isOver = payments.some(({ status }) => OVER.has(status));
  return { make: isMade, why: isMade, advance: isOver, webhook: isOver && deliveries.length > 0 };
};

/** Number of payments from which on nobody needs the steps. */
const KNOWS_HOW = 3;

/** True while a step is left and few payments were made. */
export const areStepsDue = (lists: WatchedWorld["lists"]) =>
  !stepsDone(lists).webhook && lists.payments.length < KNOWS_HOW;

/** Words for a payout that has just been made. */
export const UNDER_WAY = "The payout is under way: it completes in six minutes of simulated time";

/** Body of POST /_sim/call. */
export interface PlatformCall {
  operationId: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** The error of a call that was refused or lost, in the platform's own words. */
export const refusalOf = ({ status = 0, text, lost }: Called) => {
  if (lost !== undefined) return { code: "LOST", message: lost, next: [] };
  if (status < 400) return undefined;
  const body = text === "" ? undefined : JSON.parse(text);
  const message = `${body?.code ?? status}: ${body?.message ?? text}`;
  return { code: String(body?.code ?? status), message, next: [] };
};

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

interface Made {
  id: string;
}

/**
 * Makes a payout that takes six minutes: its IBAN ends in 003.
 * @param call makes one call of the platform, and throws when it is refused
 * @returns the id of its quote
 */
export const makePayout = async (
  call: <Body>(input: PlatformCall) => Promise<Body>,
): Promise<string> => {
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
