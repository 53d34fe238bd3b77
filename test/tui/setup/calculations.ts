import type { Calculation } from "../../../src/contract/control/calculation.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const eur = (amount: number) => ({ amount, currency: "EUR" });

/** The steps behind a payout of 250.00 USD that was asked for by what is sent. */
export const SENT: Calculation = {
  lockedSide: "SENDING",
  sends: usd(25_000),
  receives: eur(22_911),
  fees: [
    { part: "fixed", amount: usd(10) },
    { part: "variable", amount: usd(75), of: usd(25_000), share: "0.003" },
    {
      part: "counterparty",
      amount: usd(11),
      of: eur(10),
      rounding: { exact: "250/23", how: "up" },
    },
  ],
  conversion: {
    from: usd(24_904),
    to: eur(22_911),
    rate: "0.92",
    computed: "to",
    rounding: { exact: "22911.68", how: "down" },
  },
};

/** The steps behind a payout of 500.00 EUR that was asked for by what is received. */
export const RECEIVED: Calculation = {
  lockedSide: "RECEIVING",
  sends: usd(54_533),
  receives: eur(50_000),
  fees: [
    {
      part: "variable",
      amount: usd(164),
      of: usd(54_533),
      share: "0.003",
      rounding: { exact: "163.599", how: "up" },
    },
  ],
  conversion: {
    from: usd(54_348),
    to: eur(50_000),
    rate: "0.92",
    computed: "from",
    rounding: { exact: "1250000/23", how: "up" },
  },
};
