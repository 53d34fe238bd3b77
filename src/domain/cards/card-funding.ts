import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";
import { FUNDING_SOURCE_OUTCOMES, lastThree } from "../outcomes/card-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
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

const objection = (
  { id, customerId, status, currency: own }: InternalAccountRecord,
  { cardholder, currency = own }: Funding,
): string | undefined => {
  if (customerId !== cardholder.id) return "it is not the cardholder's";
  if (status !== "ACTIVE") return `it is ${status}`;
  if (!CARD_CURRENCIES.includes(own)) return `cards are in ${CARD_CURRENCIES.join(" or ")}`;
  if (own !== currency) return `it is in ${own}, not in ${currency}`;
  const { outcome } = outcomeFor<{ says: string; isEligible: boolean }>(
    FUNDING_SOURCE_OUTCOMES,
    lastThree(id),
  );
  return outcome.isEligible ? undefined : outcome.says;
};

/**
 * The common currency of funding sources (spec/cards.md#eligibility). Refuses an account of another
 * owner, not ACTIVE, in another currency, or with an ineligible ending
 * (spec/cards.md#source-endings).
 */
export const fundingCurrency = (
  accounts: readonly InternalAccountRecord[],
  { cardholder, currency: given }: Funding,
): CurrencyCode => {
  const currency = given ?? accounts[0]?.currency;
  assertInvariant(currency !== undefined, "a card with a funding source");
  for (const [position, account] of accounts.entries()) {
    const why = objection(account, { cardholder, currency });
    if (why !== undefined)
      refuse("FUNDING_SOURCE_INELIGIBLE", { field: fieldAt(position), value: account.id, why });
  }
  return currency;
};
