import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { IncomingRateDetails } from "../../contract/payments/transactions.ts";
import { over, rational, roundHalfUp, times, toSignificant } from "../core/rational.ts";
import {
  KEPT_AFTER_VARIABLE,
  milliSatoshiPerMinor,
  QUOTE_FEES,
  RATE_DIGITS,
  VARIABLE_RATE,
} from "./quote-arithmetic.ts";
import type { UnitsPerUsd } from "./rates.ts";

/** What came on top of the amount that a customer receives, in its smallest unit. */
export interface IncomingFees {
  feesMinor: number;
  rateDetails: IncomingRateDetails;
}

/**
 * Fees of a UMA payment that comes in, exactly (payments O-09): the received amount is net, and the
 * fees, a fixed one and a fraction of that amount, were paid besides.
 */
export const incomingFees = (
  { currency, receivedMinor }: { currency: CurrencyCode; receivedMinor: number },
  rates: UnitsPerUsd,
): IncomingFees => {
  const variableFee = roundHalfUp(times(rational(BigInt(receivedMinor)), VARIABLE_RATE));
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
