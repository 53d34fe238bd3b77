import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { SendInput } from "../../contract/payments/sandbox.ts";
import type { OutgoingTransaction } from "../../contract/payments/transactions.ts";
import type { Rule } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer } from "../core/schedule.ts";
import type { QuoteRecord } from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";
import { fundPayment } from "./outgoing-payments.ts";
import { partiesOf, requireUsableParties } from "./quote-parties.ts";
import { deliveryRow } from "./quote-rows.ts";
import { paymentOfQuote } from "./quotes.ts";
import { showOutgoing } from "./transactions.ts";

const requireJustInTime = ({ id, source }: QuoteRecord) => {
  if (source.sourceType !== "REALTIME_FUNDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: id },
      {
        says: "This quote pays from an account, and no money is sent to it",
        next: "POST /quotes/{quoteId}/execute starts it",
      },
    );
};

const requireAwaitingFunds = ({ id, status }: QuoteRecord) => {
  if (status !== "PENDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: id, quoteStatus: status },
      `Money can be sent to a quote while it is PENDING, and this one is ${status}`,
    );
};

/**
 * POST /sandbox/send: the money of a just-in-time quote arrives. Any other amount than the quote's
 * total fails the payment and is refunded (spec/quotes.md#just-in-time-funding).
 */
export const sendFunds: Rule<{ body: SendInput }, OutgoingTransaction> = (
  draft,
  { body },
  moment,
) => {
  const { quoteId, currencyCode, currencyAmount } = body;
  const quote =
    draft.get("Quote", quoteId) ??
    refuse("QUOTE_NOT_FOUND", { id: quoteId, field: "quoteId", resource: "Quote" });
  requireJustInTime(quote);
  const payment = paymentOfQuote(draft, quote);
  const { payer, payee } = partiesOf(draft, quote, payment);
  requireUsableParties(draft, payer, payee);
  if (currencyCode !== quote.sendingCurrency)
    refuse(
      "INVALID_CURRENCY",
      { field: "currencyCode", currency: currencyCode, expected: quote.sendingCurrency },
      {
        says: `The quote is to be paid in ${quote.sendingCurrency}, not in ${currencyCode}`,
        next: `Use ${quote.sendingCurrency}`,
      },
    );
  const collectedMinor = currencyAmount ?? quote.totalSendingMinor;
  if (collectedMinor > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", {
      field: "currencyAmount",
      value: collectedMinor,
      max: MAX_AMOUNT_MINOR,
    });
  requireAwaitingFunds(quote);
  const isAsAsked = collectedMinor === quote.totalSendingMinor;
  const funding = rowName("funding", isAsAsked ? "otherwise" : "mismatch");
  const rows = isAsAsked ? [deliveryRow(payee)] : [funding];
  draft.decidedBy(funding);
  clearTimer(draft, "quote.expire", quote.id);
  const funded = fundPayment(draft, payment, { rows, collectedMinor, moment });
  return showOutgoing(draft, funded);
};
