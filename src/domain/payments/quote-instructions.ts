import type { PaymentInstructions } from "../../contract/accounts/payment-instructions.ts";
import { defined } from "../../contract/core/defined.ts";
import { quoteInstructions } from "../accounts/payment-instructions.ts";
import type { View } from "../core/draft.ts";
import type { QuoteRecord } from "../records/records.ts";

/**
 * The payment instructions of a quote that is funded just in time, or the payload that a wallet's
 * owner signs. Other quotes need no instructions (spec/quotes.md#quote-fields).
 */
export const instructionsOfQuote = (
  view: View,
  { id, source, sendingCurrency, transactionId, payloadToSign, lightningInvoice }: QuoteRecord,
): PaymentInstructions[] | undefined => {
  if (payloadToSign !== undefined)
    return [{ accountOrWalletInfo: { accountType: "EMBEDDED_WALLET", payloadToSign } }];
  if (source.sourceType !== "REALTIME_FUNDING") return undefined;
  const { customerId, cryptoNetwork } = source;
  const region = customerId === undefined ? undefined : view.get("Customer", customerId)?.region;
  return quoteInstructions({
    id,
    currency: sendingCurrency,
    ...defined({ cryptoNetwork, region, invoice: lightningInvoice }),
    reference: view.get("Transaction", transactionId)?.reference ?? "",
    isPlatform: customerId === undefined,
  });
};
