import type { Posting } from "./core/draft.ts";
import { isLedgerAccount, LEDGER_ACCOUNTS, MAX_BALANCE, totalsOf } from "./money/ledger.ts";
import type { InternalAccountRecord } from "./records/records.ts";

/** A balance as it is stored. */
export interface StoredBalance {
  account: string;
  currency: string;
  minor: bigint;
}

/** The ledger of a state: its balances, its postings, and the accounts they are of. */
export interface StoredLedger {
  balances: readonly StoredBalance[];
  postings: Iterable<Posting>;
  account(id: string): InternalAccountRecord | undefined;
}

const OWN = new Set<string>(Object.values(LEDGER_ACCOUNTS));

const accountProblem = (
  { account, currency, minor }: StoredBalance,
  find: StoredLedger["account"],
): string | undefined => {
  if (isLedgerAccount(account))
    return OWN.has(account) ? undefined : `Expected an account of the ledger but found ${account}`;
  const found = find(account);
  if (!found)
    return `Expected a balance of an account but found one of ${account}, which is not there`;
  if (found.currency !== currency)
    return `Expected a balance in ${found.currency} on ${account} but found one in ${currency}`;
  if (minor < 0n || minor > MAX_BALANCE)
    return `Expected a balance from 0 to ${MAX_BALANCE} on ${account} but found ${minor} ${currency}`;
  return undefined;
};

/** The first invariant of the ledger that does not hold (spec/ledger.md#invariants). */
export const ledgerProblem = ({
  balances,
  postings,
  account,
}: StoredLedger): string | undefined => {
  for (const balance of balances) {
    const problem = accountProblem(balance, account);
    if (problem !== undefined) return problem;
  }
  const amounts = balances.map(({ minor: amountMinor, ...of }) => ({ ...of, amountMinor }));
  for (const [currency, total] of totalsOf(amounts))
    if (total !== 0n)
      return `Expected balances in ${currency} that sum to 0 but found a sum of ${total}`;
  const booked = new Map<string, bigint>();
  for (const { account: of, currency, amountMinor } of postings) {
    const key = `${of} ${currency}`;
    booked.set(key, (booked.get(key) ?? 0n) + amountMinor);
  }
  for (const { account: of, currency, minor } of balances) {
    const sum = booked.get(`${of} ${currency}`) ?? 0n;
    booked.delete(`${of} ${currency}`);
    if (sum !== minor)
      return `Expected ${minor} ${currency} in the postings of ${of} but found ${sum}`;
  }
  const [[key, sum] = []] = [...booked].filter(([, amount]) => amount !== 0n);
  return key === undefined ? undefined : `Expected 0 in the postings of ${key} but found ${sum}`;
};
