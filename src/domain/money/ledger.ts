import type { Draft, Posting, View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";

/**
 * The ledger's own accounts (spec/ledger.md#ledger-accounts). They stand for everything outside the
 * internal accounts, so that each movement has two sides. Only they may go below zero.
 */
export const LEDGER_ACCOUNTS = {
  funding: "Ledger:funding", // money that came from outside
  clearing: "Ledger:clearing", // collected from a payer, not yet paid out
  exchange: "Ledger:exchange", // the position in each currency that conversion leaves
  fees: "Ledger:fees", // earned
  payouts: "Ledger:payouts", // money that went outside
  unrefunded: "Ledger:unrefunded", // owed to a payer whose refund failed
  cardHolds: "Ledger:cardHolds", // pulled for card authorizations, not settled yet
  cardSettlements: "Ledger:cardSettlements", // paid to merchants
  losses: "Ledger:losses", // borne by the operator: delivered or settled without cover
} as const;

export const MAX_BALANCE = BigInt(Number.MAX_SAFE_INTEGER);

export const isLedgerAccount = (account: string) => account.startsWith("Ledger:");

/**
 * Posts a whole movement (spec/ledger.md#posting). Its postings sum to zero per currency, and no
 * internal account ends below zero. Refuses a credit above the largest balance.
 */
export const postMovement = (draft: Draft, postings: readonly Posting[]) => {
  for (const posting of postings) {
    requireRoom(draft, posting, "amount");
    draft.post(posting);
  }
};

/** Whether an account stays within the largest balance after a credit. */
export const hasRoom = (view: View, { account, currency, amountMinor }: Posting) =>
  isLedgerAccount(account) ||
  amountMinor <= 0n ||
  view.balanceMinor(account, currency) + amountMinor <= MAX_BALANCE;

/** Refuses a credit above the largest balance (spec/internal-accounts.md#balance-bounds). */
export const requireRoom = (view: View, credit: Posting, field: string) => {
  const { account, currency, amountMinor } = credit;
  if (!hasRoom(view, credit))
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field, accountId: account, max: Number(MAX_BALANCE) },
      `${account} holds ${view.balanceMinor(account, currency)}, and ${amountMinor} more would be ` +
        `above the maximum of ${MAX_BALANCE}`,
    );
};

/** Sums of postings by currency. */
export const totalsOf = (postings: readonly Posting[]) => {
  const totals = new Map<string, bigint>();
  for (const { currency, amountMinor } of postings)
    totals.set(currency, (totals.get(currency) ?? 0n) + amountMinor);
  return totals;
};

/**
 * Asserts the invariants of a change; a change that breaks one is a bug and stops the world
 * (spec/ledger.md#invariants).
 */
export const assertBalanced = (
  postings: readonly Posting[],
  balanceAfter: (account: string, currency: string) => bigint,
) => {
  for (const [currency, total] of totalsOf(postings))
    assertInvariant(total === 0n, "postings that sum to zero", { currency, total: `${total}` });
  for (const { account, currency } of postings) {
    const balance = isLedgerAccount(account) ? 0n : balanceAfter(account, currency);
    assertInvariant(balance >= 0n, "no balance below zero", {
      account,
      currency,
      balance: `${balance}`,
    });
  }
};
