import type { OutcomeStep } from "../../../src/domain/outcomes/outcomes.ts";
import { PAYMENT_ROWS } from "../../domain/outcomes/setup/payment-rows.ts";

/** State of a payment at one instant of 2026-01-05. */
export interface Moment {
  at: string;
  payment: string;
  refund?: string;
  /** Absent for a payment without a quote. */
  quote?: string;
  /** Balance of the internal account that pays or is paid. */
  balance: number;
  /** The ledger's own accounts that are not zero, where a case states them. */
  ledger?: Record<string, number>;
}

/** One webhook about the payment: instant, event, and its status. */
export type Told = readonly [at: string, event: string, status: string, refund?: string];

export interface OutcomeCase {
  /** The row: an ending, or another value that chooses it. */
  suffix: string;
  says: string;
  moments: Moment[];
  events: Told[];
  balances: (readonly [at: string, amount: number])[];
  /** Fields of the payment at its end, besides its status. */
  ends: { failureReason?: string; settledAt?: string };
  refund?: { status: string; reason: string; initiatedAt: string; settledAt?: string };
  /** The ledger's own accounts that are not zero at the end. */
  ledger: Record<string, number>;
}

/** Quoted at 09:00:00, executed at 09:00:10: 25000 cents of which 86 are fees. */
export const BEGINS: readonly Told[] = [
  ["09:00:00.000", "PENDING", "PENDING"],
  ["09:00:10.000", "PROCESSING", "PROCESSING"],
];
const EXECUTED_MS = Date.UTC(2026, 0, 5, 9, 0, 10);
/** A quote that is PROCESSING does not expire at this instant. */
const EXPIRY_MS = Date.UTC(2026, 0, 5, 9, 5);

const PAID = 25_000;
const DELIVERED = {
  "Ledger:fees USD": 86,
  "Ledger:exchange USD": 24_914,
  "Ledger:exchange MXN": -429_766,
  "Ledger:payouts MXN": 429_766,
};

const timeOf = (atMs: number) => new Date(atMs).toISOString().slice(11, -1);

/** One payment on its way: each step of its row does what the specification says of it. */
class ExpectedPayment {
  state: Omit<Moment, "at"> = { payment: "PROCESSING", quote: "PROCESSING", balance: 975_000 };
  readonly events: Told[] = [...BEGINS];
  readonly balances: OutcomeCase["balances"] = [["09:00:10.000", 975_000]];
  ends: OutcomeCase["ends"] = {};
  refund: OutcomeCase["refund"];
  private hasArrived = false;

  take({ timer, failureReason, refundReason }: OutcomeStep, atMs: number) {
    const at = new Date(atMs).toISOString();
    switch (timer) {
      case "payment.settle":
        this.hasArrived = true;
        this.ends.settledAt = at;
        return this.move("COMPLETED", atMs);
      case "payment.fail":
      // spec/transactions.md#bank-returns
      case "payment.return":
        this.hasArrived = false;
        if (failureReason) this.ends.failureReason = failureReason;
        return this.move("FAILED", atMs);
      // spec/transactions.md#user-cancellation: the payment may still be on its way.
      case "refund.start":
        this.refund = { status: "PENDING", reason: `${refundReason}`, initiatedAt: at };
        return this.moveRefund("PENDING", atMs);
      case "refund.settle":
        this.refund = { ...(this.refund as Required<OutcomeCase>["refund"]), settledAt: at };
        this.state = { ...this.state, balance: 1_000_000 };
        this.balances.push([timeOf(atMs), 1_000_000]);
        return this.moveRefund("COMPLETED", atMs);
      case "refund.fail":
        return this.moveRefund("FAILED", atMs);
      default:
        throw new Error(`Expected a step with an effect here but found ${timer}: add its case`);
    }
  }

  private move(status: string, atMs: number) {
    this.state = { ...this.state, payment: status, quote: status };
    this.tell(status, atMs);
  }

  private moveRefund(status: string, atMs: number) {
    if (this.refund) this.refund.status = status;
    this.state = { ...this.state, refund: status };
    this.tell(`REFUND_${status}`, atMs);
  }

  private tell(event: string, atMs: number) {
    const { payment, refund } = this.state;
    const told = [timeOf(atMs), event, payment] as const;
    this.events.push(refund ? [...told, refund] : told);
  }

  /** The ledger's own accounts at the end, where `funding` is what came from outside and stays. */
  ledger(funding: { paid: number; refunded: number }): Record<string, number> {
    const isRefunded = this.refund?.status === "COMPLETED";
    const came = isRefunded ? funding.refunded : funding.paid;
    return {
      ...(came !== 0 && { "Ledger:funding USD": came }),
      ...(this.hasArrived && DELIVERED),
      ...(this.hasArrived && isRefunded && { "Ledger:losses USD": -PAID }),
      ...(!this.hasArrived && !isRefunded && { "Ledger:unrefunded USD": PAID }),
    };
  }
}

/** Instants before a step that a row's wait reaches: the quote's expiry, the last millisecond. */
const instantsBefore = (fromMs: number, toMs: number) =>
  [EXPIRY_MS, toMs - 1].filter((atMs) => fromMs < atMs && atMs < toMs);

const caseOf = ({ suffix, means, steps }: (typeof PAYMENT_ROWS)[number]) => {
  const payment = new ExpectedPayment();
  const moments = new Map<number, Omit<Moment, "at">>();
  let atMs = EXECUTED_MS;
  moments.set(atMs, payment.state);
  for (const step of steps) {
    for (const before of instantsBefore(atMs, atMs + step.afterMs))
      moments.set(before, payment.state);
    atMs += step.afterMs;
    payment.take(step, atMs);
    moments.set(atMs, payment.state);
  }
  const { events, balances, ends, refund: refunded } = payment;
  const row: OutcomeCase = {
    suffix: suffix === "otherwise" ? "999" : suffix,
    says: means,
    moments: [...moments].map(([at, state]) => ({ at: timeOf(at), ...state })),
    events,
    balances,
    ends,
    ...(refunded && { refund: refunded }),
    ledger: payment.ledger({ paid: -1_000_000, refunded: -1_000_000 }),
  };
  return { row, outside: payment.ledger({ paid: -PAID, refunded: 0 }) };
};

const CASES = PAYMENT_ROWS.map(caseOf);

/**
 * The rows of quoted payments (spec/quotes.md#quoted-payments). The payer's account holds 1000000
 * before.
 */
export const OUTCOME_CASES = CASES.map(({ row }) => row);

/**
 * The same rows for money from outside. The payer's internal account is empty and stays empty
 * (spec/transactions.md#refund-amount).
 */
export const FROM_OUTSIDE_CASES: OutcomeCase[] = CASES.map(({ row, outside }) => ({
  ...row,
  moments: row.moments.map((moment) => ({ ...moment, balance: 0 })),
  balances: [],
  ledger: outside,
}));

/** Final status of each row's payment, and of its refund. */
export const ENDS_BY_SUFFIX = Object.fromEntries(
  OUTCOME_CASES.map(({ suffix, moments, refund }) => [
    suffix,
    `${moments.at(-1)?.payment} ${refund?.status ?? "NONE"}`,
  ]),
);
