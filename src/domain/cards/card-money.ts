import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { CURRENCIES, type CurrencyCode } from "../../contract/money/currencies.ts";
import { announceBalance, announceTotal } from "../accounts/internal-accounts.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { powerOfTen, type Rounded, rational, rounded, times } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { hasRoom, LEDGER_ACCOUNTS, postMovement } from "../money/ledger.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";

/**
 * Codes that stand for one dollar each; they convert by decimals alone
 * (spec/card-transactions.md#conversion).
 */
const DOLLAR_CODES: readonly CurrencyCode[] = ["USD", "USDB", "USDC", "USDT"];

/** Whether a card of one currency can pay a merchant in another. */
export const isPayable = (merchant: CurrencyCode, source: CurrencyCode) =>
  merchant === source || (DOLLAR_CODES.includes(merchant) && DOLLAR_CODES.includes(source));

type Currencies = Pick<CardTransactionRecord, "currency" | "sourceCurrency">;

/** An amount in the merchant's currency as the source pays it, with its exact value. */
export const sourceAmount = (
  amountMinor: number,
  { currency, sourceCurrency }: Currencies,
): Rounded => {
  const shift = powerOfTen(CURRENCIES[sourceCurrency].decimals - CURRENCIES[currency].decimals);
  return rounded(times(rational(BigInt(amountMinor)), shift), "up");
};

/**
 * Converts an amount in the merchant's currency to the source's, rounded up. Only totals are
 * converted, so a full return gives back exactly the amount taken
 * (decisions/totals-rounded-once.md).
 */
export const sourceMinor = (
  amountMinor: number,
  { currency, sourceCurrency }: Currencies,
): number => {
  const minor = sourceAmount(amountMinor, { currency, sourceCurrency }).whole;
  if (minor > BigInt(MAX_AMOUNT_MINOR))
    refuse("AMOUNT_OUT_OF_RANGE", { field: "amount", value: amountMinor, max: MAX_AMOUNT_MINOR });
  return Number(minor);
};

const { cardHolds, cardSettlements, losses, unrefunded } = LEDGER_ACCOUNTS;

const move = (
  draft: Draft,
  { from, to }: { from: string; to: string },
  { currency, minor }: { currency: CurrencyCode; minor: number },
) => {
  if (minor === 0) return;
  postMovement(draft, [
    { account: from, currency, amountMinor: -BigInt(minor) },
    { account: to, currency, amountMinor: BigInt(minor) },
  ]);
};

/** Whether an account is ACTIVE and holds the amount. */
export const canPay = (
  view: View,
  accountId: string,
  { currency, minor }: { currency: CurrencyCode; minor: number },
) =>
  view.get("InternalAccount", accountId)?.status === "ACTIVE" &&
  view.balanceMinor(accountId, currency) >= BigInt(minor);

interface Movement {
  minor: number;
  moment: Moment;
}

/**
 * Pulls money from the funding source and holds it for the merchant
 * (spec/card-transactions.md#holds).
 */
export const pull = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, pulls } = transaction;
  move(draft, { from: accountId, to: cardHolds }, { currency, minor });
  const pulled = {
    ...transaction,
    heldMinor: transaction.heldMinor + minor,
    pulls: { count: pulls.count + 1, minor: pulls.minor + minor },
  };
  // Before the event: its total counts what is held.
  draft.put("CardTransaction", pulled);
  announceBalance(draft, accountId, moment);
  return pulled;
};

/** Pays the merchant out of the hold; the operator bears any shortfall. */
export const settle = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, heldMinor, settlements } = transaction;
  const held = Math.min(minor, heldMinor);
  move(draft, { from: cardHolds, to: cardSettlements }, { currency, minor: held });
  move(draft, { from: losses, to: cardSettlements }, { currency, minor: minor - held });
  const settled = {
    ...transaction,
    heldMinor: heldMinor - held,
    settlements: { count: settlements.count + 1, minor: settlements.minor + minor },
  };
  draft.put("CardTransaction", settled);
  if (held > 0) announceTotal(draft, accountId, moment);
  return settled;
};

/**
 * Returns a part of a hold to its source. If the source has no room under the largest balance,
 * the money stays owed to it, because no caller could be refused.
 */
export const releasePart = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, heldMinor } = transaction;
  if (minor === 0) return transaction;
  const credit = { account: accountId, currency, amountMinor: BigInt(minor) };
  const isTaken = hasRoom(draft, credit);
  const to = isTaken ? accountId : unrefunded;
  move(draft, { from: cardHolds, to }, { currency, minor });
  const released = { ...transaction, heldMinor: heldMinor - minor };
  draft.put("CardTransaction", released);
  if (isTaken) announceBalance(draft, accountId, moment);
  else announceTotal(draft, accountId, moment);
  return released;
};

/** Returns the rest of a hold to its source. */
export const releaseHold = (
  draft: Draft,
  transaction: CardTransactionRecord,
  moment: Moment,
): CardTransactionRecord =>
  releasePart(draft, transaction, { minor: transaction.heldMinor, moment });

/** Pays a merchant's credit to the first source of the card, whatever the card's state. */
export const payCredit = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, settlements } = transaction;
  move(draft, { from: cardSettlements, to: accountId }, { currency, minor });
  announceBalance(draft, accountId, moment);
  const sums = { count: settlements.count + 1, minor: settlements.minor + minor };
  return { ...transaction, settlements: sums };
};

/**
 * Takes a return back: the source pays the merchant again. Where its balance is too small, the
 * operator pays, and nothing is pulled.
 */
export const takeBack = (
  draft: Draft,
  transaction: CardTransactionRecord,
  moment: Moment,
): { transaction: CardTransactionRecord; isPaid: boolean } => {
  const { accountId, sourceCurrency: currency, refunds, pulls } = transaction;
  const { minor } = refunds;
  const isPaid = draft.balanceMinor(accountId, currency) >= BigInt(minor);
  move(draft, { from: isPaid ? accountId : losses, to: cardSettlements }, { currency, minor });
  if (isPaid) announceBalance(draft, accountId, moment);
  const reversed = { ...transaction, refundedMinor: 0, refunds: { ...refunds, minor: 0 } };
  if (!isPaid) return { transaction: reversed, isPaid };
  const pulled = { count: pulls.count + 1, minor: pulls.minor + minor };
  return { transaction: { ...reversed, pulls: pulled }, isPaid };
};

/** Pays the merchant's return to the source, whatever the card's state. */
export const payBack = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, refunds } = transaction;
  move(draft, { from: cardSettlements, to: accountId }, { currency, minor });
  announceBalance(draft, accountId, moment);
  return { ...transaction, refunds: { count: refunds.count + 1, minor: refunds.minor + minor } };
};
