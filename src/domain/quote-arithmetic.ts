import { CURRENCIES, type CurrencyCode } from "../contract/currencies.ts";
import type { OutgoingRateDetails } from "../contract/quotes.ts";
import { MAX_AMOUNT_MINOR } from "../contract/scalars.ts";
import { crossRate, UNITS_PER_USD, type UnitsPerUsd } from "./rates.ts";
import {
  ceil,
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
} from "./rational.ts";
import { refuse } from "./refusal.ts";

/** Fees of quoted payments, and of UMA payments that come in (payments O-09 and section 21). */
export const QUOTE_FEES = {
  /** k, in the sending currency's smallest unit */
  serviceFixedMinor: 10n,
  /** v, a fraction of the sending amount */
  serviceVariableRate: "0.003",
  /** c, in the receiving currency's smallest unit */
  counterpartyFixedMinor: 10n,
} as const;

/** Significant digits of published rates and multipliers. */
export const RATE_DIGITS = 10;
export const VARIABLE_RATE = parseRational(QUOTE_FEES.serviceVariableRate);
export const KEPT_AFTER_VARIABLE = minus(rational(1n), VARIABLE_RATE);
const MILLI_SATOSHI_PER_BTC = rational(100_000_000_000n);

export interface QuoteTerms {
  sending: CurrencyCode;
  receiving: CurrencyCode;
  lockedSide: "SENDING" | "RECEIVING";
  lockedMinor: number;
  /** The world's rates; the table's when left out. */
  rates?: UnitsPerUsd;
}

export interface QuotedAmounts {
  totalSendingMinor: number;
  totalReceivingMinor: number;
  feesMinor: number;
  exchangeRate: number;
  rateDetails: OutgoingRateDetails;
}

/** Milli-satoshi in one smallest unit of a currency: M(x) of payments O-09. */
export const milliSatoshiPerMinor = (code: CurrencyCode, rates: UnitsPerUsd): Rational => {
  const perUsd = times(MILLI_SATOSHI_PER_BTC, parseRational(rates.BTC));
  const perMajor = over(perUsd, parseRational(rates[code]));
  return over(perMajor, powerOfTen(CURRENCIES[code].decimals));
};

/** Sending side locked: fees come off it, the rest is converted. */
const fromSending = (sendingMinor: bigint, perMinor: Rational) => {
  const variableFee = roundHalfUp(times(rational(sendingMinor), VARIABLE_RATE));
  const counterpartyFee = ceil(over(rational(QUOTE_FEES.counterpartyFixedMinor), perMinor));
  const fees = QUOTE_FEES.serviceFixedMinor + variableFee + counterpartyFee;
  const converted = sendingMinor - fees;
  return {
    sendingMinor,
    fees,
    variableFee,
    receivingMinor: floor(times(rational(converted), perMinor)),
  };
};

/** Receiving side locked: what must be sent so that it arrives whole. */
const fromReceiving = (receivingMinor: bigint, perMinor: Rational) => {
  const base = ceil(over(rational(receivingMinor), perMinor));
  const counterpartyFee = ceil(over(rational(QUOTE_FEES.counterpartyFixedMinor), perMinor));
  const fixed = QUOTE_FEES.serviceFixedMinor + counterpartyFee;
  const sendingMinor = ceil(over(rational(base + fixed), KEPT_AFTER_VARIABLE));
  return {
    sendingMinor,
    fees: sendingMinor - base,
    variableFee: sendingMinor - base - fixed,
    receivingMinor,
  };
};

/** What is published of a rate: sending major units per receiving major unit (C-06). */
export const publishedRate = (perMajor: Rational) =>
  toSignificant(over(rational(1n), perMajor), RATE_DIGITS);

/**
 * The amounts of a quote, exactly (payments O-09): locked side, fees, the other side, and the
 * published rate in sending major units per receiving major unit (C-06).
 * Refuses amounts that the fees eat up or that leave the service's range.
 */
export const quoteAmounts = (terms: QuoteTerms): QuotedAmounts => {
  const { sending, receiving, lockedSide, lockedMinor, rates = UNITS_PER_USD } = terms;
  if (lockedMinor > MAX_AMOUNT_MINOR) refuseRange("lockedCurrencyAmount", lockedMinor);
  const perMajor = crossRate({ sending, receiving }, rates);
  const shift = CURRENCIES[receiving].decimals - CURRENCIES[sending].decimals;
  const perMinor = times(perMajor, powerOfTen(shift));
  const locked = BigInt(lockedMinor);
  const result =
    lockedSide === "SENDING" ? fromSending(locked, perMinor) : fromReceiving(locked, perMinor);
  const { sendingMinor, receivingMinor, fees, variableFee } = result;
  if (receivingMinor <= 0n || sendingMinor - fees <= 0n)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "lockedCurrencyAmount", value: lockedMinor, fees: Number(fees) },
      "Nothing is left of the amount after fees",
    );
  if (sendingMinor > MAX_AMOUNT_MINOR) refuseRange("totalSendingAmount", Number(sendingMinor));
  if (receivingMinor > MAX_AMOUNT_MINOR)
    refuseRange("totalReceivingAmount", Number(receivingMinor));
  return {
    totalSendingMinor: Number(sendingMinor),
    totalReceivingMinor: Number(receivingMinor),
    feesMinor: Number(fees),
    exchangeRate: publishedRate(perMajor),
    rateDetails: rateDetails({ ...terms, rates }, variableFee),
  };
};

const refuseRange = (field: string, value: number) =>
  refuse(
    "AMOUNT_OUT_OF_RANGE",
    { field, value, max: MAX_AMOUNT_MINOR },
    `${field} is above ${MAX_AMOUNT_MINOR}`,
  );

const rateDetails = (
  { sending, receiving, rates }: Required<QuoteTerms>,
  variableFee: bigint,
): OutgoingRateDetails => ({
  counterpartyMultiplier: toSignificant(
    over(rational(1n), milliSatoshiPerMinor(receiving, rates)),
    RATE_DIGITS,
  ),
  counterpartyFixedFee: Number(QUOTE_FEES.counterpartyFixedMinor),
  serviceApiMultiplier: toSignificant(
    times(milliSatoshiPerMinor(sending, rates), KEPT_AFTER_VARIABLE),
    RATE_DIGITS,
  ),
  serviceApiFixedFee: Number(QUOTE_FEES.serviceFixedMinor),
  serviceApiVariableFeeRate: Number(QUOTE_FEES.serviceVariableRate),
  serviceApiVariableFeeAmount: Number(variableFee),
});
