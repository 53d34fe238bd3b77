/** An account as the referee knows it. */
export interface Account {
  id: string;
  name: string;
  /** Its place among the customers of the run. */
  customer: number;
  currency: string;
  isInside: boolean;
  /** Ending of an outside account. */
  suffix?: string;
  /** Money can be pulled from it. */
  isPullable: boolean;
}

/** What is done when an action is executed. */
export interface Job {
  type: "TRANSFER_IN" | "TRANSFER_OUT" | "EXECUTE_QUOTE";
  from: Account;
  to: Account;
  sentMinor: bigint;
  receivedMinor: bigint;
  quoteId?: string;
}

/** What becomes of it; times count from its execution. */
export interface Fate {
  /** It has failed already when the call ends, and does not count. */
  isRefused?: true;
  failsAfterMs?: number;
  refundAfterMs?: number;
}

const REFUSED: Fate = { isRefused: true };

/** What the endings that a run uses stand for (payments digest 14.3, 14.4, O-65). */
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

/** The customer's internal accounts that it touches; the rule of the first one applies (O-41). */
export const touchedBy = ({ from, to }: Job): string[] =>
  [from, to].filter(({ isInside }) => isInside).map(({ id }) => id);
