import { find, type View } from "../core/draft.ts";
import { outcomeFor, UMA_DEPOSIT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type { ExternalAccountRecord, IncomingRecord } from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";

/** Whose money it is, and in which currency. */
type Received = Pick<IncomingRecord, "customerId" | "receivingCurrency">;

/**
 * The account outside that a customer's UMA money is paid out to: its default one, if that holds
 * the received currency. Without one the primary internal account is credited (payments 12).
 */
export const depositOf = (
  view: View,
  { customerId, receivingCurrency }: Received,
): ExternalAccountRecord | undefined =>
  find(view, "ExternalAccount", ["byOwner", customerId]).find(
    ({ defaultUmaDepositAccount, currency }) =>
      defaultUmaDepositAccount && currency === receivingCurrency,
  );

/** The row that decides how a deposit goes: read when the money starts to move (payments O-60). */
export const depositRow = (deposit: ExternalAccountRecord | undefined): string => {
  const suffix = deposit && scenarioSuffix(deposit.accountInfo);
  return rowName("umaDeposit", outcomeFor(UMA_DEPOSIT_OUTCOMES, suffix).row);
};
