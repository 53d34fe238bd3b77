import type { PaymentInstructions } from "../contract/payment-instructions.ts";
import type { View } from "./draft.ts";
import { quoteInstructions } from "./payment-instructions.ts";
import type { QuoteRecord } from "./records.ts";

/** Where to pay a quote that is funded just in time; the other ones need no instructions. */
export const instructionsOfQuote = (
  view: View,
  { id, source, sendingCurrency, transactionId }: QuoteRecord,
): PaymentInstructions[] | undefined => {
  if (source.sourceType !== "REALTIME_FUNDING") return undefined;
  const { customerId, cryptoNetwork } = source;
  const region = customerId === undefined ? undefined : view.get("Customer", customerId)?.region;
  return quoteInstructions({
    id,
    currency: sendingCurrency,
    ...(cryptoNetwork !== undefined && { cryptoNetwork }),
    ...(region !== undefined && { region }),
    reference: view.get("Transaction", transactionId)?.reference ?? "",
    isPlatform: customerId === undefined,
  });
};
