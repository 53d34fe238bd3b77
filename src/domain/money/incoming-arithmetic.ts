import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { CURRENCIES } from "../../contract/money/currencies.ts";
import type { IncomingRateDetails } from "../../contract/payments/transactions.ts";
import {
  over,
  powerOfTen,
  type Rounded,
  rational,
  rounded,
  times,
  toSignificant,
} from "../core/rational.ts";
import {
  KEPT_AFTER_VARIABLE,
  milliSatoshiPerMinor,
  publishedRate,
  QUOTE_FEES,
  RATE_DIGITS,
  VARIABLE_RATE,
} from "./quote-arithmetic.ts";
import { crossRate, type UnitsPerUsd } from "./rates.ts";

/** The sender's side of a payment. */
export interface SentAmounts {
  currency: CurrencyCode;
  amountMinor: number;
  feesMinor: number;
  exchangeRate: number;
}

/** Fees on top of the received amount, in its smallest unit. */
export interface IncomingFees {
  feesMinor: number;
  rateDetails: IncomingRateDetails;
}

/** The variable fee on a received amount, with its exact value. */
export const incomingVariableFee = (receivedMinor: number): Rounded =>
  rounded(times(rational(BigInt(receivedMinor)), VARIABLE_RATE), "half up");

/**
 * Fees of an incoming UMA payment (spec/uma-payments.md#incoming-fees). The received amount is net:
 * the sender has paid a fixed fee and a fraction of it on top.
 */
export const incomingFees = (
  { currency, receivedMinor }: { currency: CurrencyCode; receivedMinor: number },
  rates: UnitsPerUsd,
): IncomingFees => {
  const variableFee = incomingVariableFee(receivedMinor).whole;
  const multiplier = over(KEPT_AFTER_VARIABLE, milliSatoshiPerMinor(currency, rates));
  return {
    feesMinor: Number(QUOTE_FEES.serviceFixedMinor + variableFee),
    rateDetails: {
      serviceApiMultiplier: toSignificant(multiplier, RATE_DIGITS),
      serviceApiFixedFee: Number(QUOTE_FEES.serviceFixedMinor),
      serviceApiVariableFeeRate: Number(QUOTE_FEES.serviceVariableRate),
      serviceApiVariableFeeAmount: Number(variableFee),
    },
  };
};

/** The part of an incoming payment that arrives, and the fees on top of it. */
export interface ReceivedAmounts {
  currency: CurrencyCode;
  receivedMinor: number;
  feesMinor: number;
}

/**
 * The sender's side of an incoming payment, in its own currency: the received amount and the fees
 * together, and the part of it that the fees are (spec/later-payments.md#incoming-sides).
 */
export const sentAmounts = (
  {
    sending,
    receiving,
    receivedMinor,
    feesMinor,
  }: Omit<ReceivedAmounts, "currency"> & { sending: CurrencyCode; receiving: CurrencyCode },
  rates: UnitsPerUsd,
): SentAmounts => {
  const perMajor = crossRate({ sending, receiving }, rates);
  const shift = CURRENCIES[receiving].decimals - CURRENCIES[sending].decimals;
  const perMinor = times(perMajor, powerOfTen(shift));
  const paidFor = (amountMinor: number) =>
    Number(rounded(over(rational(BigInt(amountMinor)), perMinor), "up").whole);
  const amountMinor = paidFor(receivedMinor + feesMinor);
  return {
    currency: sending,
    amountMinor,
    feesMinor: amountMinor - paidFor(receivedMinor),
    exchangeRate: publishedRate(perMajor),
  };
};
