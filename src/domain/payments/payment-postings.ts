import type { Posting, View } from "../core/draft.ts";
import { LEDGER_ACCOUNTS } from "../money/ledger.ts";
import type { IncomingRecord, OutgoingRecord } from "../records/records.ts";

const { clearing, exchange, fees, funding, losses, payouts, unrefunded } = LEDGER_ACCOUNTS;

/** Merges the postings of one account and currency, and drops those of zero. */
const summed = (postings: readonly Posting[]): Posting[] => {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const key = `${posting.account} ${posting.currency}`;
    const { amountMinor } = sums.get(key) ?? { amountMinor: 0n };
    sums.set(key, { ...posting, amountMinor: amountMinor + posting.amountMinor });
  }
  return [...sums.values()].filter(({ amountMinor }) => amountMinor !== 0n);
};

export const reversed = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amountMinor: -posting.amountMinor }));

/** The part of a payment that the platform's account was credited with. */
const platformPart = ({ feeAccountId, platformFeesMinor = 0 }: OutgoingRecord) =>
  feeAccountId === undefined ? 0n : BigInt(platformFeesMinor);

/** Pays an account of the platform its part; nothing where a payment has none. */
const toPlatform = (transaction: OutgoingRecord, account = transaction.feeAccountId): Posting[] =>
  account === undefined
    ? []
    : [
        {
          account,
          currency: transaction.sendingCurrency,
          amountMinor: platformPart(transaction),
        },
      ];

/**
 * The payer's money is taken: from an internal account, or from outside. The platform has its fee
 * at once (spec/later-payments.md#platform-fees).
 */
export const collection = (transaction: OutgoingRecord, amountMinor: number): Posting[] => {
  const { debitsAccountId, sendingCurrency: currency } = transaction;
  const taken = BigInt(amountMinor);
  return summed([
    { account: debitsAccountId ?? funding, currency, amountMinor: -taken },
    { account: clearing, currency, amountMinor: taken - platformPart(transaction) },
    ...toPlatform(transaction),
  ]);
};

/** Delivers the collected money: earns the fees, converts the rest, pays the payee. */
export const delivery = (transaction: OutgoingRecord): Posting[] => {
  const { sendingCurrency, receivingCurrency, refund } = transaction;
  const part = platformPart(transaction);
  const sent = BigInt(transaction.sentMinor) - part;
  const fee = BigInt(transaction.feesMinor) - part;
  const received = BigInt(transaction.receivedMinor);
  // A payer who was refunded first (row 006) leaves the cost of the delivery to the operator.
  const paidFrom = refund?.status === "COMPLETED" ? losses : clearing;
  const payee = transaction.creditsAccountId ?? payouts;
  return summed([
    { account: paidFrom, currency: sendingCurrency, amountMinor: -sent },
    { account: fees, currency: sendingCurrency, amountMinor: fee },
    { account: exchange, currency: sendingCurrency, amountMinor: sent - fee },
    { account: exchange, currency: receivingCurrency, amountMinor: -received },
    { account: payee, currency: receivingCurrency, amountMinor: received },
  ]);
};

/**
 * The account that gives a fee of the platform back: its own, or the operator's, where too little
 * is left.
 */
export const feePayer = (view: View, transaction: OutgoingRecord): string | undefined => {
  const { feeAccountId, sendingCurrency } = transaction;
  if (feeAccountId === undefined) return undefined;
  const isCovered = view.balanceMinor(feeAccountId, sendingCurrency) >= platformPart(transaction);
  return isCovered ? feeAccountId : losses;
};

/**
 * Returns the collected money to its source, the platform's fee with it; when that fails, what is
 * left of it stays owed.
 * @param refund.feeFrom account that gives the platform's fee back
 */
export const refunding = (
  transaction: OutgoingRecord,
  { on, feeFrom }: { on: "settle" | "fail"; feeFrom: string | undefined },
): Posting[] => {
  const { debitsAccountId, sendingCurrency: currency, collectedMinor = 0 } = transaction;
  const cleared = BigInt(collectedMinor) - platformPart(transaction);
  const isSettled = on === "settle";
  const returned = isSettled ? reversed(toPlatform(transaction, feeFrom)) : [];
  return summed([
    { account: clearing, currency, amountMinor: -cleared },
    ...returned,
    {
      account: isSettled ? (debitsAccountId ?? funding) : unrefunded,
      currency,
      amountMinor: isSettled ? BigInt(collectedMinor) : cleared,
    },
  ]);
};

/** Money from outside: what the customer receives, and the fees that came on top of it. */
export const receipt = (transaction: IncomingRecord): Posting[] => {
  const { receivingCurrency: currency, creditsAccountId } = transaction;
  const received = BigInt(transaction.receivedMinor);
  const fee = BigInt(transaction.feesMinor);
  return summed([
    { account: funding, currency, amountMinor: -(received + fee) },
    { account: fees, currency, amountMinor: fee },
    { account: creditsAccountId ?? payouts, currency, amountMinor: received },
  ]);
};

/** The account that pays a returned deposit: where it went, or the operator, where too little is left. */
export const coverOf = (
  view: View,
  { creditsAccountId, receivingCurrency, receivedMinor }: IncomingRecord,
): string => {
  if (creditsAccountId === undefined) return payouts;
  const isCovered = view.balanceMinor(creditsAccountId, receivingCurrency) >= BigInt(receivedMinor);
  return isCovered ? creditsAccountId : losses;
};

/** Takes a delivered payment back, to be refunded to its sender. */
export const recovery = (
  { receivingCurrency: currency, receivedMinor }: IncomingRecord,
  from: string,
): Posting[] => [
  { account: from, currency, amountMinor: -BigInt(receivedMinor) },
  { account: clearing, currency, amountMinor: BigInt(receivedMinor) },
];

/** Returns a recovered payment to its sender, with the fees; when that fails, it stays owed. */
export const repayment = (
  { receivingCurrency: currency, receivedMinor, feesMinor }: IncomingRecord,
  on: "settle" | "fail",
): Posting[] => {
  const received = BigInt(receivedMinor);
  const fee = on === "settle" ? BigInt(feesMinor) : 0n;
  return summed([
    { account: clearing, currency, amountMinor: -received },
    { account: fees, currency, amountMinor: -fee },
    { account: on === "settle" ? funding : unrefunded, currency, amountMinor: received + fee },
  ]);
};
