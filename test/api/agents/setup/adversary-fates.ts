/** An account as the referee knows it. */
export interface Account {
  id: string;
  name: string;
  /** Position among the customers of the run. */
  customer: number;
  currency: string;
  isInside: boolean;
  /** Ending of an external account. */
  suffix?: string;
  /** True if money can be pulled from it. */
  isPullable: boolean;
}

/** The payment that an executed action makes. */
export interface Job {
  type: "TRANSFER_IN" | "TRANSFER_OUT" | "EXECUTE_QUOTE";
  from: Account;
  to: Account;
  sentMinor: bigint;
  receivedMinor: bigint;
  quoteId?: string;
}

/** The outcome of a payment; times count from its execution. */
export interface Fate {
  /** True if it has failed when the call ends, so that it does not count. */
  isRefused?: true;
  failsAfterMs?: number;
  refundAfterMs?: number;
}

const REFUSED: Fate = { isRefused: true };

/**
 * Outcomes of the endings that a run uses (spec/transfers.md#transfer-out-outcomes,
 * spec/transfers.md#transfer-in-outcomes, spec/quotes.md#quoted-payments).
 */
const FATES: Record<string, Record<string, Fate>> = {
  TRANSFER_IN: { "002": REFUSED, "005": { failsAfterMs: 30_000 } },
  TRANSFER_OUT: {
    "002": { ...REFUSED, refundAfterMs: 1000 },
    "005": { failsAfterMs: 30_000, refundAfterMs: 31_000 },
  },
  pull: { "002": { failsAfterMs: 0 }, "005": { failsAfterMs: 30_000 } },
  payout: { "002": { failsAfterMs: 0, refundAfterMs: 1000 } },
};

export const fateOf = ({ type, from, to }: Job): Fate => {
  const of = (table: string, { suffix = "" }: Account) => FATES[table]?.[suffix];
  if (type === "TRANSFER_IN") return of(type, from) ?? {};
  if (type === "TRANSFER_OUT") return of(type, to) ?? {};
  return of("pull", from) ?? of("payout", to) ?? {};
};

/**
 * The customer's internal accounts that it touches; the rule of the first one applies
 * (spec/agent-policy.md#touched-accounts).
 */
export const touchedBy = ({ from, to }: Job): string[] =>
  [from, to].filter(({ isInside }) => isInside).map(({ id }) => id);
