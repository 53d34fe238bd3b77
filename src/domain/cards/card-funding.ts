import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Draft, View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";
import { FUNDING_SOURCE_OUTCOMES, lastThree } from "../outcomes/card-outcomes.ts";
import { type ChosenRow, chooseRows, refuseByRow, useRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { CustomerRecord, InternalAccountRecord } from "../records/records.ts";

/** Currencies of cards (spec/cards.md#eligibility). */
const CARD_CURRENCIES: readonly CurrencyCode[] = ["USDB", "USD"];

const fieldAt = (position: number) => `fundingSources.${position}`;

/**
 * The accounts that a body names, in its order (spec/cards.md#funding-sources). Refuses an id that
 * is not an internal account.
 */
export const accountsNamed = (view: View, ids: readonly string[]): InternalAccountRecord[] =>
  ids.map((value, position) => {
    const field = fieldAt(position);
    if (view.get("ExternalAccount", value))
      refuse("ACCOUNT_KIND_NOT_ALLOWED", {
        field,
        value,
        found: "an external account",
        expected: "an internal one",
      });
    return view.get("InternalAccount", value) ?? refuse("ACCOUNT_NOT_FOUND", { field, value });
  });

interface Funding {
  cardholder: CustomerRecord;
  /** The card's currency, if it already has one. */
  currency?: CurrencyCode;
}

type SourceOutcome = { says: string; isEligible: boolean };

const objection = (
  { customerId, status, currency: own }: InternalAccountRecord,
  { cardholder, currency = own }: Funding,
): string | undefined => {
  if (customerId !== cardholder.id) return "it is not the cardholder's";
  if (status !== "ACTIVE") return `it is ${status}`;
  if (!CARD_CURRENCIES.includes(own)) return `cards are in ${CARD_CURRENCIES.join(" or ")}`;
  return own === currency ? undefined : `it is in ${own}, not in ${currency}`;
};

const sourceOutcome = (row: string) =>
  outcomeFor<SourceOutcome>(FUNDING_SOURCE_OUTCOMES, row).outcome;

/** The rows of the accounts that are to fund a card, in their order. */
const sourceRows = (view: View, ids: readonly string[]): ChosenRow[] =>
  chooseRows(
    view,
    ids.map((id) => ({
      table: "fundingSource",
      row: outcomeFor<SourceOutcome>(FUNDING_SOURCE_OUTCOMES, lastThree(id)).row,
      about: [id, view.get("InternalAccount", id)?.customerId],
    })),
  );

/** Notes the rows of the accounts that fund a card. */
export const noteSources = (draft: Draft, ids: readonly string[]) => {
  for (const chosen of sourceRows(draft, ids))
    draft.decidedBy(ruleName("fundingSource", useRow(draft, chosen)));
};

/**
 * The common currency of funding sources (spec/cards.md#eligibility). Refuses an account of another
 * owner, not ACTIVE, in another currency, or with an ineligible ending
 * (spec/cards.md#source-endings).
 */
export const fundingCurrency = (
  view: View,
  accounts: readonly InternalAccountRecord[],
  { cardholder, currency: wantedCurrency }: Funding,
): CurrencyCode => {
  const currency = wantedCurrency ?? accounts[0]?.currency;
  assertInvariant(currency !== undefined, "a card with a funding source");
  const rows = sourceRows(
    view,
    accounts.map(({ id }) => id),
  );
  for (const [position, account] of accounts.entries()) {
    const chosen = rows[position] as ChosenRow;
    const { says, isEligible } = sourceOutcome(chosen.row);
    const detailsOf = (why: string) => ({ field: fieldAt(position), value: account.id, why });
    const why = objection(account, { cardholder, currency });
    if (why !== undefined) refuse("FUNDING_SOURCE_INELIGIBLE", detailsOf(why));
    if (!isEligible) refuseByRow(chosen, "FUNDING_SOURCE_INELIGIBLE", { details: detailsOf(says) });
  }
  return currency;
};
