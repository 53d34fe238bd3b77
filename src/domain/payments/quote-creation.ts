import { defined } from "../../contract/core/defined.ts";
import type { Quote, QuoteInput } from "../../contract/payments/quotes.ts";
import { invoiceOfQuote } from "../accounts/lightning-invoices.ts";
import { type Draft, drawReference, type Moment, type Rule, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import { setTimer } from "../core/schedule.ts";
import { partyIdsOf } from "../customers/customers.ts";
import { counterpartyInformation } from "../customers/uma-addresses.ts";
import { outgoingPaymentLifecycle } from "../lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "../lifecycles/quote.ts";
import { settingsToMove } from "../money/currency-settings.ts";
import { quotedFee } from "../money/platform-fees.ts";
import {
  type QuotedAmounts,
  type QuoteTerms,
  quoteAmounts,
  requireInRange,
} from "../money/quote-arithmetic.ts";
import { unitsPerUsd } from "../money/rates.ts";
import type { OutgoingRecord, QuoteRecord } from "../records/records.ts";
import { activityText } from "../wallets/wallet-activities.ts";
import { startPayment } from "./outgoing-payments.ts";
import { basisOf } from "./quote-calculation.ts";
import { type PayableQuote, requireFunds, spending, startQuote } from "./quote-execution.ts";
import { payeeOf, receiverOf, requireAsLookedUp, requireUmaForm } from "./quote-lookups.ts";
import { type Parties, type Payer, payerOf, requireReadyParties } from "./quote-parties.ts";
import { quoteByPath, showQuote } from "./quotes.ts";
import { keptRail } from "./settlement-forecasts.ts";
import { requireSize, requireVolume } from "./transaction-limits.ts";

/** The platform's settings for sending a currency (spec/quotes.md#platform-limits). */
const sendingSettings = (draft: View, { currency: code, source }: Payer) =>
  settingsToMove(draft, { code, field: sourceField(source) }, "OUTGOING");

const requireWithin = (totalMinor: number, bounds: { minAmount: number; maxAmount: number }) => {
  const { minAmount: min, maxAmount: max } = bounds;
  if (totalMinor < min || totalMinor > max)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "lockedCurrencyAmount", totalSendingAmount: totalMinor, min, max },
      `The total to send is ${totalMinor}, outside ${min} to ${max}`,
    );
};

const sourceField = ({ sourceType }: QuoteRecord["source"]) =>
  sourceType === "ACCOUNT" ? "source.accountId" : "source.currency";

const paymentOf = (
  quote: QuoteRecord,
  {
    payer,
    payee,
    description,
    agentId,
  }: Parties & Pick<Booking, "agentId"> & { description: string | undefined },
  { draft, moment }: { draft: View; moment: Moment },
): OutgoingRecord => {
  const { source, destination } = quote;
  const { sourceType } = source;
  const paying =
    sourceType === "ACCOUNT"
      ? { sourceType, accountId: source.accountId }
      : { sourceType, ...defined({ customerId: source.customerId }) };
  const { customerId, platformCustomerId } = partyIdsOf(draft, payer.customer);
  const payment = {
    id: quote.transactionId,
    type: "OUTGOING",
    status: outgoingPaymentLifecycle.starts,
    source: paying,
    destination:
      destination.destinationType === "ACCOUNT"
        ? { destinationType: "ACCOUNT", accountId: destination.accountId }
        : destination,
    customerId,
    platformCustomerId,
    sendingCurrency: quote.sendingCurrency,
    receivingCurrency: quote.receivingCurrency,
    sentMinor: quote.totalSendingMinor,
    receivedMinor: quote.totalReceivingMinor,
    feesMinor: quote.feesMinor,
    exchangeRate: quote.exchangeRate,
    rateDetails: quote.rateDetails,
    quoteId: quote.id,
  } as OutgoingRecord;
  // Optional members have their places: recorded runs compare digests of the text.
  if (quote.counterpartyInformation)
    payment.counterpartyInformation = quote.counterpartyInformation;
  if (payer.internal) payment.debitsAccountId = payer.internal.id;
  if (payee.internal) payment.creditsAccountId = payee.internal.id;
  if (description !== undefined) payment.description = description;
  if (agentId !== undefined) payment.agentId = agentId;
  payment.reference = drawReference(moment);
  payment.createdAtMs = moment.atMs;
  payment.updatedAtMs = moment.atMs;
  const requested = destination.destinationType === "ACCOUNT" ? destination.paymentRail : undefined;
  Object.assign(payment, keptRail(draft, payee.external, requested));
  if (quote.platformFee) payment.platformFeesMinor = quote.platformFee.amountMinor;
  return payment;
};

const toldOfCounterparty = (draft: View, { payer, payee }: Parties) => {
  const isTold = payee.destination.destinationType === "UMA_ADDRESS";
  return isTold ? counterpartyInformation(draft, payer.currency) : undefined;
};

const quoteOf = (
  draft: View,
  { payer, payee, terms, amounts, agentId }: QuotePlan & Pick<Booking, "agentId">,
  moment: Moment,
): QuoteRecord => {
  const { totalSendingMinor, totalReceivingMinor, feesMinor, exchangeRate, rateDetails } = amounts;
  const quote = {
    id: moment.newId("Quote"),
    status: quoteLifecycle.starts,
    expiresAtMs: moment.atMs + DURATIONS.quoteLifetimeMs,
    source: payer.source,
    destination: payee.destination,
    sendingCurrency: payer.currency,
    receivingCurrency: payee.currency,
    totalSendingMinor,
    totalReceivingMinor,
    feesMinor,
    exchangeRate,
    rateDetails,
    transactionId: moment.newId("Transaction"),
  } as QuoteRecord;
  const counterparty = toldOfCounterparty(draft, { payer, payee });
  if (counterparty) quote.counterpartyInformation = counterparty;
  if (agentId !== undefined) quote.agentId = agentId;
  Object.assign(quote, basisOf(terms));
  const { platformFee } = terms;
  if (platformFee) quote.platformFee = { ...platformFee, amountMinor: amounts.platformFeesMinor };
  quote.createdAtMs = moment.atMs;
  quote.updatedAtMs = moment.atMs;
  return quote;
};

/**
 * Refuses immediate execution of a quote that needs money or a signature first
 * (spec/quotes.md#immediate-execution).
 */
const requireImmediate = (draft: View, { source, immediatelyExecute: value }: QuoteInput) => {
  if (!value) return;
  const details = { field: "immediatelyExecute", value };
  if (source.sourceType === "REALTIME_FUNDING")
    return refuse("INVALID_INPUT", details, {
      says: "A quote that is funded just in time starts when its money arrives",
      next: "Omit immediatelyExecute, then pay as the quote's paymentInstructions say",
    });
  if (draft.get("InternalAccount", source.accountId)?.type === "EMBEDDED_WALLET")
    refuse("INVALID_INPUT", details, {
      says: "A quote from an embedded wallet starts when it is signed",
      next: "Omit immediatelyExecute, then POST /quotes/{quoteId}/execute",
    });
};

/** Adds the payload that a wallet's owner signs (spec/quotes.md#wallet-source). */
const withPayload = (quote: QuoteRecord, { internal }: Payer, { atMs }: Moment): QuoteRecord =>
  internal?.type === "EMBEDDED_WALLET"
    ? { ...quote, payloadToSign: activityText(internal, spending(internal, quote), { atMs }) }
    : quote;

/** Adds the invoice of a quote that is paid in bitcoin from outside. */
const withInvoice = (quote: QuoteRecord, reference: string, moment: Moment): QuoteRecord =>
  quote.source.sourceType === "REALTIME_FUNDING" && quote.sendingCurrency === "BTC"
    ? { ...quote, lightningInvoice: invoiceOfQuote(quote, reference, moment) }
    : quote;

/** A quote as it would be: who pays whom, and how much. */
export interface QuotePlan extends Parties {
  /** The terms its amounts are computed from. */
  terms: QuoteTerms;
  amounts: QuotedAmounts;
  /** Bounds of one payment, in minor units. */
  bounds: { minAmount: number; maxAmount: number };
}

/** Plans a quote from a request; refuses parties and currencies that do not fit. */
export const planQuote = (view: View, body: QuoteInput, { atMs }: Moment): QuotePlan => {
  requireImmediate(view, body);
  requireUmaForm(body);
  const payer = payerOf(view, body.source);
  const receiver = receiverOf(view, body, { payer, atMs });
  requireReadyParties(view, payer, receiver);
  const bounds = sendingSettings(view, payer);
  const payee = payeeOf(receiver, body);
  const terms: QuoteTerms = {
    sending: payer.currency,
    receiving: payee.currency,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: body.lockedCurrencyAmount,
    rates: unitsPerUsd(view),
    isInternal: payer.internal !== undefined && payee.internal !== undefined,
  };
  const platformFee = quotedFee(view, body, terms);
  if (platformFee) terms.platformFee = platformFee;
  return { payer, payee, terms, amounts: quoteAmounts(terms), bounds };
};

/** Refuses amounts out of bounds, and a quote that differs from its lookup. */
export const requireQuotable = (
  view: View,
  { body, plan }: Pick<Booking, "body" | "plan">,
  moment: Moment,
) => {
  const { payer, payee, terms, amounts, bounds } = plan;
  requireInRange(amounts, terms);
  requireWithin(amounts.totalSendingMinor, bounds);
  const { currency } = payer;
  const amountMinor = amounts.totalSendingMinor;
  requireSize(view, { currency, amountMinor, field: "lockedCurrencyAmount" });
  if (body.immediatelyExecute) requireVolume(view, { currency, amountMinor }, moment);
  const receivingMinor = amounts.totalReceivingMinor;
  requireAsLookedUp(payee, body, { receivingMinor, customer: payer.customer });
};

interface Booking {
  body: QuoteInput;
  plan: QuotePlan;
  /** The agent that asks for it. */
  agentId?: string | undefined;
}

/** Stores a quote with its transaction, PENDING; it expires unless it is executed. */
export const bookQuote = (
  draft: Draft,
  { body, plan, agentId }: Booking,
  moment: Moment,
): PayableQuote => {
  const { payer, payee } = plan;
  const quote = withPayload(quoteOf(draft, { ...plan, agentId }, moment), payer, moment);
  const paymentPlan = { ...plan, agentId, description: body.description };
  const transaction = paymentOf(quote, paymentPlan, { draft, moment });
  draft.put("Quote", withInvoice(quote, transaction.reference, moment));
  startPayment(draft, transaction, moment);
  setTimer(draft, { name: "quote.expire", subject: quote.id, dueAtMs: quote.expiresAtMs }, moment);
  return { quote, transaction, parties: { payer, payee } };
};

/**
 * POST /quotes: locks the amounts for the quote's lifetime and makes its transaction, PENDING. With
 * `immediatelyExecute` it is executed in the same change, or refused whole
 * (spec/quotes.md#creation-order).
 */
export const createQuote: Rule<{ body: QuoteInput }, Quote> = (draft, { body }, moment) => {
  const plan = planQuote(draft, body, moment);
  requireQuotable(draft, { body, plan }, moment);
  if (body.immediatelyExecute) requireFunds(draft, plan, plan.amounts.totalSendingMinor);
  const booked = bookQuote(draft, { body, plan }, moment);
  if (body.immediatelyExecute) startQuote(draft, booked, moment);
  return showQuote(draft, quoteByPath(draft, booked.quote.id));
};
