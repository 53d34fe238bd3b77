import type { PaymentRail } from "../../contract/core/account-fields.ts";
import { defined } from "../../contract/core/defined.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { View } from "../core/draft.ts";
import type { OutgoingRecord, TransactionRecord } from "../records/records.ts";
import { fundingInstructionsOf } from "./quote-instructions.ts";

/** The sender's side of money that came for a quote, as a bank reports it. */
interface Origin {
  accountHolderName?: string;
  accountIdentifier?: string;
  bankName?: string;
  bankIdentifier?: string;
  paymentRail?: PaymentRail;
  remittanceInformation?: string;
  endToEndId?: string;
  traceNumber?: string;
}

/** Digits that are the same whenever a payment is shown. */
const digitsOf = (id: string, what: string, length: number) =>
  BigInt(`0x${digestHex(`${id} ${what}`)}`)
    .toString()
    .slice(-length);

/** Tells whether money has come for a payment, whatever became of it. */
const hasCome = ({ course, collectedMinor, refund }: OutgoingRecord) =>
  course !== undefined || collectedMinor !== undefined || refund !== undefined;

const nameOf = (view: View, customerId: string | undefined) => {
  const customer = customerId === undefined ? undefined : view.get("Customer", customerId);
  return customer?.fullName ?? customer?.businessInfo?.legalName;
};

/** The first bank rail that the quote of a payment is to be funded over. */
const fundedOver = (view: View, { quoteId }: OutgoingRecord): PaymentRail | undefined => {
  const quote = quoteId === undefined ? undefined : view.get("Quote", quoteId);
  const items = (quote && fundingInstructionsOf(view, quote)) ?? [];
  const rails = items.flatMap(
    ({ accountOrWalletInfo: { paymentRails } }) => (paymentRails ?? []) as PaymentRail[],
  );
  return rails[0];
};

/**
 * The bank account that paid for a quote, once its money has come; nothing for money of a chain
 * (spec/later-payments.md#funding-origins).
 */
export const fundingOrigin = (view: View, transaction: TransactionRecord): Origin => {
  const { id, source, reference } = transaction;
  if (source.sourceType !== "REALTIME_FUNDING" || transaction.type !== "OUTGOING") return {};
  const paymentRail = hasCome(transaction) ? fundedOver(view, transaction) : undefined;
  if (paymentRail === undefined) return {};
  const isAmerican = transaction.sendingCurrency === "USD";
  return {
    ...defined({ accountHolderName: nameOf(view, source.customerId) }),
    accountIdentifier: `****${digitsOf(id, "account", 4)}`,
    bankName: "Sandbox Payer Bank",
    ...(isAmerican && { bankIdentifier: "091000019" }),
    paymentRail,
    remittanceInformation: reference,
    endToEndId: `E2E-${digestHex(`${id} end`).slice(0, 20).toUpperCase()}`,
    ...(isAmerican && { traceNumber: digitsOf(id, "trace", 15) }),
  };
};
