import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { CURRENCIES, type CurrencyCode } from "../../contract/money/currencies.ts";
import { announceBalance } from "../accounts/internal-accounts.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { ceil, powerOfTen, rational, times } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { hasRoom, LEDGER_ACCOUNTS, postMovement } from "../money/ledger.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";

/** Codes that stand for one dollar: cards convert between them by their decimals alone (3.7). */
const DOLLAR_CODES: readonly CurrencyCode[] = ["USD", "USDB", "USDC", "USDT"];

/** Whether a merchant's currency can be paid from a card's. */
export const isPayable = (merchant: CurrencyCode, source: CurrencyCode) =>
  merchant === source || (DOLLAR_CODES.includes(merchant) && DOLLAR_CODES.includes(source));

/**
 * What an amount in the merchant's currency takes of the source's, rounded up. Only totals are
 * converted, and movements are their differences: what goes back is exactly what was taken.
 */
export const sourceMinor = (
  amountMinor: number,
  { currency, sourceCurrency }: Pick<CardTransactionRecord, "currency" | "sourceCurrency">,
): number => {
  const shift = powerOfTen(CURRENCIES[sourceCurrency].decimals - CURRENCIES[currency].decimals);
  const minor = ceil(times(rational(BigInt(amountMinor)), shift));
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

/** Whether an account can be debited so much: it is ACTIVE and holds it. */
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

/** Takes money from the funding source and holds it for the merchant. */
export const pull = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: Movement,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, pulls } = transaction;
  move(draft, { from: accountId, to: cardHolds }, { currency, minor });
  announceBalance(draft, accountId, moment);
  return {
    ...transaction,
    heldMinor: transaction.heldMinor + minor,
    pulls: { count: pulls.count + 1, minor: pulls.minor + minor },
  };
};

/** Pays the merchant out of what is held; what it is short of the operator bears. */
export const settle = (
  draft: Draft,
  transaction: CardTransactionRecord,
  minor: number,
): CardTransactionRecord => {
  const { sourceCurrency: currency, heldMinor, settlements } = transaction;
  const held = Math.min(minor, heldMinor);
  move(draft, { from: cardHolds, to: cardSettlements }, { currency, minor: held });
  move(draft, { from: losses, to: cardSettlements }, { currency, minor: minor - held });
  return {
    ...transaction,
    heldMinor: heldMinor - held,
    settlements: { count: settlements.count + 1, minor: settlements.minor + minor },
  };
};

/**
 * Gives what is still held back to its source. Nobody is there to be refused: to a source that was
 * filled to the brim meanwhile it stays owed.
 */
export const releaseHold = (
  draft: Draft,
  transaction: CardTransactionRecord,
  moment: Moment,
): CardTransactionRecord => {
  const { accountId, sourceCurrency: currency, heldMinor } = transaction;
  if (heldMinor === 0) return transaction;
  const credit = { account: accountId, currency, amountMinor: BigInt(heldMinor) };
  const isTaken = hasRoom(draft, credit);
  const to = isTaken ? accountId : unrefunded;
  move(draft, { from: cardHolds, to }, { currency, minor: heldMinor });
  if (isTaken) announceBalance(draft, accountId, moment);
  return { ...transaction, heldMinor: 0 };
};

/** The merchant pays back; it goes to the source, whatever became of the card. */
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
