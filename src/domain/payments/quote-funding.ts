import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { SendInput } from "../../contract/payments/sandbox.ts";
import type { OutgoingTransaction } from "../../contract/payments/transactions.ts";
import type { Rule } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer } from "../core/schedule.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import type { QuoteRecord } from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";
import { fundPayment } from "./outgoing-payments.ts";
import { partiesOf, requireUsableParties } from "./quote-parties.ts";
import { deliveryRow, paymentAbout } from "./quote-rows.ts";
import { paymentOfQuote } from "./quotes.ts";
import { showOutgoing } from "./transactions.ts";

const requireJustInTime = ({ id, source }: QuoteRecord) => {
  if (source.sourceType !== "REALTIME_FUNDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: id },
      {
        says: "This quote pays from an account and accepts no other money",
        next: "POST /quotes/{quoteId}/execute starts it",
      },
    );
};

const requireAwaitingFunds = ({ id, status }: QuoteRecord) => {
  if (status !== "PENDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: id, quoteStatus: status },
      `Money can be sent only to a PENDING quote; this one is ${status}`,
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
  const transaction = paymentOfQuote(draft, quote);
  const parties = partiesOf(draft, quote, transaction);
  const { payer, payee } = parties;
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
  const sentMinor = currencyAmount ?? quote.totalSendingMinor;
  if (sentMinor > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", {
      field: "currencyAmount",
      value: sentMinor,
      max: MAX_AMOUNT_MINOR,
    });
  requireAwaitingFunds(quote);
  const payment = { parties, transaction };
  const row = takeRow(draft, {
    table: "funding",
    row: sentMinor === quote.totalSendingMinor ? "otherwise" : "mismatch",
    about: paymentAbout(payment),
  });
  const funding = rowName("funding", row);
  const isAsAsked = row === "otherwise";
  const collectedMinor = isAsAsked ? quote.totalSendingMinor : sentMinor;
  const rows = isAsAsked ? [deliveryRow(draft, payment)] : [funding];
  draft.decidedBy(funding);
  clearTimer(draft, "quote.expire", quote.id);
  const funded = fundPayment(draft, transaction, { rows, collectedMinor, moment });
  return showOutgoing(draft, funded);
};
