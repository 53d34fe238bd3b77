import { type Draft, find, type Moment } from "../core/draft.ts";
import { clearTimer } from "../core/schedule.ts";
import { cardTransactionLifecycle } from "../lifecycles/card-transaction.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";
import { releaseHold } from "./card-money.ts";

/** Whether more clearings are expected of a transaction. */
export const isOpen = ({ status }: CardTransactionRecord) =>
  findMove(cardTransactionLifecycle, status, "clearPart") !== undefined;

/**
 * Nothing more is expected: SETTLED with what has cleared, the rest of the hold given back, and no
 * pull pends any longer (wallets digest 9.3, amount 0).
 */
export const expire = (
  draft: Draft,
  transaction: CardTransactionRecord,
  moment: Moment,
): CardTransactionRecord => {
  clearTimer(draft, "card.confirm", transaction.id);
  return {
    ...releaseHold(draft, transaction, moment),
    status: moveOf(cardTransactionLifecycle, transaction.status, "clearAll").to,
    pendingUntilMs: [],
    lastEventAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
};

/**
 * Expires what is open on a card that is closed (decisions, Closing). Each may still be cleared
 * once, late.
 */
export const endOpenTransactions = (draft: Draft, cardId: string, moment: Moment) => {
  for (const open of find(draft, "CardTransaction", ["byCard", cardId])) {
    if (!isOpen(open)) continue;
    draft.put("CardTransaction", { ...expire(draft, open, moment), endedByClose: true });
  }
};
