import type { CurrencyCode } from "../../../src/contract/money/currencies.ts";

interface PublishedRate {
  /** Major units for one US dollar, as `units / per` (spec/exchange-rates.md#rate-table). */
  units: bigint;
  per: bigint;
  /** Decimals of the currency (spec/currencies.md#currency-codes). */
  decimals: number;
}

const rate = (units: bigint, per: bigint, decimals: number): PublishedRate => ({
  units,
  per,
  decimals,
});

/**
 * Copied from the specification and not from the code: the referee of the rate and currency tables.
 */
export const PUBLISHED_RATES: Record<CurrencyCode, PublishedRate> = {
  USD: rate(1n, 1n, 2),
  EUR: rate(92n, 100n, 2),
  MXN: rate(1725n, 100n, 2),
  BRL: rate(515n, 100n, 2),
  INR: rate(825n, 10n, 2),
  BTC: rate(1n, 120_000n, 8),
  USDC: rate(1n, 1n, 6),
  USDT: rate(1n, 1n, 6),
  USDB: rate(1n, 1n, 6),
  GBP: rate(79n, 100n, 2),
  CAD: rate(136n, 100n, 2),
  DKK: rate(686n, 100n, 2),
  AED: rate(36_725n, 10_000n, 2),
  HKD: rate(78n, 10n, 2),
  SGD: rate(135n, 100n, 2),
  IDR: rate(15_600n, 1n, 2),
  MYR: rate(47n, 10n, 2),
  PHP: rate(56n, 1n, 2),
  THB: rate(36n, 1n, 2),
  VND: rate(24_500n, 1n, 0),
  NGN: rate(1_500n, 1n, 2),
  KES: rate(129n, 1n, 2),
  ZAR: rate(185n, 10n, 2),
  TZS: rate(2_600n, 1n, 2),
  UGX: rate(3_700n, 1n, 0),
  RWF: rate(1_300n, 1n, 0),
  ZMW: rate(26n, 1n, 2),
  MWK: rate(1_735n, 1n, 2),
  BWP: rate(136n, 10n, 2),
  XOF: rate(605n, 1n, 0),
  XAF: rate(605n, 1n, 0),
  BDT: rate(110n, 1n, 2),
  PKR: rate(278n, 1n, 2),
  COP: rate(4_000n, 1n, 2),
  ARS: rate(900n, 1n, 2),
  EGP: rate(48n, 1n, 2),
  GHS: rate(15n, 1n, 2),
  GTQ: rate(775n, 100n, 2),
  HTG: rate(132n, 1n, 2),
  JMD: rate(156n, 1n, 2),
  CNY: rate(72n, 10n, 2),
};

export const PUBLISHED_CODES = Object.keys(PUBLISHED_RATES) as CurrencyCode[];
