import { type CurrencyCode, currencyObject } from "../contract/currencies.ts";
import { accountTypeRow } from "../contract/external-account-types.ts";
import { railsOf } from "../contract/external-accounts.ts";
import type { Quote, QuoteInput } from "../contract/quotes.ts";
import { requireReady } from "./customers.ts";
import {
  BASE32,
  type Draft,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "./draft.ts";
import { DURATIONS } from "./durations.ts";
import { platformConfig } from "./events.ts";
import { findMove } from "./lifecycles/lifecycle.ts";
import { outgoingPaymentLifecycle } from "./lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "./lifecycles/quote.ts";
import { fundPayment, movePayment, startPayment } from "./payments.ts";
import { type QuotedAmounts, quoteAmounts } from "./quote-arithmetic.ts";
import { unitsPerUsd } from "./rates.ts";
import type {
  CustomerRecord,
  ExternalAccountRecord,
  InternalAccountRecord,
  QuoteRecord,
  TransactionRecord,
} from "./records.ts";
import { refuse } from "./refusal.ts";
import { clearTimer, type Fired, setTimer } from "./schedule.ts";

export const showQuote = (_view: View, quote: QuoteRecord): Quote => ({
  id: quote.id,
  status: quote.status,
  createdAt: instant(quote.createdAtMs),
  expiresAt: instant(quote.expiresAtMs),
  source: { sourceType: "ACCOUNT", ...quote.source },
  destination: { destinationType: "ACCOUNT", ...quote.destination },
  sendingCurrency: currencyObject(quote.sendingCurrency),
  receivingCurrency: currencyObject(quote.receivingCurrency),
  totalSendingAmount: quote.totalSendingMinor,
  totalReceivingAmount: quote.totalReceivingMinor,
  exchangeRate: quote.exchangeRate,
  feesIncluded: quote.feesMinor,
  transactionId: quote.transactionId,
  rateDetails: quote.rateDetails,
});

/** Who pays: the account, and the customer it is paid for, if any. */
interface Payer {
  account: InternalAccountRecord;
  customer: CustomerRecord | undefined;
}

const payerOf = (draft: View, source: QuoteInput["source"]): Payer => {
  if (source.sourceType !== "ACCOUNT")
    return refuse("NOT_IMPLEMENTED", { what: "A quote with a REALTIME_FUNDING source" });
  const { accountId, customerId } = source;
  if (draft.get("ExternalAccount", accountId))
    return refuse("NOT_IMPLEMENTED", { what: "A quote that pulls from an external account" });
  const account =
    draft.get("InternalAccount", accountId) ??
    refuse("ACCOUNT_NOT_FOUND", { field: "source.accountId", value: accountId });
  const customer = payingCustomer(draft, account, customerId);
  if (account.type === "EMBEDDED_WALLET")
    return refuse("NOT_IMPLEMENTED", { what: "A quote that pays from an embedded wallet" });
  return { account, customer };
};

const payingCustomer = (
  draft: View,
  account: InternalAccountRecord,
  customerId: string | undefined,
): CustomerRecord | undefined => {
  const field = "source.customerId";
  const named = customerId === undefined ? undefined : draft.get("Customer", customerId);
  // A deleted customer counts as unknown; that its own account is out of use is told below.
  const isUnknown = !named || (named.isDeleted && account.customerId !== named.id);
  if (customerId !== undefined && isUnknown)
    refuse("USER_NOT_FOUND_IN_BODY", { field, value: customerId });
  if (account.customerId === undefined) return named;
  if (customerId !== undefined && customerId !== account.customerId)
    refuse("OWNER_MISMATCH", { field, value: customerId });
  return draft.get("Customer", account.customerId);
};

type Payee = InternalAccountRecord | ExternalAccountRecord;

const payeeOf = (draft: View, destination: QuoteInput["destination"], payer: Payer): Payee => {
  if (destination.destinationType !== "ACCOUNT")
    return refuse("NOT_IMPLEMENTED", { what: "A quote to a UMA address" });
  const { accountId, paymentRail } = destination;
  const external = draft.get("ExternalAccount", accountId);
  const payee =
    external ??
    draft.get("InternalAccount", accountId) ??
    refuse("ACCOUNT_NOT_FOUND", { field: "destination.accountId", value: accountId });
  if (payee.id === payer.account.id)
    refuse("SELF_PAYMENT", { field: "destination.accountId", value: accountId });
  const rails = external
    ? railsOf(accountTypeRow(external.accountInfo.accountType), external.accountInfo)
    : [];
  if (paymentRail !== undefined && !rails.includes(paymentRail))
    refuse(
      "INVALID_INPUT",
      { field: "destination.paymentRail", value: paymentRail, allowed: rails },
      `The destination does not take ${paymentRail}`,
    );
  const owner = payer.account.customerId;
  const foreign = external?.customerId !== undefined && external.customerId !== owner;
  if (foreign && owner !== undefined)
    refuse("OWNER_MISMATCH", { field: "destination.accountId", value: accountId });
  return payee;
};

const requireActive = (account: Payee, field: string) => {
  if (account.status !== "ACTIVE")
    refuse("ACCOUNT_NOT_ACTIVE", { field, value: account.id, accountStatus: account.status });
};

const requireStatuses = (draft: View, payer: Payer, payee: Payee) => {
  const payeeCustomer =
    payee.customerId === undefined ? undefined : draft.get("Customer", payee.customerId);
  if (payeeCustomer?.isDeleted)
    refuse("CUSTOMER_DELETED_IN_PAYMENT", { field: "destination.accountId", value: payee.id });
  if (payer.customer?.isDeleted)
    refuse("CUSTOMER_DELETED_IN_PAYMENT", { field: "source.accountId", value: payer.account.id });
  requireActive(payer.account, "source.accountId");
  requireActive(payee, "destination.accountId");
  if (payer.customer) requireReady(payer.customer);
};

/** What the platform's settings say of sending a currency (payments O-77). */
const sendingSettings = (draft: View, code: CurrencyCode) => {
  const entry = platformConfig(draft).supportedCurrencies.find((one) => one.currencyCode === code);
  return entry?.enabledTransactionTypes.includes("OUTGOING")
    ? entry
    : refuse(
        "INVALID_CURRENCY",
        { field: "source.accountId", value: code, currency: code },
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

const requireBalance = (draft: View, account: InternalAccountRecord, neededMinor: number) => {
  const balance = Number(draft.balanceMinor(account.id, account.currency));
  if (balance < neededMinor)
    refuse("INSUFFICIENT_BALANCE", {
      accountId: account.id,
      currency: account.currency,
      balance,
      needed: neededMinor,
    });
};

const paymentOf = (
  quote: QuoteRecord,
  {
    draft,
    payer,
    description,
    moment,
  }: {
    draft: View;
    payer: Payer;
    description: string | undefined;
    moment: Moment;
  },
): TransactionRecord => {
  // A payment of the platform itself carries the platform's id twice (payments O-47).
  const platformId = platformConfig(draft).id;
  return {
    id: quote.transactionId,
    type: "OUTGOING",
    status: outgoingPaymentLifecycle.starts,
    sourceAccountId: quote.source.accountId,
    destinationAccountId: quote.destination.accountId,
    customerId: payer.customer?.id ?? platformId,
    platformCustomerId: payer.customer?.platformCustomerId ?? platformId,
    sendingCurrency: quote.sendingCurrency,
    receivingCurrency: quote.receivingCurrency,
    sentMinor: quote.totalSendingMinor,
    receivedMinor: quote.totalReceivingMinor,
    feesMinor: quote.feesMinor,
    exchangeRate: quote.exchangeRate,
    rateDetails: quote.rateDetails,
    quoteId: quote.id,
    ...(description !== undefined && { description }),
    reference: `REF-${moment.draw("payment-reference", 9, BASE32)}`,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
};

const quoteOf = (
  {
    body,
    amounts,
    payer,
    payee,
  }: {
    body: QuoteInput;
    amounts: QuotedAmounts;
    payer: Payer;
    payee: Payee;
  },
  moment: Moment,
): QuoteRecord => {
  const rail = "paymentRail" in body.destination ? body.destination.paymentRail : undefined;
  const customerId = "customerId" in body.source ? body.source.customerId : undefined;
  return {
    id: moment.newId("Quote"),
    status: quoteLifecycle.starts,
    expiresAtMs: moment.atMs + DURATIONS.quoteLifetimeMs,
    source: { accountId: payer.account.id, ...(customerId !== undefined && { customerId }) },
    destination: { accountId: payee.id, ...(rail !== undefined && { paymentRail: rail }) },
    sendingCurrency: payer.account.currency,
    receivingCurrency: payee.currency,
    ...amounts,
    transactionId: moment.newId("Transaction"),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
};

/**
 * POST /quotes (payments digest 9.4): locks the amounts for the quote's lifetime and makes its
 * transaction, PENDING. With `immediatelyExecute` it is executed in the same change, or refused
 * whole.
 */
export const createQuote: Rule<{ body: QuoteInput }, Quote> = (draft, { body }, moment) => {
  const payer = payerOf(draft, body.source);
  const payee = payeeOf(draft, body.destination, payer);
  requireStatuses(draft, payer, payee);
  const settings = sendingSettings(draft, payer.account.currency);
  const amounts = quoteAmounts({
    sending: payer.account.currency,
    receiving: payee.currency,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: body.lockedCurrencyAmount,
    rates: unitsPerUsd(draft),
  });
  requireWithin(amounts.totalSendingMinor, settings);
  if (body.immediatelyExecute) requireBalance(draft, payer.account, amounts.totalSendingMinor);

  const quote = quoteOf({ body, amounts, payer, payee }, moment);
  const transaction = paymentOf(quote, { draft, payer, description: body.description, moment });
  draft.put("Quote", quote);
  startPayment(draft, transaction, moment);
  if (body.immediatelyExecute) fundPayment(draft, transaction, moment);
  else
    setTimer(
      draft,
      { name: "quote.expire", subject: quote.id, dueAtMs: quote.expiresAtMs },
      moment,
    );
  return showQuote(draft, draft.get("Quote", quote.id) ?? quote);
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

const partiesOf = (draft: View, quote: QuoteRecord, { customerId }: TransactionRecord) => {
  const account = draft.get("InternalAccount", quote.source.accountId);
  const destination = quote.destination.accountId;
  const payee =
    draft.get("ExternalAccount", destination) ?? draft.get("InternalAccount", destination);
  if (!account || !payee)
    return refuse(
      "INVALID_BANK_ACCOUNT",
      { field: "destination.accountId", value: destination },
      `The account ${destination} was deleted`,
    );
  return { payer: { account, customer: draft.get("Customer", customerId) }, payee };
};

/**
 * POST /quotes/{quoteId}/execute (payments digest 9.6): debits the source and starts the payment.
 * Refuses a quote that is executed already or has reached its expiry instant.
 */
export const executeQuote: Rule<{ params: { quoteId: string } }, Quote> = (
  draft,
  { params: { quoteId } },
  moment,
) => {
  const quote = quoteByPath(draft, quoteId);
  const transaction = draft.get("Transaction", quote.transactionId);
  if (!transaction) return refuse("TRANSACTION_NOT_FOUND", { id: quote.transactionId });
  const { payer, payee } = partiesOf(draft, quote, transaction);
  requireStatuses(draft, payer, payee);
  requireExecutable(quote);
  requireBalance(draft, payer.account, quote.totalSendingMinor);
  clearTimer(draft, "quote.expire", quote.id);
  fundPayment(draft, transaction, moment);
  return showQuote(draft, quoteByPath(draft, quoteId));
};

/** Timer `quote.expire`: a quote nobody executed ends with its transaction (payments 9.7). */
export const expireQuote = (draft: Draft, subject: string, moment: Moment): Fired => {
  const quote = draft.get("Quote", subject);
  const transaction = quote && draft.get("Transaction", quote.transactionId);
  if (!quote || !transaction || !findMove(quoteLifecycle, quote.status, "expire")) return {};
  const { status } = movePayment(draft, transaction, { on: "expire", moment });
  return { from: quote.status, to: status };
};
