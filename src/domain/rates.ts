import type { CurrencyCode } from "../contract/currencies.ts";
import { over, parseRational, type Rational } from "./rational.ts";

/** Major units of each currency for one US dollar (payments digest, section 21). */
export const UNITS_PER_USD = {
  USD: "1",
  EUR: "0.92",
  MXN: "17.25",
  BRL: "5.15",
  INR: "82.5",
  BTC: "1/120000",
  USDC: "1",
  USDT: "1",
  USDB: "1",
  GBP: "0.79",
  CAD: "1.36",
  DKK: "6.86",
  AED: "3.6725",
  HKD: "7.8",
  SGD: "1.35",
  IDR: "15600",
  MYR: "4.7",
  PHP: "56",
  THB: "36",
  VND: "24500",
  NGN: "1500",
  KES: "129",
  ZAR: "18.5",
  TZS: "2600",
  UGX: "3700",
  RWF: "1300",
  ZMW: "26",
  MWK: "1735",
  BWP: "13.6",
  XOF: "605",
  XAF: "605",
  BDT: "110",
  PKR: "278",
  COP: "4000",
  ARS: "900",
  EGP: "48",
  GHS: "15",
  GTQ: "7.75",
  HTG: "132",
  JMD: "156",
} as const satisfies Record<CurrencyCode, string>;

/** Receiving major units per sending major unit; cross rates go through the dollar (O-10). */
export const crossRate = (sending: CurrencyCode, receiving: CurrencyCode): Rational =>
  over(parseRational(UNITS_PER_USD[receiving]), parseRational(UNITS_PER_USD[sending]));
