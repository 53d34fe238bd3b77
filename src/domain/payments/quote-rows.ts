import type { Draft } from "../core/draft.ts";
import { sandboxNameIn } from "../customers/uma-addresses.ts";
import { type RowChoice, takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor, PULL_OUTCOMES, QUOTED_PAYMENT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type { ExternalAccountRecord, OutgoingRecord } from "../records/records.ts";
import { rowName, rowsThatApply } from "./outcome-steps.ts";
import type { Parties, Payee } from "./quote-parties.ts";

type RequestedRow = Pick<RowChoice, "table" | "row">;

/** The row of a quoted payment that its payee asks for (spec/quotes.md#outcome-rows). */
const deliveryAsked = ({ destination, internal, external }: Payee): RequestedRow => {
  const isOutside = destination.destinationType === "UMA_ADDRESS" && !internal;
  const person = isOutside ? sandboxNameIn(destination.umaAddress) : undefined;
  if (person) return { table: "umaPayment", row: person };
  const suffix = external && scenarioSuffix(external.accountInfo);
  return { table: "quotedPayment", row: outcomeFor(QUOTED_PAYMENT_OUTCOMES, suffix).row };
};

/** A quoted payment whose money starts to move. */
export interface StartingPayment {
  parties: Parties;
  transaction: OutgoingRecord;
}

/** Ids of the records that a quoted payment concerns. */
export const paymentAbout = ({ parties, transaction }: StartingPayment) => {
  const { payer, payee } = parties;
  const { customerId, agentId } = transaction;
  const accounts = [payer, payee].flatMap(({ internal, external }) => [internal?.id, external?.id]);
  return [...accounts, payer.ownerId, payer.customer?.id, customerId, agentId];
};

/** The outcome row of a quoted payment, chosen at execution (spec/quotes.md#outcome-rows). */
export const deliveryRow = (draft: Draft, payment: StartingPayment): string => {
  const requestedRow = deliveryAsked(payment.parties.payee);
  const row = takeRow(draft, { ...requestedRow, about: paymentAbout(payment) });
  return rowName(requestedRow.table as "quotedPayment" | "umaPayment", row);
};

/**
 * The rows of a payment that pulls its money: that of the pull, and of the delivery unless the pull
 * ends the payment (spec/quotes.md#pull-rows).
 */
export const pulledRows = (
  draft: Draft,
  { accountInfo }: ExternalAccountRecord,
  payment: StartingPayment,
): string[] => {
  const { row } = outcomeFor(PULL_OUTCOMES, scenarioSuffix(accountInfo));
  const about = paymentAbout(payment);
  const pull = rowName("pull", takeRow(draft, { table: "pull", row, about }));
  const delivery = deliveryAsked(payment.parties.payee);
  const table = delivery.table as "quotedPayment" | "umaPayment";
  const isEnd = rowsThatApply([pull, rowName(table, delivery.row)]).length === 1;
  return [pull, isEnd ? rowName(table, delivery.row) : deliveryRow(draft, payment)];
};
