import type { Quote } from "../../contract/payments/quotes.ts";
import { digestHex } from "../../crypto/digest.ts";
import { requireBalance } from "../accounts/internal-accounts.ts";
import { type Draft, instant, type Moment, type Reading, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer } from "../core/schedule.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import { quoteLifecycle } from "../lifecycles/quote.ts";
import type { InternalAccountRecord, OutgoingRecord, QuoteRecord } from "../records/records.ts";
import type { SignedCall, SignedOperation, SigningRequest } from "../wallets/signed-operations.ts";
import { providerNames, type WalletActivity } from "../wallets/wallet-activities.ts";
import { type Funding, fundPayment } from "./outgoing-payments.ts";
import { type Parties, partiesOf, requireReadyParties } from "./quote-parties.ts";
import { deliveryRow, pulledRows, type StartingPayment } from "./quote-rows.ts";
import { paymentOfQuote, quoteByPath, showQuote } from "./quotes.ts";
import { requireVolume } from "./transaction-limits.ts";

/** Refuses to take more than the paying account holds; external balances are not known here. */
export const requireFunds = (view: View, { payer }: Parties, totalMinor: number) => {
  if (payer.internal) requireBalance(view, payer.internal, totalMinor);
};

/** The source of an executed quote's money, and the rows that decide its outcome. */
const fundingOf = (draft: Draft, payment: StartingPayment, totalMinor: number): Funding => {
  const { external } = payment.parties.payer;
  if (external) return { rows: pulledRows(draft, external, payment) };
  return { rows: [deliveryRow(draft, payment)], collectedMinor: totalMinor };
};

/** The activity that a wallet's owner signs to pay a quote (spec/quotes.md#wallet-source). */
export const spending = (wallet: InternalAccountRecord, { id }: QuoteRecord): WalletActivity => ({
  type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
  generateAppProofs: true,
  parameters: {
    signWith: providerNames(wallet).signWith,
    type: "TRANSACTION_TYPE_ETHEREUM",
    unsignedTransaction: digestHex(`payment of ${id}`),
  },
});

/** Refuses a quote that is executed already, or has reached its expiry instant. */
export const requireExecutable = (quote: QuoteRecord) => {
  if (quote.status === "EXPIRED")
    refuse("QUOTE_EXPIRED", { quoteId: quote.id, expiresAt: instant(quote.expiresAtMs) });
  if (!findMove(quoteLifecycle, quote.status, "fund"))
    refuse("QUOTE_ALREADY_EXECUTED", { id: quote.id, quoteStatus: quote.status });
};

/**
 * True for a quote that needs no signature, since no wallet pays it
 * (spec/signed-retry.md#first-call).
 */
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

/** A quote with its payment and its parties, looked up and checked once. */
export interface PayableQuote {
  quote: QuoteRecord;
  transaction: OutgoingRecord;
  parties: Parties;
}

/** Refuses a quote that is not executed by a call, and parties that may not move money now. */
export const payableQuote = (view: View, quote: QuoteRecord): PayableQuote => {
  if (quote.source.sourceType === "REALTIME_FUNDING")
    refuse(
      "INVALID_INPUT",
      { field: "quoteId", value: quote.id },
      {
        says: "A quote that is funded just in time starts when its money arrives",
        next: "Pay as its paymentInstructions say; in the sandbox, POST /sandbox/send does it",
      },
    );
  const transaction = paymentOfQuote(view, quote);
  const parties = partiesOf(view, quote, transaction);
  requireReadyParties(view, parties.payer, parties.payee);
  return { quote, transaction, parties };
};

/** The request that a wallet's owner signs before a quote is paid from the wallet. */
export const paymentSigningRequest = ({
  quote,
  parties,
}: PayableQuote): SigningRequest | "unsigned" => {
  const { payloadToSign, expiresAtMs } = quote;
  const wallet = parties.payer.internal;
  if (payloadToSign === undefined || !wallet) return "unsigned";
  return {
    wallet,
    activity: spending(wallet, quote),
    standing: { payloadToSign, untilMs: expiresAtMs },
  };
};

/** Takes the money of a quote that may be executed and starts its payment. */
export const startQuote = (
  draft: Draft,
  { quote, transaction, parties }: PayableQuote,
  moment: Moment,
): OutgoingRecord => {
  clearTimer(draft, "quote.expire", quote.id);
  const funding = fundingOf(draft, { parties, transaction }, quote.totalSendingMinor);
  return fundPayment(draft, transaction, { ...funding, moment });
};

/** A quote that may be executed now; refuses any other. */
const executable = (view: View, quoteId: string, moment: Moment): PayableQuote => {
  const payable = payableQuote(view, quoteByPath(view, quoteId));
  requireExecutable(payable.quote);
  const { sendingCurrency: currency, totalSendingMinor: amountMinor } = payable.quote;
  requireFunds(view, payable.parties, amountMinor);
  requireVolume(view, { currency, amountMinor }, moment);
  return payable;
};

/**
 * POST /quotes/{quoteId}/execute: debits the source and starts the payment; a wallet's owner signs
 * first (spec/quotes.md#execution). Refuses a quote that is executed already or has reached its
 * expiry instant.
 */
export const executeQuote: SignedOperation<ExecuteInput, Quote> = (view, { params }, now) => {
  const { quoteId } = params;
  const payable = executable(view, quoteId, now);
  return {
    toSign: paymentSigningRequest(payable),
    apply: (draft, moment) => {
      startQuote(draft, payable, moment);
      return showQuote(draft, quoteByPath(draft, quoteId));
    },
  };
};
