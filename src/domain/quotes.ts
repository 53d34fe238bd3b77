import { currencyObject } from "../contract/currencies.ts";
import type { Quote, QuoteInput } from "../contract/quotes.ts";
import { digestHex } from "../crypto/digest.ts";
import { type Activity, activityText, providerNames } from "./activities.ts";
import { currencySettings } from "./currency-settings.ts";
import { partyIdsOf } from "./customers.ts";
import {
  type Draft,
  drawReference,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "./draft.ts";
import { DURATIONS } from "./durations.ts";
import { requireBalance } from "./internal-accounts.ts";
import { assertInvariant } from "./invariant.ts";
import { findMove } from "./lifecycles/lifecycle.ts";
import { outgoingPaymentLifecycle } from "./lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "./lifecycles/quote.ts";
import { type Funding, fundPayment, movePayment, startPayment } from "./outgoing-payments.ts";
import { type QuotedAmounts, quoteAmounts } from "./quote-arithmetic.ts";
import { instructionsOfQuote } from "./quote-instructions.ts";
import { payeeOf, receiverOf, requireAsLookedUp, requireUmaForm } from "./quote-lookups.ts";
import {
  type Payee,
  type Payer,
  partiesOf,
  payerOf,
  requireReadyParties,
} from "./quote-parties.ts";
import { deliveryRow, pullRow } from "./quote-rows.ts";
import { unitsPerUsd } from "./rates.ts";
import type { InternalAccountRecord, OutgoingRecord, QuoteRecord } from "./records.ts";
import { refuse } from "./refusal.ts";
import { clearTimer, type Fired, setTimer } from "./schedule.ts";
import type { SignedCall, SignedOperation } from "./signed-operations.ts";
import { counterpartyInformation } from "./uma-addresses.ts";

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

/** A quote as it is published (payments digest 9.1). */
export const showQuote = (view: View, quote: QuoteRecord): Quote => {
  const paymentInstructions = instructionsOfQuote(view, quote);
  const { counterpartyInformation } = quote;
  return {
    id: quote.id,
    status: quote.status,
    createdAt: instant(quote.createdAtMs),
    expiresAt: instant(quote.expiresAtMs),
    ...showParties(quote),
    sendingCurrency: currencyObject(quote.sendingCurrency),
    receivingCurrency: currencyObject(quote.receivingCurrency),
    totalSendingAmount: quote.totalSendingMinor,
    totalReceivingAmount: quote.totalReceivingMinor,
    exchangeRate: quote.exchangeRate,
    feesIncluded: quote.feesMinor,
    transactionId: quote.transactionId,
    ...(paymentInstructions && { paymentInstructions }),
    ...(counterpartyInformation && { counterpartyInformation }),
    rateDetails: quote.rateDetails,
  };
};

/** What the platform's settings say of sending a currency (payments O-77). */
const sendingSettings = (draft: View, { currency: code, source }: Payer) => {
  const entry = currencySettings(draft, code);
  return entry?.enabledTransactionTypes.includes("OUTGOING")
    ? entry
    : refuse(
        "INVALID_CURRENCY",
        { field: sourceField(source), value: code, currency: code },
        `The platform does not send ${code}: it is not in supportedCurrencies with OUTGOING`,
      );
};

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
  { payer, payee, description }: Parties & { description: string | undefined },
  { draft, moment }: { draft: View; moment: Moment },
): OutgoingRecord => {
  const { source, destination } = quote;
  const { sourceType } = source;
  const paying =
    sourceType === "ACCOUNT"
      ? { sourceType, accountId: source.accountId }
      : { sourceType, ...(source.customerId !== undefined && { customerId: source.customerId }) };
  return {
    id: quote.transactionId,
    type: "OUTGOING",
    status: outgoingPaymentLifecycle.starts,
    source: paying,
    destination:
      destination.destinationType === "ACCOUNT"
        ? { destinationType: "ACCOUNT", accountId: destination.accountId }
        : destination,
    ...partyIdsOf(draft, payer.customer),
    sendingCurrency: quote.sendingCurrency,
    receivingCurrency: quote.receivingCurrency,
    sentMinor: quote.totalSendingMinor,
    receivedMinor: quote.totalReceivingMinor,
    feesMinor: quote.feesMinor,
    exchangeRate: quote.exchangeRate,
    rateDetails: quote.rateDetails,
    quoteId: quote.id,
    ...(quote.counterpartyInformation && {
      counterpartyInformation: quote.counterpartyInformation,
    }),
    ...(payer.internal && { debitsAccountId: payer.internal.id }),
    ...(payee.internal && { creditsAccountId: payee.internal.id }),
    ...(description !== undefined && { description }),
    reference: drawReference(moment),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
};

interface Parties {
  payer: Payer;
  payee: Payee;
}

const toldOfCounterparty = (draft: View, { payer, payee }: Parties) => {
  if (payee.destination.destinationType !== "UMA_ADDRESS") return {};
  const told = counterpartyInformation(draft, payer.currency);
  return told ? { counterpartyInformation: told } : {};
};

const quoteOf = (
  draft: View,
  { payer, payee, amounts }: Parties & { amounts: QuotedAmounts },
  moment: Moment,
): QuoteRecord => ({
  id: moment.newId("Quote"),
  status: quoteLifecycle.starts,
  expiresAtMs: moment.atMs + DURATIONS.quoteLifetimeMs,
  source: payer.source,
  destination: payee.destination,
  sendingCurrency: payer.currency,
  receivingCurrency: payee.currency,
  ...amounts,
  transactionId: moment.newId("Transaction"),
  ...toldOfCounterparty(draft, { payer, payee }),
  createdAtMs: moment.atMs,
  updatedAtMs: moment.atMs,
});

/** Refuses to execute at once what waits for money or for a signature (payments digest 9.4). */
const requireImmediate = (draft: View, { source, immediatelyExecute: value }: QuoteInput) => {
  if (!value) return;
  const details = { field: "immediatelyExecute", value };
  if (source.sourceType === "REALTIME_FUNDING")
    return refuse(
      "INVALID_INPUT",
      details,
      "A quote that is funded just in time starts when its money arrives",
    );
  if (draft.get("InternalAccount", source.accountId)?.type === "EMBEDDED_WALLET")
    refuse("INVALID_INPUT", details, "A quote from an embedded wallet starts when it is signed");
};

/** Where the money of an executed quote comes from, and what then becomes of it. */
const fundingOf = (draft: View, { payer, payee }: Parties, totalMinor: number): Funding => {
  const row = deliveryRow(payee);
  if (payer.external) return { rows: [pullRow(payer.external), row] };
  if (payer.internal) requireBalance(draft, payer.internal, totalMinor);
  return { rows: [row], collectedMinor: totalMinor };
};

const spending = (wallet: InternalAccountRecord, { id }: QuoteRecord): Activity => ({
  type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
  generateAppProofs: true,
  parameters: {
    signWith: providerNames(wallet).signWith,
    type: "TRANSACTION_TYPE_ETHEREUM",
    unsignedTransaction: digestHex(`payment of ${id}`),
  },
});

/** A quote with what its payer's owner signs, where that is a wallet (payments digest 9.8). */
const signable = (quote: QuoteRecord, { internal }: Payer, { atMs }: Moment): QuoteRecord =>
  internal?.type === "EMBEDDED_WALLET"
    ? { ...quote, payloadToSign: activityText(internal, spending(internal, quote), atMs) }
    : quote;

/**
 * POST /quotes (payments digest 9.4): locks the amounts for the quote's lifetime and makes its
 * transaction, PENDING. With `immediatelyExecute` it is executed in the same change, or refused
 * whole.
 */
export const createQuote: Rule<{ body: QuoteInput }, Quote> = (draft, { body }, moment) => {
  requireImmediate(draft, body);
  requireUmaForm(body);
  const payer = payerOf(draft, body.source);
  const receiver = receiverOf(draft, body, { payer, atMs: moment.atMs });
  requireReadyParties(draft, payer, receiver);
  const settings = sendingSettings(draft, payer);
  const payee = payeeOf(receiver, body);
  const amounts = quoteAmounts({
    sending: payer.currency,
    receiving: payee.currency,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: body.lockedCurrencyAmount,
    rates: unitsPerUsd(draft),
  });
  requireWithin(amounts.totalSendingMinor, settings);
  const receivingMinor = amounts.totalReceivingMinor;
  requireAsLookedUp(payee, body, { receivingMinor, customer: payer.customer });
  const funding = body.immediatelyExecute
    ? fundingOf(draft, { payer, payee }, amounts.totalSendingMinor)
    : undefined;

  const quote = signable(quoteOf(draft, { payer, payee, amounts }, moment), payer, moment);
  const { description } = body;
  const transaction = paymentOf(quote, { payer, payee, description }, { draft, moment });
  draft.put("Quote", quote);
  startPayment(draft, transaction, moment);
  if (funding) fundPayment(draft, transaction, { ...funding, moment });
  else
    setTimer(
      draft,
      { name: "quote.expire", subject: quote.id, dueAtMs: quote.expiresAtMs },
      moment,
    );
  return showQuote(draft, draft.get("Quote", quote.id) ?? quote);
};

/** The payment of a quote; one is made with every quote and never taken away. */
export const paymentOfQuote = (view: View, { transactionId }: QuoteRecord): OutgoingRecord => {
  const transaction = view.get("Transaction", transactionId);
  assertInvariant(transaction?.type === "OUTGOING", "a quote's payment", { transactionId });
  return transaction;
};

const quoteByPath = (view: View, id: string) =>
  view.get("Quote", id) ?? refuse("QUOTE_NOT_FOUND", { id, resource: "Quote" });

/** GET /quotes/{quoteId} (payments digest 9.5). */
export const getQuote: Reading<{ params: { quoteId: string } }, Quote> = (
  view,
  { params: { quoteId } },
) => showQuote(view, quoteByPath(view, quoteId));

const requireExecutable = (quote: QuoteRecord) => {
  if (quote.status === "EXPIRED")
    refuse("QUOTE_EXPIRED", { quoteId: quote.id, expiresAt: instant(quote.expiresAtMs) });
  if (!findMove(quoteLifecycle, quote.status, "fund"))
    refuse("QUOTE_ALREADY_EXECUTED", { id: quote.id, quoteStatus: quote.status });
};

/** Whether nobody signs for a quote, since no wallet pays it (wallets digest 4.1). */
export const isUnsignedQuote: Reading<{ params: { quoteId: string } }, boolean> = (
  view,
  { params: { quoteId } },
) => {
  const quote = view.get("Quote", quoteId);
  return quote !== undefined && quote.payloadToSign === undefined;
};

interface ExecuteInput {
  params: { quoteId: string };
  call: SignedCall;
}

/** A quote that may be executed now, with its parties and its money; refuses any other. */
const executable = (view: View, quoteId: string) => {
  const quote = quoteByPath(view, quoteId);
  if (quote.source.sourceType === "REALTIME_FUNDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: quote.id },
      "A quote that is funded just in time starts when its money arrives",
    );
  const transaction = paymentOfQuote(view, quote);
  const parties = partiesOf(view, quote, transaction);
  requireReadyParties(view, parties.payer, parties.payee);
  requireExecutable(quote);
  const funding = fundingOf(view, parties, quote.totalSendingMinor);
  return { quote, transaction, funding, wallet: parties.payer.internal };
};

/**
 * POST /quotes/{quoteId}/execute (payments digest 9.6, 9.8): debits the source and starts the
 * payment; a wallet's owner signs it first (C-16). Refuses a quote that is executed already or has
 * reached its expiry instant.
 */
export const executeQuote: SignedOperation<ExecuteInput, Quote> = {
  ask: (view, { params: { quoteId } }) => {
    const { quote, wallet } = executable(view, quoteId);
    const { payloadToSign, expiresAtMs } = quote;
    if (payloadToSign === undefined || !wallet) return "unsigned";
    return {
      wallet,
      activity: spending(wallet, quote),
      standing: { payloadToSign, untilMs: expiresAtMs },
    };
  },
  apply: (draft, { params: { quoteId } }, moment) => {
    const { transaction, funding } = executable(draft, quoteId);
    clearTimer(draft, "quote.expire", quoteId);
    fundPayment(draft, transaction, { ...funding, moment });
    return showQuote(draft, quoteByPath(draft, quoteId));
  },
};

/** Timer `quote.expire`: a quote nobody executed ends with its transaction (payments 9.7). */
export const expireQuote = (draft: Draft, subject: string, moment: Moment): Fired => {
  const quote = draft.get("Quote", subject);
  if (!quote || !findMove(quoteLifecycle, quote.status, "expire")) return {};
  const { status } = movePayment(draft, paymentOfQuote(draft, quote), { on: "expire", moment });
  return { from: quote.status, to: status };
};
