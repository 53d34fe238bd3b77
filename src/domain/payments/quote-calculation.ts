import type { QuoteTerms } from "../money/quote-arithmetic.ts";
import { type QuoteSteps, quoteSteps } from "../money/quote-steps.ts";
import { UNITS_PER_USD } from "../money/rates.ts";
import type { OutgoingRecord, QuoteRecord } from "../records/records.ts";

/** The facts about a quote's terms that its amounts alone do not tell. */
export const basisOf = ({
  sending,
  receiving,
  lockedSide,
  rates = UNITS_PER_USD,
}: QuoteTerms): Pick<QuoteRecord, "lockedSide" | "perUsd"> => {
  const set = [sending, receiving].filter((code) => rates[code] !== UNITS_PER_USD[code]);
  return {
    ...(lockedSide === "RECEIVING" && { lockedSide }),
    ...(set.length > 0 && { perUsd: Object.fromEntries(set.map((code) => [code, rates[code]])) }),
  };
};

/** The amounts of a quote step by step, with its locked side. */
export interface QuoteCalculation extends QuoteSteps {
  lockedSide: "SENDING" | "RECEIVING";
}

/**
 * The calculation behind a quote; undefined where it cannot be told from the record, as for a quote
 * of an earlier version under rates that somebody had set.
 */
export const quoteCalculation = (
  quote: QuoteRecord,
  payment: OutgoingRecord | undefined,
): QuoteCalculation | undefined => {
  const { lockedSide = "SENDING", totalSendingMinor, totalReceivingMinor } = quote;
  const steps = quoteSteps({
    sending: quote.sendingCurrency,
    receiving: quote.receivingCurrency,
    lockedSide,
    lockedMinor: lockedSide === "SENDING" ? totalSendingMinor : totalReceivingMinor,
    rates: quote.perUsd ? { ...UNITS_PER_USD, ...quote.perUsd } : UNITS_PER_USD,
    ...(quote.platformFee && { platformFee: quote.platformFee }),
    isInternal: payment?.debitsAccountId !== undefined && payment.creditsAccountId !== undefined,
  });
  const isSame =
    steps.sendingMinor === BigInt(totalSendingMinor) &&
    steps.receivingMinor === BigInt(totalReceivingMinor) &&
    steps.feesMinor === BigInt(quote.feesMinor);
  return isSame ? { lockedSide, ...steps } : undefined;
};
