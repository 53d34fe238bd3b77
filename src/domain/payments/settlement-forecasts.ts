import { settlementSecondsOf } from "../../contract/payments/payment-rails.ts";
import { railsOfAccount } from "../accounts/shown-external-accounts.ts";
import { instant, type View } from "../core/draft.ts";
import { seconds } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import { keptIn, type LaterMembers } from "../core/revision.ts";
import type { ExternalAccountRecord, OutgoingRecord, RailRecord } from "../records/records.ts";

/** The rail to an account: the requested one, or the first that the account takes. */
export const chosenRail = (
  view: View,
  account: ExternalAccountRecord | undefined,
  requested: RailRecord["name"] | undefined,
): RailRecord | undefined => {
  if (requested !== undefined) return { name: requested, mode: "MANUAL" };
  const [name] = account ? railsOfAccount(view, account) : [];
  return name && { name, mode: "AUTO" };
};

/**
 * The rail of a payment (spec/later-payments.md#settlement-forecasts). Records of the first revision
 * keep none: theirs is that of the account, while there is one.
 */
export const railOf = (view: View, transaction: OutgoingRecord): RailRecord | undefined => {
  const { rail, destination, quoteId, creditsAccountId } = transaction;
  if (rail || destination.destinationType !== "ACCOUNT" || creditsAccountId !== undefined)
    return rail;
  const quote = quoteId === undefined ? undefined : view.get("Quote", quoteId);
  const asked = quote?.destination.destinationType === "ACCOUNT" ? quote.destination : undefined;
  return chosenRail(view, view.get("ExternalAccount", destination.accountId), asked?.paymentRail);
};

/** Seconds to the settlement of a payment; null where its rail is not known. */
export const settlementSeconds = (view: View, transaction: OutgoingRecord): number | null =>
  settlementSecondsOf(railOf(view, transaction)?.name) ?? null;

/** The instant at which a payment over a slow rail should settle; null for any other. */
export const expectedSettlement = (view: View, transaction: OutgoingRecord): string | null => {
  const lasting = settlementSeconds(view, transaction);
  return lasting ? instant(transaction.createdAtMs + seconds(lasting)) : null;
};

/** Tells whether a rail settles at once; a payment without a known rail does not tell. */
export const isInstantRail = (name: string) => settlementSecondsOf(name) === 0;

type RailChoice = [
  account: ExternalAccountRecord | undefined,
  requested: RailRecord["name"] | undefined,
];

const KEPT: LaterMembers<Pick<OutgoingRecord, "rail">, RailChoice> = {
  rail: { since: "settlementForecasts", value: (view, choice) => chosenRail(view, ...choice) },
};

/** The rail as a new payment keeps it; those of the first revision keep none. */
export const keptRail = (view: View, ...choice: RailChoice): Pick<OutgoingRecord, "rail"> =>
  keptIn(view, choice, KEPT);

/** Refuses a rail that the account of a payee does not take. */
export const requireTakenRail = (
  view: View,
  account: ExternalAccountRecord | undefined,
  requested: RailRecord["name"] | undefined,
) => {
  const rails = account ? railsOfAccount(view, account) : [];
  if (requested !== undefined && !rails.includes(requested))
    refuse(
      "INVALID_INPUT",
      { field: "destination.paymentRail", value: requested, allowed: rails },
      `The destination does not take ${requested}`,
    );
};
