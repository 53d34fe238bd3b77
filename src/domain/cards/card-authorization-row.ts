import type { Draft } from "../core/draft.ts";
import {
  CARD_AUTHORIZATION_OUTCOMES,
  lastThree,
  type PullOutcome,
} from "../outcomes/card-outcomes.ts";
import { chooseRow, useRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import type { CardRecord } from "../records/card-records.ts";

/**
 * The outcome row for a merchant's descriptor (spec/card-transactions.md#authorization-outcomes).
 */
export const authorizationRow = (ending: string) =>
  outcomeFor<PullOutcome>(CARD_AUTHORIZATION_OUTCOMES, ending);

/** The row of a new authorization; only one that the row decides uses up a row that was set. */
export const takeAuthorizationRow = (
  draft: Draft,
  card: CardRecord,
  { descriptor, isDecided }: { descriptor: string; isDecided: boolean },
): { row: string; outcome: PullOutcome; setRow?: string } => {
  const suffixOutcome = authorizationRow(lastThree(descriptor));
  if (!isDecided) return suffixOutcome;
  const chosen = chooseRow(draft, {
    table: "cardAuthorization",
    row: suffixOutcome.row,
    about: [card.id, card.cardholderId, ...card.fundingSources],
  });
  const row = useRow(draft, chosen);
  return { ...authorizationRow(row), ...(chosen.setBy !== undefined && { setRow: row }) };
};
