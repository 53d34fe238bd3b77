import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import type { Refused } from "./refused.ts";
import { goTo } from "./told.ts";

interface Parties {
  payer: Payer;
  /** The payer's external account in Mexico. */
  payee: string;
}

type Act = (world: TestSimulator, parties: Parties) => Promise<Answer>;
type Change = (world: TestSimulator, parties: Parties) => Promise<unknown>;

const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";

const invalid = (field: string, reason: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  reason,
});

/** A payer with 1000000 cents and its payee, and an act between them. */
const between = (act: Act) => async (world: TestSimulator) => {
  const payer = await createPayer(world);
  return act(world, { payer, payee: await createPayee(world, payer.customerId, "999") });
};

/** A change, then a request for a quote. */
const quotedAfter = (change: Change) =>
  between(async (world, parties) => {
    await change(world, parties);
    return world.call("POST", "/quotes", quoteInput(parties.payer.accountId, parties.payee));
  });

/** A quote, a change, then the quote's execution. */
const executedAfter = (change: Change, amountMinor?: number) =>
  between(async (world, parties) => {
    const input = quoteInput(parties.payer.accountId, parties.payee, amountMinor);
    const { body } = await world.call("POST", "/quotes", input);
    await change(world, parties);
    return world.call("POST", `/quotes/${body.id}/execute`);
  });

const quoted = (input: (parties: Parties) => object) =>
  between(({ call }, parties) => {
    const usual = quoteInput(parties.payer.accountId, parties.payee);
    return call("POST", "/quotes", { ...usual, ...input(parties) });
  });

/**
 * Changes that make parties unusable, both for creation and for execution
 * (spec/quotes.md#usable-parties).
 */
const UNFIT: { word: string; refused: Refused; change: Change }[] = [
  {
    word: "ACCOUNT_NOT_ACTIVE",
    refused: invalid("source.accountId", "ACCOUNT_NOT_ACTIVE"),
    change: ({ control }, { payer }) =>
      control("PATCH", `/internal-accounts/${payer.accountId}`, { status: "FROZEN" }),
  },
  {
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    refused: invalid("source.accountId", "CUSTOMER_DELETED"),
    change: ({ call }, { payer }) => call("DELETE", `/customers/${payer.customerId}`),
  },
  {
    word: "USER_NOT_READY",
    refused: { status: 403, code: "USER_NOT_READY" },
    change: ({ control }, { payer }) =>
      control("PATCH", `/customers/${payer.customerId}`, { kycStatus: "REJECTED" }),
  },
];

const OUT_OF_RANGE = { status: 400, code: "AMOUNT_OUT_OF_RANGE" };

const creation: DeclaredRefusal[] = [
  {
    word: "INSUFFICIENT_BALANCE",
    refused: { ...OUT_OF_RANGE, reason: "INSUFFICIENT_BALANCE" },
    meet: quoted(() => ({ lockedCurrencyAmount: 1_000_001, immediatelyExecute: true })),
  },
  {
    word: "ACCOUNT_NOT_FOUND",
    refused: invalid("source.accountId", "ACCOUNT_NOT_FOUND"),
    meet: quoted(({ payee }) => quoteInput("InternalAccount:none", payee)),
  },
  {
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("source.customerId", "USER_NOT_FOUND"),
    meet: quoted(({ payer: { accountId } }) => ({
      source: { sourceType: "ACCOUNT", accountId, customerId: NOBODY },
    })),
  },
  {
    word: "OWNER_MISMATCH",
    refused: invalid("destination.accountId", "OWNER_MISMATCH"),
    meet: between(async (world, { payer }) => {
      const { customerId } = await createPayer(world, 0);
      const foreign = await createPayee(world, customerId, "998");
      return world.call("POST", "/quotes", quoteInput(payer.accountId, foreign));
    }),
  },
  {
    word: "SELF_PAYMENT",
    refused: { status: 400, code: "SELF_PAYMENT", field: "destination.accountId" },
    meet: quoted(({ payer }) => quoteInput(payer.accountId, payer.accountId)),
  },
  {
    word: "INVALID_CURRENCY",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "source.accountId" },
    meet: quotedAfter(({ call }) => {
      const usd = { currencyCode: "USD", minAmount: 0, maxAmount: 10_000_000 };
      const incoming = { ...usd, enabledTransactionTypes: ["INCOMING"] };
      return call("PATCH", "/config", { supportedCurrencies: [incoming] });
    }),
  },
  {
    word: "INVALID_AMOUNT",
    refused: { status: 400, code: "INVALID_AMOUNT", field: "lockedCurrencyAmount" },
    meet: quoted(() => ({ lockedCurrencyAmount: 0 })),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: { ...OUT_OF_RANGE, field: "lockedCurrencyAmount" },
    meet: quoted(() => ({ lockedCurrencyAmount: 9_000_000_000_000_001 })),
  },
].map((one) => ({ operation: "createQuote", ...one }));

const execution: DeclaredRefusal[] = [
  {
    word: "INSUFFICIENT_BALANCE",
    refused: { ...OUT_OF_RANGE, reason: "INSUFFICIENT_BALANCE" },
    meet: executedAfter(async () => undefined, 1_000_001),
  },
  {
    word: "QUOTE_NOT_FOUND",
    refused: { status: 404, code: "QUOTE_NOT_FOUND" },
    meet: ({ call }: TestSimulator) => call("POST", "/quotes/Quote:none/execute"),
  },
  {
    word: "INVALID_BANK_ACCOUNT",
    refused: { status: 400, code: "INVALID_BANK_ACCOUNT", field: "destination.accountId" },
    meet: executedAfter(({ call }, { payee }) =>
      call("DELETE", `/customers/external-accounts/${payee}`),
    ),
  },
  {
    word: "QUOTE_EXPIRED",
    refused: { status: 409, code: "CONFLICT", reason: "QUOTE_EXPIRED" },
    meet: executedAfter((world) => goTo(world, "09:05:00.000")),
  },
  {
    word: "QUOTE_ALREADY_EXECUTED",
    refused: { status: 409, code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" },
    meet: between(async ({ call }, { payer, payee }) => {
      const { body } = await call("POST", "/quotes", quoteInput(payer.accountId, payee));
      await call("POST", `/quotes/${body.id}/execute`);
      return call("POST", `/quotes/${body.id}/execute`);
    }),
  },
].map((one) => ({ operation: "executeQuote", ...one }));

/**
 * Refusals that the two quote operations declare (spec/quotes.md#creation-order,
 * spec/quotes.md#execution).
 */
export const DECLARED_QUOTE_REFUSALS: DeclaredRefusal[] = [
  ...UNFIT.flatMap(({ change, ...one }) => [
    { operation: "createQuote", ...one, meet: quotedAfter(change) },
    { operation: "executeQuote", ...one, meet: executedAfter(change) },
  ]),
  ...creation,
  ...execution,
];
