import { ARRIVES_LATE, type OutcomeCase, REFUNDED_AT_ONCE, type Told } from "./outcome-cases.ts";

/** A sandbox person, and the fate of a payment to it. */
export interface UmaOutcomeCase extends Omit<OutcomeCase, "suffix"> {
  name: string;
  /** The quote's currency, received amount and fees. */
  receives: { code: string; amount: number; fees: number };
}

/** Quoted at 09:00:00, its money taken at 09:00:10. */
const BEGINS: Told[] = [
  ["09:00:00.000", "PENDING", "PENDING"],
  ["09:00:10.000", "PROCESSING", "PROCESSING"],
];

const ARRIVES_AT_ONCE = {
  moments: [
    { at: "09:00:10.000", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 },
    { at: "09:05:00.000", payment: "COMPLETED", quote: "COMPLETED", balance: 975_000 },
  ],
  events: [...BEGINS, ["09:00:10.000", "COMPLETED", "COMPLETED"] as const],
  balances: [["09:00:10.000", 975_000] as const],
  ends: { settledAt: "2026-01-05T09:00:10.000Z" },
};

/** Rows of UMA receivers, for 25000 cents each (spec/uma-payments.md#uma-receivers). */
export const UMA_OUTCOME_CASES: UmaOutcomeCase[] = [
  {
    name: "$success.usd",
    says: "arrives at once in dollars",
    // 25000 - (10 + 75 + 10)
    receives: { code: "USD", amount: 24_905, fees: 95 },
    ...ARRIVES_AT_ONCE,
    // The sending currency needs no conversion.
    ledger: { "Ledger:fees USD": 95, "Ledger:payouts USD": 24_905 },
  },
  {
    name: "$success.eur",
    says: "arrives at once in euros",
    // 25000 - (10 + 75 + 11), at 0.92
    receives: { code: "EUR", amount: 22_911, fees: 96 },
    ...ARRIVES_AT_ONCE,
    ledger: {
      "Ledger:fees USD": 96,
      "Ledger:exchange USD": 24_904,
      "Ledger:exchange EUR": -22_911,
      "Ledger:payouts EUR": 22_911,
    },
  },
  {
    name: "$success.mxn",
    says: "arrives at once in pesos",
    receives: { code: "MXN", amount: 429_766, fees: 86 },
    ...ARRIVES_AT_ONCE,
    ledger: {
      "Ledger:fees USD": 86,
      "Ledger:exchange USD": 24_914,
      "Ledger:exchange MXN": -429_766,
      "Ledger:payouts MXN": 429_766,
    },
  },
  {
    name: "$pending.long.usd",
    says: "arrives after six minutes, also past the quote's expiry",
    receives: { code: "USD", amount: 24_905, fees: 95 },
    ...ARRIVES_LATE,
    ledger: { "Ledger:fees USD": 95, "Ledger:payouts USD": 24_905 },
  },
  {
    name: "$fail.compliance.usd",
    says: "is refused for compliance and refunded a second later",
    receives: { code: "USD", amount: 24_905, fees: 95 },
    ...REFUNDED_AT_ONCE,
    ends: { failureReason: "COUNTERPARTY_POST_TX_FAILED" },
    ledger: {},
  },
];
