import type { PaymentInstructions } from "../../contract/accounts/payment-instructions.ts";
import { defined } from "../../contract/core/defined.ts";
import { quoteInstructions } from "../accounts/payment-instructions.ts";
import type { View } from "../core/draft.ts";
import { revisionOf } from "../core/revision.ts";
import type { QuoteRecord } from "../records/records.ts";

/**
 * Instructions to fund a quote: for an embedded wallet the payload that its owner signs, for
 * funding in real time the account to pay to. Nothing for other quotes
 * (spec/quotes.md#quote-fields).
 */
export const fundingInstructionsOf = (
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
    revision: revisionOf(view),
  });
};
