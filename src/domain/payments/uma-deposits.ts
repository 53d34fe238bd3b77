import { type Draft, find, type View } from "../core/draft.ts";
import { isChanged } from "../core/revision.ts";
import { LATER_OUTCOMES } from "../outcomes/later-outcomes.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor, UMA_DEPOSIT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type { ExternalAccountRecord, IncomingRecord } from "../records/records.ts";
import { rowName, rowsThatApply } from "./outcome-steps.ts";

/** The customer and the currency of a deposit. */
type Received = Pick<IncomingRecord, "customerId" | "receivingCurrency">;

/**
 * The external account that a customer's UMA money is paid out to: the default one, if it holds the
 * received currency. Otherwise the primary account is credited (spec/uma-payments.md#deposit-account).
 */
export const depositOf = (
  view: View,
  { customerId, receivingCurrency }: Received,
): ExternalAccountRecord | undefined =>
  find(view, "ExternalAccount", ["byOwner", customerId]).find(
    ({ defaultUmaDepositAccount, currency }) =>
      defaultUmaDepositAccount && currency === receivingCurrency,
  );

/** The course of a deposit row; a returned one ends otherwise since `incomingRefunds`. */
const courseOf = (view: View, row: string) =>
  row in LATER_OUTCOMES.returnedDeposit && isChanged(view, "incomingRefunds")
    ? `returnedDeposit.${row}`
    : rowName("umaDeposit", row);

/**
 * The rows of an approved payment: those it has, and that of its deposit, read at approval
 * (spec/uma-payments.md#deposit-rows).
 */
export const approvedRows = (
  draft: Draft,
  { course, customerId, creditsAccountId }: IncomingRecord,
  deposit: ExternalAccountRecord | undefined,
): string[] => {
  const suffix = deposit && scenarioSuffix(deposit.accountInfo);
  const { row } = outcomeFor(UMA_DEPOSIT_OUTCOMES, suffix);
  const before = course?.rows ?? [];
  const rows = [...before, rowName("umaDeposit", row)];
  if (rowsThatApply(rows).length < rows.length) return rows;
  const about = [customerId, deposit?.id ?? creditsAccountId];
  return [...before, courseOf(draft, takeRow(draft, { table: "umaDeposit", row, about }))];
};
