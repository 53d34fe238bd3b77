import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { CURRENCIES, type CurrencyCode } from "../../contract/money/currencies.ts";
import type { OutgoingRateDetails } from "../../contract/payments/quotes.ts";
import {
  ceil,
  countable,
  floor,
  minus,
  over,
  parseRational,
  powerOfTen,
  type Rational,
  rational,
  roundHalfUp,
  times,
  toSignificant,
} from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
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
  /** Both accounts are internal: currencies of one value then convert at 1 without fees. */
  isInternal?: boolean;
}

export interface QuotedAmounts {
  totalSendingMinor: number;
  totalReceivingMinor: number;
  feesMinor: number;
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

/** Fees of a quote, and the smallest units received for one smallest unit sent. */
interface Pricing {
  fees: Fees;
  perMinor: Rational;
}

const fixedFees = ({ fees, perMinor }: Pricing) =>
  fees.serviceFixedMinor + ceil(over(rational(fees.counterpartyFixedMinor), perMinor));

const keptAfterVariable = ({ serviceVariableRate }: Fees) =>
  minus(rational(1n), parseRational(serviceVariableRate));

/**
 * Totals for a locked sending side: fees come off, the rest is converted
 * (spec/exchange-rates.md#locked-sending-side).
 */
const fromSending = (sendingMinor: bigint, pricing: Pricing) => {
  const { fees, perMinor } = pricing;
  const rate = parseRational(fees.serviceVariableRate);
  const variableFee = roundHalfUp(times(rational(sendingMinor), rate));
  const feesMinor = fixedFees(pricing) + variableFee;
  const converted = sendingMinor - feesMinor;
  return {
    sendingMinor,
    feesMinor,
    variableFee,
    receivingMinor: floor(times(rational(converted), perMinor)),
  };
};

/**
 * Totals for a locked receiving side: the amount to send that covers it
 * (spec/exchange-rates.md#locked-receiving-side).
 */
const fromReceiving = (receivingMinor: bigint, pricing: Pricing) => {
  const base = ceil(over(rational(receivingMinor), pricing.perMinor));
  const fixed = fixedFees(pricing);
  const sendingMinor = ceil(over(rational(base + fixed), keptAfterVariable(pricing.fees)));
  return {
    sendingMinor,
    feesMinor: sendingMinor - base,
    variableFee: sendingMinor - base - fixed,
    receivingMinor,
  };
};

/**
 * The published form of a rate: sending major units per receiving major unit
 * (spec/exchange-rates.md#published-rate).
 */
export const publishedRate = (perMajor: Rational) =>
  toSignificant(over(rational(1n), perMajor), RATE_DIGITS);

/** The rates and fees of a quote; between accounts of one value neither applies. */
const termsOf = ({ sending, receiving, rates = UNITS_PER_USD, isInternal }: QuoteTerms) =>
  isInternal && isOneValue(sending, receiving)
    ? { fees: NO_FEES, rates: { ...rates, [receiving]: rates[sending] } }
    : { fees: QUOTE_FEES as Fees, rates };

const reckoned = (terms: QuoteTerms) => {
  const { sending, receiving, lockedSide } = terms;
  const { fees, rates } = termsOf(terms);
  const perMajor = crossRate({ sending, receiving }, rates);
  const shift = CURRENCIES[receiving].decimals - CURRENCIES[sending].decimals;
  const pricing = { fees, perMinor: times(perMajor, powerOfTen(shift)) };
  const locked = countable(terms.lockedMinor);
  const amounts =
    lockedSide === "SENDING" ? fromSending(locked, pricing) : fromReceiving(locked, pricing);
  return { ...amounts, rates, usedFees: fees, perMajor };
};

/** The sending amount of a quote, exact even above 2^53. */
export const exactSendingMinor = (terms: QuoteTerms): bigint => reckoned(terms).sendingMinor;

/**
 * The amounts of a quote: locked side, fees, other side and published rate
 * (spec/quotes.md#locked-side). {@link requireInRange} checks the bounds later, since other
 * refusals come first.
 */
export const quoteAmounts = (terms: QuoteTerms): QuotedAmounts => {
  const { sending, receiving } = terms;
  const { rates, usedFees, perMajor, variableFee, ...amounts } = reckoned(terms);
  const milliSatoshi = {
    sending: milliSatoshiPerMinor(sending, rates),
    receiving: milliSatoshiPerMinor(receiving, rates),
  };
  return {
    totalSendingMinor: Number(amounts.sendingMinor),
    totalReceivingMinor: Number(amounts.receivingMinor),
    feesMinor: Number(amounts.feesMinor),
    exchangeRate: publishedRate(perMajor),
    rateDetails: rateDetails(milliSatoshi, usedFees, variableFee),
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

/**
 * Rate details of a quote (spec/exchange-rates.md#rate-details).
 * @param milliSatoshi in one smallest unit of either currency
 */
const rateDetails = (
  milliSatoshi: { sending: Rational; receiving: Rational },
  fees: Fees,
  variableFee: bigint,
): OutgoingRateDetails => ({
  counterpartyMultiplier: toSignificant(over(rational(1n), milliSatoshi.receiving), RATE_DIGITS),
  counterpartyFixedFee: Number(fees.counterpartyFixedMinor),
  serviceApiMultiplier: toSignificant(
    times(milliSatoshi.sending, keptAfterVariable(fees)),
    RATE_DIGITS,
  ),
  serviceApiFixedFee: Number(fees.serviceFixedMinor),
  serviceApiVariableFeeRate: Number(fees.serviceVariableRate),
  serviceApiVariableFeeAmount: Number(variableFee),
});
