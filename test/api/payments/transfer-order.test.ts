import { beforeEach, describe, test } from "vitest";
import { transferInput } from "../../setup/banks.ts";
import { accountIn, createParties, createWallet, type Parties } from "../setup/payment-parties.ts";
import { expectRefused, invalid, type Refused } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let parties: Parties;

const madeParties = preparedOnce(createParties);

beforeEach(async () => {
  parties = await madeParties(world());
});

const TOO_LARGE = 9_000_000_000_000_001;

const amountRefused = (code: string): Refused => ({ status: 400, code, field: "amount" });
const NOT_READY: Refused = { status: 403, code: "USER_NOT_READY" };
const CURRENCY: Refused = {
  status: 400,
  code: "INVALID_CURRENCY",
  field: "destination.accountId",
};

const freeze = (accountId: string) =>
  world().control("PATCH", `/internal-accounts/${accountId}`, { status: "FROZEN" });
const reject = (customerId: string) =>
  world().control("PATCH", `/customers/${customerId}`, { kycStatus: "REJECTED" });

interface Row {
  first: string;
  before: string;
  way: "in" | "out";
  refused: Refused;
  /** Makes both mistakes and returns the body. */
  input(): object | Promise<object>;
}

/** Of two mistakes, the first in the list answers (spec/transfers.md#check-order). */
const ROWS: Row[] = [
  {
    first: "a malformed body",
    before: "an unknown account",
    way: "out",
    refused: invalid("destination.accountId"),
    input: () => ({ source: { accountId: "none" }, destination: { accountId: 7 }, amount: 1 }),
  },
  {
    first: "a missing amount",
    before: "an unknown account",
    way: "in",
    refused: amountRefused("INVALID_AMOUNT"),
    input: () => transferInput("none", "none"),
  },
  {
    first: "an amount of 0",
    before: "an unknown account",
    way: "out",
    refused: amountRefused("INVALID_AMOUNT"),
    input: () => transferInput("none", "none", 0),
  },
  {
    first: "an unknown account",
    before: "one that is frozen",
    way: "out",
    refused: invalid("destination.accountId", "ACCOUNT_NOT_FOUND"),
    input: async () => {
      await freeze(parties.payer.accountId);
      return transferInput(parties.payer.accountId, "none", 1);
    },
  },
  {
    first: "an account of the wrong kind",
    before: "one of another owner",
    way: "out",
    refused: invalid("destination.accountId", "ACCOUNT_KIND_NOT_ALLOWED"),
    input: () => transferInput(parties.payer.accountId, parties.other.accountId, 1),
  },
  {
    first: "a wallet that cannot be pulled from",
    before: "a currency that does not fit",
    way: "in",
    refused: invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    input: async () => {
      const wallet = await createWallet(world(), parties.payer.customerId, "LIGHTNING");
      return transferInput(wallet, parties.payer.accountId, 1);
    },
  },
  {
    first: "an embedded wallet as the source",
    before: "a currency that does not fit",
    way: "out",
    refused: invalid("source.accountId", "USE_QUOTE"),
    input: () => transferInput(parties.wallet, parties.bank, 1),
  },
  {
    first: "two owners",
    before: "an account that is frozen",
    way: "in",
    refused: invalid("destination.accountId", "OWNER_MISMATCH"),
    input: async () => {
      await freeze(parties.payer.accountId);
      return transferInput(parties.otherBank, parties.payer.accountId, 1);
    },
  },
  {
    first: "a deleted customer",
    before: "an account that is frozen",
    way: "out",
    refused: invalid("source.accountId", "CUSTOMER_DELETED"),
    input: async () => {
      await freeze(parties.payer.accountId);
      await world().call("DELETE", `/customers/${parties.payer.customerId}`);
      return transferInput(parties.payer.accountId, parties.bank, 1);
    },
  },
  {
    first: "an account that is frozen",
    before: "a customer that is not ready",
    way: "in",
    refused: invalid("destination.accountId", "ACCOUNT_NOT_ACTIVE"),
    input: async () => {
      await freeze(parties.payer.accountId);
      await reject(parties.payer.customerId);
      return transferInput(parties.bank, parties.payer.accountId, 1);
    },
  },
  {
    first: "a customer that is not ready",
    before: "a currency that does not fit",
    way: "out",
    refused: NOT_READY,
    input: async () => {
      await reject(parties.payer.customerId);
      return transferInput(parties.payer.accountId, parties.mexican, 1);
    },
  },
  {
    first: "a currency that does not fit",
    before: "an amount out of range",
    way: "in",
    refused: CURRENCY,
    input: () => transferInput(parties.mexican, parties.payer.accountId, TOO_LARGE),
  },
  {
    first: "a currency that does not fit",
    before: "the balance of an empty account",
    way: "out",
    refused: CURRENCY,
    input: async () => {
      const usdc = await accountIn(world(), "USDC", parties.payer.customerId);
      return transferInput(usdc, parties.bank);
    },
  },
  {
    first: "an amount out of range",
    before: "a balance too low",
    way: "out",
    refused: amountRefused("AMOUNT_OUT_OF_RANGE"),
    input: () => transferInput(parties.payer.accountId, parties.bank, TOO_LARGE),
  },
  {
    first: "a customer that is not ready",
    before: "a balance too low",
    way: "out",
    refused: NOT_READY,
    input: async () => {
      await reject(parties.payer.customerId);
      return transferInput(parties.payer.accountId, parties.bank, 1_000_001);
    },
  },
];

describe("of two mistakes in a transfer", () => {
  test.each(ROWS)("$first is reported before $before ($way)", async ({ way, refused, input }) => {
    const body = await input();
    expectRefused(await world().call("POST", `/transfer-${way}`, body), refused);
  });
});
