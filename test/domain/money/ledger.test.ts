import { describe, expect, test } from "vitest";
import type { Posting } from "../../../src/domain/core/draft.ts";
import { InvariantViolation } from "../../../src/domain/core/invariant.ts";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import {
  assertBalanced,
  isLedgerAccount,
  LEDGER_ACCOUNTS,
  postMovement,
  totalsOf,
} from "../../../src/domain/money/ledger.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const ANA = "InternalAccount:ana";
const BEN = "InternalAccount:ben";

const posting = (account: string, currency: string, amountMinor: bigint): Posting => ({
  account,
  currency,
  amountMinor,
});

const move = (world: RuleWorld, postings: readonly Posting[]) =>
  world.run((draft) => postMovement(draft, postings), undefined);

const funded = (minor: bigint) => {
  const world = new RuleWorld();
  move(world, [posting(LEDGER_ACCOUNTS.funding, "USD", -minor), posting(ANA, "USD", minor)]);
  return world;
};

/**
 * Movements in a world where Ana has 100, each with the invariant that it breaks, if any
 * (spec/ledger.md#invariants).
 */
const MOVEMENTS = [
  {
    says: "from one account to another",
    postings: [posting(ANA, "USD", -40n), posting(BEN, "USD", 40n)],
    broken: undefined,
  },
  {
    says: "of a whole balance",
    postings: [posting(ANA, "USD", -100n), posting(LEDGER_ACCOUNTS.payouts, "USD", 100n)],
    broken: undefined,
  },
  {
    says: "that converts, with each currency summing to zero",
    postings: [
      posting(ANA, "USD", -100n),
      posting(LEDGER_ACCOUNTS.exchange, "USD", 100n),
      posting(LEDGER_ACCOUNTS.exchange, "MXN", -1725n),
      posting(BEN, "MXN", 1725n),
    ],
    broken: undefined,
  },
  {
    says: "that leaves the ledger's own account below zero",
    postings: [posting(LEDGER_ACCOUNTS.losses, "USD", -1n), posting(ANA, "USD", 1n)],
    broken: undefined,
  },
  {
    says: "that dips below zero on its way and comes back",
    postings: [
      posting(ANA, "USD", -150n),
      posting(ANA, "USD", 60n),
      posting(LEDGER_ACCOUNTS.fees, "USD", 90n),
    ],
    broken: undefined,
  },
  {
    says: "that loses a cent",
    postings: [posting(ANA, "USD", -40n), posting(BEN, "USD", 39n)],
    broken: "postings that sum to zero",
  },
  {
    says: "whose sum is zero only over two currencies",
    postings: [posting(ANA, "USD", -40n), posting(BEN, "EUR", 40n)],
    broken: "postings that sum to zero",
  },
  {
    says: "of more than there is",
    postings: [posting(ANA, "USD", -101n), posting(BEN, "USD", 101n)],
    broken: "no balance below zero",
  },
  {
    says: "out of an account that has none of that currency",
    postings: [posting(ANA, "EUR", -1n), posting(BEN, "EUR", 1n)],
    broken: "no balance below zero",
  },
];

const violationOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvariantViolation) return error.invariant;
    throw error;
  }
  return undefined;
};

// spec/ledger.md#posting
describe("a movement", () => {
  test.each(MOVEMENTS)("$says: breaks $broken", ({ postings, broken }) => {
    const world = funded(100n);
    expect(violationOf(() => move(world, postings))).toBe(broken);
    if (broken !== undefined) expect(world.state.balanceMinor(ANA, "USD")).toBe(100n);
  });

  test("is booked whole, and every currency still sums to zero", () => {
    const world = funded(100n);
    move(world, [posting(ANA, "USD", -40n), posting(BEN, "USD", 40n)]);
    expect(world.state.balanceMinor(ANA, "USD")).toBe(60n);
    expect(world.state.balanceMinor(BEN, "USD")).toBe(40n);
    expect(world.state.balanceMinor(LEDGER_ACCOUNTS.funding, "USD")).toBe(-100n);
    expect(totalsOf(world.state.postings.slice())).toEqual(new Map([["USD", 0n]]));
  });

  test("may fill an account up to 2^53 - 1, and is refused one above", () => {
    const room = BigInt(Number.MAX_SAFE_INTEGER);
    const world = funded(room);
    expect(world.state.balanceMinor(ANA, "USD")).toBe(9_007_199_254_740_991n);
    const oneMore = [posting(LEDGER_ACCOUNTS.funding, "USD", -1n), posting(ANA, "USD", 1n)];
    expect(() => move(world, oneMore)).toThrow(Refusal);
    expect(world.state.balanceMinor(ANA, "USD")).toBe(9_007_199_254_740_991n);
  });

  test("may take a ledger account of its own past 2^53 - 1", () => {
    const world = new RuleWorld();
    const much = 9_007_199_254_740_993n;
    move(world, [
      posting(LEDGER_ACCOUNTS.payouts, "IDR", much),
      posting(LEDGER_ACCOUNTS.exchange, "IDR", -much),
    ]);
    expect(world.state.balanceMinor(LEDGER_ACCOUNTS.payouts, "IDR")).toBe(much);
  });
});

describe("totals", () => {
  test.each([
    { says: "of nothing are nothing", postings: [], totals: [] },
    {
      says: "are kept by currency",
      postings: [posting(ANA, "USD", 3n), posting(BEN, "EUR", 4n), posting(BEN, "USD", -1n)],
      totals: [
        ["USD", 2n],
        ["EUR", 4n],
      ],
    },
  ])("$says", ({ postings, totals }) => {
    expect([...totalsOf(postings)]).toEqual(totals);
  });
});

// spec/ledger.md#ledger-accounts
test("only accounts of the ledger itself may go below zero", () => {
  for (const account of Object.values(LEDGER_ACCOUNTS)) expect(isLedgerAccount(account)).toBe(true);
  expect(isLedgerAccount(ANA)).toBe(false);
  const balanced = [posting(ANA, "USD", -1n), posting(LEDGER_ACCOUNTS.fees, "USD", 1n)];
  expect(violationOf(() => assertBalanced(balanced, () => 0n))).toBeUndefined();
  expect(violationOf(() => assertBalanced(balanced, () => -1n))).toBe("no balance below zero");
});
