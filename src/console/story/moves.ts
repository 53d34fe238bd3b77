/** A posting of one step. */
export interface StepPosting {
  account: string;
  currency: string;
  /** Minor units; below zero where money leaves. */
  amount: number;
}

/** Money that goes from one account to another, or a signed amount where that cannot be told. */
export type Move =
  | { kind: "arrow"; from: string; to: string; amount: number; currency: string }
  | { kind: "signed"; account: string; amount: number; currency: string };

const arrowsOf = (postings: readonly StepPosting[]): Move[] => {
  const out = postings.filter(({ amount }) => amount < 0);
  const into = postings.filter(({ amount }) => amount > 0);
  const [source] = out;
  const [target] = into;
  if (out.length === 1 && source)
    return into.map(({ account, amount, currency }) => ({
      kind: "arrow",
      from: source.account,
      to: account,
      amount,
      currency,
    }));
  if (into.length === 1 && target)
    return out.map(({ account, amount, currency }) => ({
      kind: "arrow",
      from: account,
      to: target.account,
      amount: -amount,
      currency,
    }));
  return postings.map((posting) => ({ kind: "signed", ...posting }));
};

/** The moves of a step: within each currency one account pays, one receives, or neither can be told. */
export const movesOf = (postings: readonly StepPosting[]): Move[] => {
  const currencies = [...new Set(postings.map(({ currency }) => currency))];
  return currencies.flatMap((code) =>
    arrowsOf(postings.filter(({ currency }) => currency === code)),
  );
};

/** Sums of a story: of each account by currency, and of each currency over all. */
export const sumsOf = (postings: readonly StepPosting[]) => {
  const accounts = new Map<string, Map<string, number>>();
  const totals = new Map<string, number>();
  for (const { account, currency, amount } of postings) {
    const own = accounts.get(account) ?? new Map<string, number>();
    own.set(currency, (own.get(currency) ?? 0) + amount);
    accounts.set(account, own);
    totals.set(currency, (totals.get(currency) ?? 0) + amount);
  }
  return { accounts, totals };
};
