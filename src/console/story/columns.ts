import type { StepPosting } from "./moves.ts";

/** A column of the picture: an account, or all that had no room. */
export interface Column {
  accounts: readonly string[];
  /** The purpose of the account. */
  says: string;
}

/** Columns that a picture holds; more fold into one. */
export const MOST_COLUMNS = 7;

/** Places of the ledger's own accounts, from the payer's side to the payee's. */
const LEDGER_PLACES: Readonly<Record<string, number>> = {
  funding: 1,
  clearing: 2,
  cardHolds: 2,
  fees: 3,
  exchange: 4,
  payouts: 5,
  cardSettlements: 5,
  losses: 6,
  unrefunded: 7,
};

const LEDGER = "Ledger:";

const isLedger = (account: string) => account.startsWith(LEDGER);

const placeOf = (account: string, payer: string | undefined) => {
  if (account === payer) return 0;
  if (!isLedger(account)) return 6;
  return LEDGER_PLACES[account.slice(LEDGER.length)] ?? 8;
};

const wordsOf = (account: string) =>
  account.slice(LEDGER.length).replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

/** The columns of a story: payer, clearing, fees, exchange, payouts, then others by first use. */
export const columnsOf = (postings: readonly StepPosting[]): Column[] => {
  const payer = postings.find(({ account, amount }) => !isLedger(account) && amount < 0)?.account;
  const seen = [...new Set(postings.map(({ account }) => account))];
  const sorted = seen
    .map((account, at) => ({ account, at, place: placeOf(account, payer) }))
    .sort((a, b) => a.place - b.place || a.at - b.at)
    .map(({ account }) => account);
  const shown = sorted.length > MOST_COLUMNS ? sorted.slice(0, MOST_COLUMNS - 1) : sorted;
  const rest = sorted.slice(shown.length);
  const columns = shown.map((account) => ({
    accounts: [account],
    says: isLedger(account) ? wordsOf(account) : account === payer ? "payer" : "payee",
  }));
  return rest.length === 0 ? columns : [...columns, { accounts: rest, says: "other" }];
};
