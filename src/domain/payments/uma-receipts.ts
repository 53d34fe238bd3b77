import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { UmaReceiveInput } from "../../contract/payments/sandbox.ts";
import type { IncomingTransaction } from "../../contract/payments/transactions.ts";
import type { SupportedCurrency } from "../../contract/platform/config.ts";
import { type Draft, drawReference, type Moment, type Rule, type View } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn, keptIn, type LaterMembers } from "../core/revision.ts";
import { refuseCustomer } from "../core/unknown-customers.ts";
import { isKnown, partyIdsOf } from "../customers/customers.ts";
import {
  counterpartyInformation,
  customerAt,
  primaryAccount,
  requireUmaAddress,
  sandboxDirectory,
  sandboxPersonAt,
} from "../customers/uma-addresses.ts";
import { incomingPaymentLifecycle } from "../lifecycles/incoming-payment.ts";
import { settingsToMove } from "../money/currency-settings.ts";
import { incomingFees, type ReceivedAmounts, sentAmounts } from "../money/incoming-arithmetic.ts";
import { requireRoom } from "../money/ledger.ts";
import { unitsPerUsd } from "../money/rates.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import type { UmaLocalPart } from "../outcomes/outcomes.ts";
import type {
  CustomerRecord,
  ExternalAccountRecord,
  IncomingRecord,
  InternalAccountRecord,
} from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";
import { showIncoming } from "./transactions.ts";
import { depositOf } from "./uma-deposits.ts";

const byId = (view: View, id: string): CustomerRecord => {
  const customer = view.get("Customer", id);
  // A deleted customer counts as unknown.
  return customer && !customer.isDeleted ? customer : refuseCustomer(view, id, "customerId");
};

const byAddress = (view: View, address: string): CustomerRecord =>
  customerAt(view, address) ?? refuseCustomer(view, address, "receiverUmaAddress");

/** The customer who is paid, by id, address or both (spec/uma-payments.md#receive-request). */
const receiverOf = (view: View, input: UmaReceiveInput): CustomerRecord => {
  const { customerId, receiverUmaAddress: address } = input;
  const field = "receiverUmaAddress";
  if (address === undefined)
    return customerId === undefined
      ? refuse("INVALID_INPUT", { field }, `Expected ${field} or customerId but found neither`)
      : byId(view, customerId);
  const named = customerId === undefined ? undefined : byId(view, customerId);
  const customer = byAddress(view, address);
  if (named && named.id !== customer.id)
    refuse(
      "INVALID_INPUT",
      { field, value: address, customerId },
      `${address} is not the address of ${customerId}`,
    );
  return customer;
};

/** The person of the sandbox who pays; customers cannot be senders here. */
const senderOf = (view: View, umaAddress: string) => {
  const person = sandboxPersonAt(view, umaAddress);
  if (person) return person;
  const directory = sandboxDirectory(view);
  return refuse(
    "UMA_NOT_FOUND",
    { id: umaAddress, field: "senderUmaAddress", value: umaAddress, ...directory },
    {
      says: `${umaAddress} is unknown at the sandbox's UMA domain`,
      next: `Use ${directory.sandboxPeople} at ${directory.sandboxDomains}`,
    },
  );
};

/** The destination of the money, unless the default deposit account changes before approval. */
interface ReceiptAccounts {
  primary: InternalAccountRecord | undefined;
  deposit: ExternalAccountRecord | undefined;
}

const placeOf = (view: View, { id }: CustomerRecord, currency: CurrencyCode): ReceiptAccounts => ({
  primary: primaryAccount(view, id, currency),
  deposit: depositOf(view, { customerId: id, receivingCurrency: currency }),
});

const requireActive = ({ primary, deposit }: ReceiptAccounts, { customerId }: UmaReceiveInput) => {
  if (primary && !deposit && primary.status !== "ACTIVE")
    refuse("ACCOUNT_NOT_ACTIVE", {
      field: customerId === undefined ? "receiverUmaAddress" : "customerId",
      value: primary.id,
      accountId: primary.id,
      accountStatus: primary.status,
    });
};

const refuseCurrency = (code: string, sentence?: string) =>
  refuse(
    "INVALID_CURRENCY",
    { field: "receivingCurrencyCode", value: code, currency: code },
    sentence,
  );

/** The platform's settings for receiving a currency. */
const receivingSettings = (view: View, code: CurrencyCode) =>
  settingsToMove(view, { code, field: "receivingCurrencyCode" }, "INCOMING");

const requireWithin = (amount: number, bounds: { minAmount: number; maxAmount: number }) => {
  const { minAmount: min, maxAmount: max } = bounds;
  if (amount < min || amount > max)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "receivingCurrencyAmount", value: amount, min, max },
      `The amount is ${amount}, outside ${min} to ${max}`,
    );
};

/** Refuses a payment that could not be credited even if it were approved at once. */
const requireCreditable = (
  draft: Draft,
  { primary, deposit }: ReceiptAccounts,
  { currency, amountMinor }: { currency: CurrencyCode; amountMinor: number },
): InternalAccountRecord => {
  if (!primary)
    return refuseCurrency(currency, `The customer has no account that holds ${currency}`);
  const credit = { account: primary.id, currency, amountMinor: BigInt(amountMinor) };
  if (!deposit) requireRoom(draft, credit, "receivingCurrencyAmount");
  return primary;
};

/**
 * Fields that the currency's provider needs and the customer lacks
 * (spec/uma-payments.md#requested-fields).
 */
const requestedFieldsOf = (
  customer: CustomerRecord,
  { providerRequiredCustomerFields = [] }: SupportedCurrency,
) => providerRequiredCustomerFields.filter((field) => !isKnown(customer, field));

/**
 * The sender's side of a payment, in the currency that the person's name ends in
 * (spec/later-payments.md#incoming-sides).
 */
const sentSide = (
  view: View,
  { sender, received }: { sender: UmaLocalPart; received: ReceivedAmounts },
): IncomingRecord["sent"] => {
  const sending = sender.slice(sender.lastIndexOf(".") + 1).toUpperCase();
  if (!isCurrencyIn(view, sending)) return undefined;
  const { currency: receiving, ...amounts } = received;
  return sentAmounts({ sending, receiving, ...amounts }, unitsPerUsd(view));
};

const KEPT: LaterMembers<Pick<IncomingRecord, "sent">, Parameters<typeof sentSide>[1]> = {
  sent: { since: "incomingSides", value: sentSide },
};

/** Asks the platform for its approval; only this event lists the requested fields. */
const askForApproval = (draft: Draft, transaction: IncomingRecord, moment: Moment) => {
  const { requestedFields } = transaction;
  const data = {
    ...showIncoming(draft, transaction),
    ...(requestedFields && {
      requestedReceiverCustomerInfoFields: requestedFields.map((name) => ({
        name,
        mandatory: true,
      })),
    }),
  };
  emit(draft, moment, { type: "INCOMING_PAYMENT.PENDING", data });
};

/**
 * POST /sandbox/uma/receive: a person of the sandbox pays a customer. The payment waits, PENDING,
 * for the answer of the platform's webhook receiver (spec/uma-payments.md#announced-payment).
 */
export const receiveUmaPayment: Rule<{ body: UmaReceiveInput }, IncomingTransaction> = (
  draft,
  { body },
  moment,
) => {
  const { senderUmaAddress, receivingCurrencyCode: code, receivingCurrencyAmount: amount } = body;
  // The form of addresses is checked before the parties are looked up.
  requireUmaAddress(senderUmaAddress, "senderUmaAddress");
  if (body.receiverUmaAddress !== undefined)
    requireUmaAddress(body.receiverUmaAddress, "receiverUmaAddress");
  const customer = receiverOf(draft, body);
  const sender = senderOf(draft, senderUmaAddress);
  if (!isCurrencyIn(draft, code)) return refuseCurrency(code);
  const place = placeOf(draft, customer, code);
  requireActive(place, body);
  const settings = receivingSettings(draft, code);
  requireWithin(amount, settings);
  const primary = requireCreditable(draft, place, { currency: code, amountMinor: amount });
  if (platformConfig(draft).webhookEndpoint === undefined) refuse("WEBHOOK_ENDPOINT_NOT_SET");

  const requestedFields = requestedFieldsOf(customer, settings);
  const counterparty = counterpartyInformation(draft, code);
  const about = [customer.id, primary.id, place.deposit?.id];
  const row = takeRow(draft, { table: "umaSender", row: sender, about });
  const fees = incomingFees({ currency: code, receivedMinor: amount }, unitsPerUsd(draft));
  const transaction: IncomingRecord = {
    id: moment.newId("Transaction"),
    type: "INCOMING",
    status: incomingPaymentLifecycle.starts,
    source: { sourceType: "UMA_ADDRESS", umaAddress: senderUmaAddress },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: customer.umaAddress },
    ...partyIdsOf(draft, customer),
    receivingCurrency: code,
    receivedMinor: amount,
    ...fees,
    ...keptIn(
      draft,
      { sender, received: { currency: code, receivedMinor: amount, ...fees } },
      KEPT,
    ),
    ...(counterparty && { counterpartyInformation: counterparty }),
    ...(requestedFields.length > 0 && { requestedFields }),
    reference: drawReference(moment),
    creditsAccountId: primary.id,
    course: { rows: [rowName("umaSender", row)], step: 0 },
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Transaction", transaction);
  askForApproval(draft, transaction, moment);
  return showIncoming(draft, transaction);
};
