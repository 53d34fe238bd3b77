import { parseRational, type Rational, type Rounded } from "../core/rational.ts";
import { type QuoteTerms, reckoned } from "./quote-arithmetic.ts";

/** Each step of a quote's amounts, in the order in which people read them. */
export interface QuoteSteps {
  sendingMinor: bigint;
  receivingMinor: bigint;
  feesMinor: bigint;
  /** In the smallest unit of the sending currency. */
  serviceFixedMinor: bigint;
  /** Share of the sending amount that the variable fee is. */
  variableRate: Rational;
  variable: Rounded;
  /** In the smallest unit of the receiving currency. */
  counterpartyFixedMinor: bigint;
  /** The same fee in the smallest unit of the sending currency. */
  counterparty: Rounded;
  /** Receiving major units for one sending major unit. */
  rate: Rational;
  /**
   * The converted part: what arrives, of a locked sending side; what is converted, of a locked
   * receiving side.
   */
  converted: Rounded;
}

/** The steps behind the amounts of a quote (spec/exchange-rates.md#calculation). */
export const quoteSteps = (terms: QuoteTerms): QuoteSteps => {
  const { sendingMinor, receivingMinor, feesMinor, variable, converted, pricing } = reckoned(terms);
  const { fees, counterparty, perMajor } = pricing;
  return {
    sendingMinor,
    receivingMinor,
    feesMinor,
    serviceFixedMinor: fees.serviceFixedMinor,
    variableRate: parseRational(fees.serviceVariableRate),
    variable,
    counterpartyFixedMinor: fees.counterpartyFixedMinor,
    counterparty,
    rate: perMajor,
    converted,
  };
};
