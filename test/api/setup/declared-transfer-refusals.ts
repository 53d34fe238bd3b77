import { from, justInTime, to, transferInput } from "../../setup/banks.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import { createParties, createWallet, type Parties } from "./payment-parties.ts";
import { invalid, type Refused } from "./refused.ts";

type Way = "in" | "out";
type Change = (world: TestSimulator, parties: Parties) => Promise<unknown>;

interface TransferCase {
  word: string;
  refused(way: Way): Refused;
  change?: Change;
  /** Replacements of the usual accounts. */
  ends?: Partial<Record<"internal" | "external", (parties: Parties) => string>>;
  amount?: number;
}

const INTERNAL = { in: "destination.accountId", out: "source.accountId" };
const EXTERNAL = { in: "source.accountId", out: "destination.accountId" };

/** Refusals that both directions declare. */
const BOTH_WAYS: TransferCase[] = [
  {
    word: "ACCOUNT_NOT_FOUND",
    refused: (way) => invalid(EXTERNAL[way], "ACCOUNT_NOT_FOUND"),
    ends: { external: () => "ExternalAccount:none" },
  },
  {
    word: "ACCOUNT_KIND_NOT_ALLOWED",
    refused: (way) => invalid(EXTERNAL[way], "ACCOUNT_KIND_NOT_ALLOWED"),
    ends: { external: ({ platform }) => platform },
  },
  {
    word: "OWNER_MISMATCH",
    refused: () => invalid("destination.accountId", "OWNER_MISMATCH"),
    ends: { external: ({ otherBank }) => otherBank },
  },
  {
    word: "ACCOUNT_NOT_ACTIVE",
    refused: (way) => invalid(INTERNAL[way], "ACCOUNT_NOT_ACTIVE"),
    change: ({ control }, { payer }) =>
      control("PATCH", `/internal-accounts/${payer.accountId}`, { status: "FROZEN" }),
  },
  {
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    refused: (way) => invalid(INTERNAL[way], "CUSTOMER_DELETED"),
    change: ({ call }, { payer }) => call("DELETE", `/customers/${payer.customerId}`),
  },
  {
    word: "USER_NOT_READY",
    refused: () => ({ status: 403, code: "USER_NOT_READY" }),
    change: ({ control }, { payer }) =>
      control("PATCH", `/customers/${payer.customerId}`, { kycStatus: "REJECTED" }),
  },
  {
    word: "INVALID_CURRENCY",
    refused: () => ({ status: 400, code: "INVALID_CURRENCY", field: "destination.accountId" }),
    ends: { external: ({ mexican }) => mexican },
  },
  {
    word: "INVALID_AMOUNT",
    refused: () => ({ status: 400, code: "INVALID_AMOUNT", field: "amount" }),
    amount: 0,
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: () => ({ status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" }),
    amount: 9_000_000_000_000_001,
  },
];

const transfer = async (world: TestSimulator, way: Way, one: TransferCase): Promise<Answer> => {
  const parties = await createParties(world);
  await one.change?.(world, parties);
  const internal = one.ends?.internal?.(parties) ?? parties.payer.accountId;
  const external = one.ends?.external?.(parties) ?? parties.bank;
  const [source, destination] = way === "in" ? [external, internal] : [internal, external];
  const { amount = 25_000 } = one;
  return world.call("POST", `/transfer-${way}`, transferInput(source, destination, amount));
};

const declared = (way: Way, cases: readonly TransferCase[]): DeclaredRefusal[] =>
  cases.map((one) => ({
    operation: way === "in" ? "transferIn" : "transferOut",
    word: one.word,
    refused: one.refused(way),
    meet: (world) => transfer(world, way, one),
  }));

const oneWay: DeclaredRefusal[] = [
  {
    operation: "transferIn",
    word: "SOURCE_NOT_PULLABLE",
    refused: invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    meet: async (world) => {
      const { payer } = await createParties(world);
      const wallet = await createWallet(world, payer.customerId, "BASE_WALLET");
      return world.call("POST", "/transfer-in", transferInput(wallet, payer.accountId, 1));
    },
  },
  {
    operation: "transferOut",
    word: "USE_QUOTE",
    refused: invalid("source.accountId", "USE_QUOTE"),
    meet: async (world) => {
      const { wallet, bank } = await createParties(world);
      return world.call("POST", "/transfer-out", transferInput(wallet, bank, 1));
    },
  },
  ...declared("out", [
    {
      word: "INSUFFICIENT_BALANCE",
      refused: () => ({
        status: 400,
        code: "AMOUNT_OUT_OF_RANGE",
        reason: "INSUFFICIENT_BALANCE",
      }),
      amount: 1_000_001,
    },
  ]),
];

/** A quote that waits for its money, a change, then money is sent. */
const sentAfter =
  (change: Change, input: object = {}) =>
  async (world: TestSimulator): Promise<Answer> => {
    const parties = await createParties(world);
    const { body } = await world.call("POST", "/quotes", {
      ...justInTime("USD", parties.payer.customerId),
      ...to(parties.mexican),
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    });
    await change(world, parties);
    const usual = { quoteId: body.id, currencyCode: "USD" };
    return world.call("POST", "/sandbox/send", { ...usual, ...input });
  };

const nothing: Change = async () => undefined;

const sending: DeclaredRefusal[] = [
  {
    word: "QUOTE_NOT_FOUND",
    refused: { status: 404, code: "QUOTE_NOT_FOUND", field: "quoteId" },
    meet: sentAfter(nothing, { quoteId: "Quote:none" }),
  },
  {
    word: "INVALID_BANK_ACCOUNT",
    refused: { status: 400, code: "INVALID_BANK_ACCOUNT", field: "destination.accountId" },
    meet: sentAfter(({ call }, { mexican }) =>
      call("DELETE", `/customers/external-accounts/${mexican}`),
    ),
  },
  {
    word: "ACCOUNT_NOT_ACTIVE",
    refused: invalid("destination.accountId", "ACCOUNT_NOT_ACTIVE"),
    meet: async (world: TestSimulator) => {
      const { platform } = await createParties(world);
      const { body } = await world.call("POST", "/quotes", {
        ...justInTime("USD"),
        ...to(platform),
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 25_000,
      });
      await world.control("PATCH", `/internal-accounts/${platform}`, { status: "CLOSED" });
      return world.call("POST", "/sandbox/send", { quoteId: body.id, currencyCode: "USD" });
    },
  },
  {
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    refused: invalid("destination.accountId", "CUSTOMER_DELETED"),
    meet: sentAfter(({ call }, { payer }) => call("DELETE", `/customers/${payer.customerId}`)),
  },
  {
    word: "INVALID_CURRENCY",
    refused: { status: 400, code: "INVALID_CURRENCY", field: "currencyCode" },
    meet: sentAfter(nothing, { currencyCode: "MXN" }),
  },
  {
    word: "INVALID_AMOUNT",
    refused: { status: 400, code: "INVALID_AMOUNT", field: "currencyAmount" },
    meet: sentAfter(nothing, { currencyAmount: 0.5 }),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "currencyAmount" },
    meet: sentAfter(nothing, { currencyAmount: 9_000_000_000_000_001 }),
  },
].map((one) => ({ operation: "sandboxSend", ...one }));

const quoting: DeclaredRefusal[] = [
  {
    operation: "createQuote",
    word: "SOURCE_NOT_PULLABLE",
    refused: invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    meet: async (world) => {
      const { payer, mexican } = await createParties(world);
      const wallet = await createWallet(world, payer.customerId, "BASE_WALLET");
      return world.call("POST", "/quotes", {
        ...from(wallet),
        ...to(mexican),
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 25_000,
      });
    },
  },
  {
    operation: "executeQuote",
    word: "INVALID_INPUT",
    refused: invalid("quoteId"),
    meet: async (world) => {
      const { mexican } = await createParties(world);
      const { body } = await world.call("POST", "/quotes", {
        ...justInTime("USD"),
        ...to(mexican),
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 25_000,
      });
      return world.call("POST", `/quotes/${body.id}/execute`);
    },
  },
];

/**
 * Refusals that transfers and money for a quote declare (spec/transfers.md#check-order,
 * spec/sandbox.md#sending-funds).
 */
export const DECLARED_TRANSFER_REFUSALS: DeclaredRefusal[] = [
  ...declared("in", BOTH_WAYS),
  ...declared("out", BOTH_WAYS),
  ...oneWay,
  ...sending,
  ...quoting,
];
