import { releaseHold } from "./card-money.ts";
import { type Draft, find, type Moment } from "./draft.ts";
import { cardTransactionLifecycle } from "./lifecycles/card-transaction.ts";
import { moveOf } from "./lifecycles/lifecycle.ts";
import { clearTimer } from "./schedule.ts";

/**
 * Ends what is open on a card that is closed: SETTLED with what has cleared, the rest of each hold
 * given back (decisions, Closing). Each may still be cleared once, late.
 */
export const endOpenTransactions = (draft: Draft, cardId: string, moment: Moment) => {
  for (const open of find(draft, "CardTransaction", ["byCard", cardId])) {
    if (open.status !== "AUTHORIZED" && open.status !== "PARTIALLY_SETTLED") continue;
    const released = releaseHold(draft, open, moment);
    clearTimer(draft, "card.confirm", open.id);
    draft.put("CardTransaction", {
      ...released,
      status: moveOf(cardTransactionLifecycle, open.status, "clearAll").to,
      pulls: { ...released.pulls, pendingCount: 0 },
      endedByClose: true,
      lastEventAtMs: moment.atMs,
      updatedAtMs: moment.atMs,
    });
  }
};
