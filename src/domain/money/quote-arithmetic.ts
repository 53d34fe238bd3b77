import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { CURRENCIES, type CurrencyCode } from "../../contract/money/currencies.ts";
import type { OutgoingRateDetails } from "../../contract/payments/quotes.ts";
import {
  countable,
  minus,
  over,
  parseRational,
  powerOfTen,
  type Rational,
  type Rounded,
  rational,
  rounded,
  times,
  toSignificant,
} from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { type FeeTerms, feesOn, feeTermsOf, type PlatformFeeTerms } from "./fee-arithmetic.ts";
import { crossRate, isOneValue, UNITS_PER_USD, type UnitsPerUsd } from "./rates.ts";

/**
 * Fees of quoted payments (spec/exchange-rates.md#quote-fees) and of incoming UMA payments
 * (spec/uma-payments.md#incoming-fees).
 */
export const QUOTE_FEES = {
  /** Fixed service fee, in the sending currency's smallest unit. */
  serviceFixedMinor: 10n,
  /** Variable service fee, as a fraction of the sending amount. */
  serviceVariableRate: "0.003",
  /** Fixed counterparty fee, in the receiving currency's smallest unit. */
  counterpartyFixedMinor: 10n,
} as const;

type Fees = Record<"serviceFixedMinor" | "counterpartyFixedMinor", bigint> & {
  serviceVariableRate: string;
};

/**
 * Fees between two internal accounts in currencies of one value
 * (spec/exchange-rates.md#dollar-and-usdb).
 */
const NO_FEES: Fees = {
  serviceFixedMinor: 0n,
  serviceVariableRate: "0",
  counterpartyFixedMinor: 0n,
};

/**
 * Significant digits of published rates and multipliers (spec/exchange-rates.md#published-rate).
 */
export const RATE_DIGITS = 10;
export const VARIABLE_RATE = parseRational(QUOTE_FEES.serviceVariableRate);
export const KEPT_AFTER_VARIABLE = minus(rational(1n), VARIABLE_RATE);
const MILLI_SATOSHI_PER_BTC = rational(100_000_000_000n);

export interface QuoteTerms {
  sending: CurrencyCode;
  receiving: CurrencyCode;
  lockedSide: "SENDING" | "RECEIVING";
  lockedMinor: number;
  /** The world's rates; by default those of the table. */
  rates?: UnitsPerUsd;
  /** The platform's own fee. */
  platformFee?: PlatformFeeTerms;
  /** Both accounts are internal: currencies of one value then convert at 1 without fees. */
  isInternal?: boolean;
}

export interface QuotedAmounts {
  totalSendingMinor: number;
  totalReceivingMinor: number;
  feesMinor: number;
  /** The part of the fees that is the platform's. */
  platformFeesMinor: number;
  exchangeRate: number;
  rateDetails: OutgoingRateDetails;
}

/**
 * Milli-satoshis in one smallest unit of a currency: M(x) of the specification
 * (spec/exchange-rates.md#rate-details).
 */
export const milliSatoshiPerMinor = (code: CurrencyCode, rates: UnitsPerUsd): Rational => {
  const perUsd = times(MILLI_SATOSHI_PER_BTC, parseRational(rates.BTC));
  const perMajor = over(perUsd, parseRational(rates[code]));
  return over(perMajor, powerOfTen(CURRENCIES[code].decimals));
};

/** The rounded totals of a quote, before they are published. */
export interface Reckoned {
  sendingMinor: bigint;
  receivingMinor: bigint;
  feesMinor: bigint;
  platformMinor: bigint;
  variable: Rounded;
  converted: Rounded;
  pricing: Pricing;
}

/** All that a pair's rates and fees decide, whatever the amount. */
export interface Pricing {
  fees: Fees;
  /** Smallest units received for one smallest unit sent. */
  perMinor: Rational;
  variableRate: Rational;
  keptAfterVariable: Rational;
  /** Receiving major units for one sending major unit. */
  perMajor: Rational;
  /** The fixed counterparty fee, in the sending currency's smallest unit. */
  counterparty: Rounded;
  /** Both fixed fees, in the sending currency's smallest unit. */
  fixedMinor: bigint;
  exchangeRate: number;
  counterpartyMultiplier: number;
  serviceApiMultiplier: number;
}

/**
 * Totals for a locked sending side: fees come off, the rest is converted
 * (spec/exchange-rates.md#locked-sending-side).
 */
const fromSending = (sendingMinor: bigint, pricing: Pricing, platform?: FeeTerms): Reckoned => {
  const { variableRate, fixedMinor, perMinor, fees } = pricing;
  const service = { fixedMinor: fees.serviceFixedMinor, rate: variableRate };
  const own = platform && feesOn(sendingMinor, { platform, service });
  const base = platform ? sendingMinor - platform.fixedMinor - service.fixedMinor : sendingMinor;
  const variable = rounded(times(rational(base > 0n ? base : 0n), variableRate), "half up");
  const platformMinor = own?.platformMinor ?? 0n;
  const feesMinor = fixedMinor + variable.whole + platformMinor;
  const converted = rounded(times(rational(sendingMinor - feesMinor), perMinor), "down");
  const receivingMinor = converted.whole;
  return { sendingMinor, feesMinor, platformMinor, variable, receivingMinor, converted, pricing };
};

/**
 * Totals for a locked receiving side with a fee of the platform: the smallest amount to send that
 * covers it. Both fees are rounded on their own, so it is sought upwards from a lower bound.
 */
const fromReceivingWithFee = (
  receivingMinor: bigint,
  pricing: Pricing,
  platform: FeeTerms,
): Reckoned => {
  const converted = rounded(over(rational(receivingMinor), pricing.perMinor), "up");
  const left = minus(pricing.keptAfterVariable, platform.rate);
  const fixed = platform.fixedMinor + pricing.fees.serviceFixedMinor;
  const net = converted.whole + pricing.counterparty.whole;
  // Where fees take all of each further unit, no amount is enough: it is refused as out of range.
  if (left.n <= 0n) return fromSending(fixed, pricing, platform);
  let sendingMinor = fixed + rounded(over(rational(net), left), "down").whole;
  const slack = rounded(over(rational(1n), left), "up").whole;
  sendingMinor = sendingMinor > fixed + slack ? sendingMinor - slack : fixed;
  let reached = fromSending(sendingMinor, pricing, platform);
  while (reached.sendingMinor - reached.feesMinor < converted.whole) {
    sendingMinor += 1n;
    reached = fromSending(sendingMinor, pricing, platform);
  }
  const feesMinor = sendingMinor - converted.whole;
  const whole = feesMinor - pricing.fixedMinor - reached.platformMinor;
  const variable: Rounded = { ...reached.variable, whole, how: "up" };
  return { ...reached, feesMinor, variable, receivingMinor, converted };
};

/**
 * Totals for a locked receiving side: the amount to send that covers it
 * (spec/exchange-rates.md#locked-receiving-side).
 */
const fromReceiving = (receivingMinor: bigint, pricing: Pricing): Reckoned => {
  const { perMinor, fixedMinor, variableRate, keptAfterVariable } = pricing;
  const converted = rounded(over(rational(receivingMinor), perMinor), "up");
  const base = converted.whole;
  const sendingMinor = rounded(over(rational(base + fixedMinor), keptAfterVariable), "up").whole;
  const variable: Rounded = {
    exact: times(rational(sendingMinor), variableRate),
    whole: sendingMinor - base - fixedMinor,
    how: "up",
  };
  return {
    sendingMinor,
    feesMinor: sendingMinor - base,
    platformMinor: 0n,
    variable,
    receivingMinor,
    converted,
    pricing,
  };
};

/**
 * The published form of a rate: sending major units per receiving major unit
 * (spec/exchange-rates.md#published-rate).
 */
export const publishedRate = (perMajor: Rational) =>
  toSignificant(over(rational(1n), perMajor), RATE_DIGITS);

/** Whether a quote is between accounts of one value: neither rates nor fees apply then. */
const isPlain = ({ sending, receiving, isInternal = false }: QuoteTerms) =>
  isInternal && isOneValue(sending, receiving);

const priced = (terms: QuoteTerms, given: UnitsPerUsd): Pricing => {
  const { sending, receiving } = terms;
  const fees: Fees = isPlain(terms) ? NO_FEES : QUOTE_FEES;
  const rates = isPlain(terms) ? { ...given, [receiving]: given[sending] } : given;
  const perMajor = crossRate({ sending, receiving }, rates);
  const shift = CURRENCIES[receiving].decimals - CURRENCIES[sending].decimals;
  const perMinor = times(perMajor, powerOfTen(shift));
  const variableRate = parseRational(fees.serviceVariableRate);
  const keptAfterVariable = minus(rational(1n), variableRate);
  const counterparty = rounded(over(rational(fees.counterpartyFixedMinor), perMinor), "up");
  const received = milliSatoshiPerMinor(receiving, rates);
  const kept = times(milliSatoshiPerMinor(sending, rates), keptAfterVariable);
  return {
    fees,
    perMinor,
    variableRate,
    keptAfterVariable,
    perMajor,
    counterparty,
    fixedMinor: fees.serviceFixedMinor + counterparty.whole,
    exchangeRate: publishedRate(perMajor),
    counterpartyMultiplier: toSignificant(over(rational(1n), received), RATE_DIGITS),
    serviceApiMultiplier: toSignificant(kept, RATE_DIGITS),
  };
};

/** By the rates, which are replaced when they change. */
const pricings = new WeakMap<UnitsPerUsd, Map<string, Pricing>>();

const pricingOf = (terms: QuoteTerms): Pricing => {
  const { sending, receiving, rates = UNITS_PER_USD } = terms;
  const pair = `${sending} ${receiving}${isPlain(terms) ? " plain" : ""}`;
  let pairs = pricings.get(rates);
  if (!pairs) {
    pairs = new Map();
    pricings.set(rates, pairs);
  }
  const known = pairs.get(pair);
  if (known) return known;
  const pricing = priced(terms, rates);
  pairs.set(pair, pricing);
  return pricing;
};

/** The amounts of a quote before they are published, each rounded one with its exact value. */
export const reckoned = (terms: QuoteTerms): Reckoned => {
  const pricing = pricingOf(terms);
  const locked = countable(terms.lockedMinor);
  const platform = terms.platformFee && feeTermsOf(terms.platformFee);
  if (terms.lockedSide === "SENDING") return fromSending(locked, pricing, platform);
  return platform
    ? fromReceivingWithFee(locked, pricing, platform)
    : fromReceiving(locked, pricing);
};

/** The sending amount of a quote, exact even above 2^53. */
export const exactSendingMinor = (terms: QuoteTerms): bigint => reckoned(terms).sendingMinor;

/**
 * The amounts of a quote: locked side, fees, other side and published rate
 * (spec/quotes.md#locked-side). {@link requireInRange} checks the bounds later, since other
 * refusals come first.
 */
export const quoteAmounts = (terms: QuoteTerms): QuotedAmounts => {
  const { sendingMinor, receivingMinor, feesMinor, platformMinor, variable, pricing } =
    reckoned(terms);
  return {
    totalSendingMinor: Number(sendingMinor),
    totalReceivingMinor: Number(receivingMinor),
    feesMinor: Number(feesMinor),
    platformFeesMinor: Number(platformMinor),
    exchangeRate: pricing.exchangeRate,
    rateDetails: rateDetails(pricing, variable.whole),
  };
};

const leavesNothing = ({ sendingMinor, feesMinor, receivingMinor }: ReturnType<typeof reckoned>) =>
  receivingMinor <= 0n || sendingMinor - feesMinor <= 0n;

/** The smallest sending amount that delivers something; a larger one never delivers less. */
const smallestSendingMinor = (terms: QuoteTerms): number => {
  let [least, most] = [1, MAX_AMOUNT_MINOR];
  while (least < most) {
    const lockedMinor = Math.floor((least + most) / 2);
    if (leavesNothing(reckoned({ ...terms, lockedMinor }))) least = lockedMinor + 1;
    else most = lockedMinor;
  }
  return least;
};

/**
 * Refuses amounts that the fees eat up or that exceed the service's range
 * (spec/exchange-rates.md#amount-bounds).
 */
export const requireInRange = (
  { totalSendingMinor, totalReceivingMinor, feesMinor }: QuotedAmounts,
  terms: QuoteTerms,
) => {
  const { sending, receiving, lockedMinor } = terms;
  if (lockedMinor > MAX_AMOUNT_MINOR) refuseRange("lockedCurrencyAmount", lockedMinor);
  if (totalReceivingMinor <= 0 || totalSendingMinor - feesMinor <= 0) {
    const min = smallestSendingMinor(terms);
    const less = feesMinor === 0 ? "" : ` less the fees of ${feesMinor}`;
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "lockedCurrencyAmount", value: lockedMinor, fees: feesMinor, min },
      `${lockedMinor} of ${sending}${less} is less than the smallest unit of ${receiving}; ` +
        `the minimum is ${min}`,
    );
  }
  if (totalSendingMinor > MAX_AMOUNT_MINOR) refuseRange("totalSendingAmount", totalSendingMinor);
  if (totalReceivingMinor > MAX_AMOUNT_MINOR)
    refuseRange("totalReceivingAmount", totalReceivingMinor);
};

const refuseRange = (field: string, value: number) =>
  refuse("AMOUNT_OUT_OF_RANGE", { field, value, max: MAX_AMOUNT_MINOR });

/** Rate details of a quote (spec/exchange-rates.md#rate-details). */
const rateDetails = (
  { fees, counterpartyMultiplier, serviceApiMultiplier }: Pricing,
  variableFee: bigint,
): OutgoingRateDetails => ({
  counterpartyMultiplier,
  counterpartyFixedFee: Number(fees.counterpartyFixedMinor),
  serviceApiMultiplier,
  serviceApiFixedFee: Number(fees.serviceFixedMinor),
  serviceApiVariableFeeRate: Number(fees.serviceVariableRate),
  serviceApiVariableFeeAmount: Number(variableFee),
});
