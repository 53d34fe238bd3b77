import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { IncomingRateDetails } from "../../contract/payments/transactions.ts";
import { over, type Rounded, rational, rounded, times, toSignificant } from "../core/rational.ts";
import {
  KEPT_AFTER_VARIABLE,
  milliSatoshiPerMinor,
  QUOTE_FEES,
  RATE_DIGITS,
  VARIABLE_RATE,
} from "./quote-arithmetic.ts";
import type { UnitsPerUsd } from "./rates.ts";

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
