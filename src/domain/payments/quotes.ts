import { currencyObject } from "../../contract/money/currencies.ts";
import type { Quote } from "../../contract/payments/quotes.ts";
import { type Draft, instant, type Moment, type Reading, type View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { Recent } from "../core/recent.ts";
import { refuse } from "../core/refusal.ts";
import { byRevision, type LaterMembers, shownIn } from "../core/revision.ts";
import type { TimerEffect } from "../core/schedule.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import { quoteLifecycle } from "../lifecycles/quote.ts";
import type { OutgoingRecord, QuoteRecord } from "../records/records.ts";
import { movePayment } from "./outgoing-payments.ts";
import { fundingInstructionsOf } from "./quote-instructions.ts";

const showParties = ({
  source,
  destination,
  sendingCurrency,
  receivingCurrency,
}: QuoteRecord): Pick<Quote, "source" | "destination"> => ({
  source:
    source.sourceType === "REALTIME_FUNDING" ? { ...source, currency: sendingCurrency } : source,
  destination:
    destination.destinationType === "UMA_ADDRESS"
      ? { ...destination, currency: receivingCurrency }
      : destination,
});

const LATER_MEMBERS: LaterMembers<Quote, QuoteRecord> = {
  platformFeesIncluded: {
    since: "platformFees",
    value: (_view, { platformFee }) => platformFee?.amountMinor ?? 0,
  },
};

/** A quote as it is published (spec/quotes.md#quote-fields). */
export const showQuote = (view: View, quote: QuoteRecord): Quote => {
  const { source, destination } = showParties(quote);
  const { counterpartyInformation } = quote;
  const instructions = fundingInstructionsOf(view, quote);
  const shown = {
    id: quote.id,
    status: quote.status,
    createdAt: instant(quote.createdAtMs),
    expiresAt: instant(quote.expiresAtMs),
    source,
    destination,
    sendingCurrency: currencyObject(quote.sendingCurrency),
    receivingCurrency: currencyObject(quote.receivingCurrency),
    totalSendingAmount: quote.totalSendingMinor,
    totalReceivingAmount: quote.totalReceivingMinor,
    exchangeRate: quote.exchangeRate,
    feesIncluded: quote.feesMinor,
    transactionId: quote.transactionId,
  } as Quote;
  // In the order of earlier versions, since recorded replies are compared as text.
  if (instructions) shown.paymentInstructions = instructions;
  if (counterpartyInformation) shown.counterpartyInformation = counterpartyInformation;
  shown.rateDetails = quote.rateDetails;
  return shownIn(view, shown, [quote, LATER_MEMBERS]);
};

/** Clients ask for the same few quotes until they are over. */
const shownLast = byRevision(() => new Recent<QuoteRecord, Quote>(256, () => new WeakMap()));

/**
 * The quote as a reading shows it. What depends on the record alone is made once and frozen, so
 * that its text can be kept with it; instructions depend on their account too.
 */
const readQuote = (view: View, quote: QuoteRecord): Quote =>
  quote.source.sourceType === "REALTIME_FUNDING"
    ? showQuote(view, quote)
    : shownLast(view).of(quote, () => Object.freeze(showQuote(view, quote)));

/** The payment of a quote; one is made with every quote and never taken away. */
export const paymentOfQuote = (view: View, { transactionId }: QuoteRecord): OutgoingRecord => {
  const transaction = view.get("Transaction", transactionId);
  assertInvariant(transaction?.type === "OUTGOING", "a quote's payment", { transactionId });
  return transaction;
};

/** The quote a path names; 404 when there is none. */
export const quoteByPath = (view: View, id: string) =>
  view.get("Quote", id) ?? refuse("QUOTE_NOT_FOUND", { id, resource: "Quote" });

/** GET /quotes/{quoteId}. */
export const getQuote: Reading<{ params: { quoteId: string } }, Quote> = (
  view,
  { params: { quoteId } },
) => readQuote(view, quoteByPath(view, quoteId));

/** Timer `quote.expire`: ends an unexecuted quote with its transaction (spec/quotes.md#expiry). */
export const expireQuote = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const quote = draft.get("Quote", subject);
  if (!quote || !findMove(quoteLifecycle, quote.status, "expire")) return {};
  const { status } = movePayment(draft, paymentOfQuote(draft, quote), { on: "expire", moment });
  return { from: quote.status, to: status };
};
