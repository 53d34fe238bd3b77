import type { CurrencyCode } from "../contract/currencies.ts";
import type { PaymentInstructions } from "../contract/payment-instructions.ts";
import { refuse } from "./refusal.ts";

/** Instructions of a quote that is paid just in time. */
export const quoteInstructions = (_quote: {
  id: string;
  currency: CurrencyCode;
  cryptoNetwork?: string;
  region?: string;
  reference: string;
  isPlatform: boolean;
}): PaymentInstructions[] => [];

/** Refuses a network that a currency cannot be funded over. */
export const requireFundingNetwork = (currency: CurrencyCode, network: string | undefined) => {
  if (network === "NONE") refuse("INVALID_INPUT", { field: "source.cryptoNetwork", currency });
};
