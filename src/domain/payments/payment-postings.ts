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

/** The payer's money is taken: from an internal account, or from outside. */
export const collection = (
  { debitsAccountId, sendingCurrency: currency }: OutgoingRecord,
  amountMinor: number,
): Posting[] => [
  { account: debitsAccountId ?? funding, currency, amountMinor: -BigInt(amountMinor) },
  { account: clearing, currency, amountMinor: BigInt(amountMinor) },
];

/** Delivers the collected money: earns the fees, converts the rest, pays the payee. */
export const delivery = (transaction: OutgoingRecord): Posting[] => {
  const { sendingCurrency, receivingCurrency, refund } = transaction;
  const sent = BigInt(transaction.sentMinor);
  const fee = BigInt(transaction.feesMinor);
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

/** Returns the collected money to its source; when that fails, it stays owed. */
export const refunding = (
  { debitsAccountId, sendingCurrency: currency, collectedMinor = 0 }: OutgoingRecord,
  on: "settle" | "fail",
): Posting[] => {
  const amountMinor = BigInt(collectedMinor);
  const payer = on === "settle" ? (debitsAccountId ?? funding) : unrefunded;
  return [
    { account: clearing, currency, amountMinor: -amountMinor },
    { account: payer, currency, amountMinor },
  ];
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
