import { CURRENCIES, type CurrencyCode, isCurrencyOf } from "../../contract/money/currencies.ts";
import { isRateText } from "../../contract/money/rate-text.ts";
import { all, type Rule, type View } from "../core/draft.ts";
import {
  over,
  parseRational,
  powerOfTen,
  type Rational,
  rational,
  times,
} from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn, revisionOf } from "../core/revision.ts";

/** Major units of each currency for one US dollar (spec/exchange-rates.md#rate-table). */
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
  CNY: "7.2",
} as const satisfies Record<CurrencyCode, string>;

export type UnitsPerUsd = Readonly<Record<CurrencyCode, string>>;

/** By the record that set some: the same rates are the same object. */
const withTable = new WeakMap<object, UnitsPerUsd>();

/** The rates of a world: those of the table, and those that the operator has set. */
export const unitsPerUsd = (view: View): UnitsPerUsd => {
  const [set] = all(view, "Rates");
  if (!set) return UNITS_PER_USD;
  const rates = withTable.get(set) ?? { ...UNITS_PER_USD, ...set.perUsd };
  withTable.set(set, rates);
  return rates;
};

/** The same of the currencies that the revision of the world has. */
export const shownRates = (view: View): Partial<UnitsPerUsd> => {
  const revision = revisionOf(view);
  return Object.fromEntries(
    Object.entries(unitsPerUsd(view)).filter(([code]) => isCurrencyOf(revision, code)),
  );
};

/**
 * Currencies whose major units are worth the same, whatever rates are set
 * (spec/exchange-rates.md#dollar-and-usdb).
 */
const OF_ONE_VALUE: readonly CurrencyCode[] = ["USD", "USDB"];

/** Whether two different currencies have the same value. */
export const isOneValue = (a: CurrencyCode, b: CurrencyCode) =>
  a !== b && OF_ONE_VALUE.includes(a) && OF_ONE_VALUE.includes(b);

/**
 * Receiving major units per sending major unit, through the dollar
 * (spec/exchange-rates.md#cross-rates).
 */
export const crossRate = (
  { sending, receiving }: { sending: CurrencyCode; receiving: CurrencyCode },
  rates: UnitsPerUsd = UNITS_PER_USD,
): Rational => over(parseRational(rates[receiving]), parseRational(rates[sending]));

/**
 * An amount in the smallest unit of another currency, as an exact fraction
 * (spec/exchange-rates.md#exact-arithmetic).
 */
export const converted = (
  amountMinor: bigint,
  { from, to }: { from: CurrencyCode; to: CurrencyCode },
  rates: UnitsPerUsd,
): Rational => {
  const shift = powerOfTen(CURRENCIES[to].decimals - CURRENCIES[from].decimals);
  const rate = crossRate({ sending: from, receiving: to }, rates);
  return times(times(rational(amountMinor), shift), rate);
};

const RATES_ID = "Rates";

/**
 * PUT /_sim/rates: sets the named rates; `null` restores a rate of the table
 * (spec/exchange-rates.md#operator-rates). Existing quotes keep their amounts.
 */
export const setRates: Rule<{ perUsd: Record<string, string | null> }, Partial<UnitsPerUsd>> = (
  draft,
  { perUsd },
) => {
  const set = { ...draft.get("Rates", RATES_ID)?.perUsd };
  for (const [code, rate] of Object.entries(perUsd)) {
    if (!isCurrencyIn(draft, code))
      return refuse(
        "INVALID_INPUT",
        { field: `perUsd.${code}`, value: code },
        `${code} is not a currency of the service`,
      );
    if (rate === null) delete set[code];
    else if (isRateText(rate)) set[code] = rate;
    else
      return refuse(
        "INVALID_INPUT",
        { field: `perUsd.${code}`, value: rate },
        `Expected a positive decimal like 0.93 for ${code} but found "${rate}"`,
      );
  }
  draft.put("Rates", { id: RATES_ID, perUsd: set });
  return shownRates(draft);
};
