import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Draft, View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse, refuseByRule } from "../core/refusal.ts";
import { FUNDING_SOURCE_OUTCOMES, lastThree } from "../outcomes/card-outcomes.ts";
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

const objection = (
  { id, customerId, status, currency: own }: InternalAccountRecord,
  { cardholder, currency = own }: Funding,
): { why: string; rule?: string } | undefined => {
  if (customerId !== cardholder.id) return { why: "it is not the cardholder's" };
  if (status !== "ACTIVE") return { why: `it is ${status}` };
  if (!CARD_CURRENCIES.includes(own))
    return { why: `cards are in ${CARD_CURRENCIES.join(" or ")}` };
  if (own !== currency) return { why: `it is in ${own}, not in ${currency}` };
  const { row, outcome } = sourceOutcome(id);
  if (outcome.isEligible) return undefined;
  return { why: outcome.says, rule: ruleName("fundingSource", row) };
};

const sourceOutcome = (id: string) =>
  outcomeFor<{ says: string; isEligible: boolean }>(FUNDING_SOURCE_OUTCOMES, lastThree(id));

/** Notes the rows of the accounts that fund a card. */
export const noteSources = (draft: Draft, ids: readonly string[]) => {
  for (const id of ids) draft.decidedBy(ruleName("fundingSource", sourceOutcome(id).row));
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
    const found = objection(account, { cardholder, currency });
    if (!found) continue;
    const { why, rule } = found;
    const details = { field: fieldAt(position), value: account.id, why };
    if (rule !== undefined) refuseByRule(rule, "FUNDING_SOURCE_INELIGIBLE", details);
    refuse("FUNDING_SOURCE_INELIGIBLE", details);
  }
  return currency;
};
