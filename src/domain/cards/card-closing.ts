import { type Draft, find, type Moment } from "../core/draft.ts";
import { clearTimer } from "../core/schedule.ts";
import { cardTransactionLifecycle } from "../lifecycles/card-transaction.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";
import { releaseHold } from "./card-money.ts";
import { recordStep } from "./card-transaction-view.ts";

/** Whether a transaction can take more clearings. */
export const isOpen = ({ status }: CardTransactionRecord) =>
  findMove(cardTransactionLifecycle, status, "clearPart") !== undefined;

/**
 * Expires a transaction: SETTLED with the cleared amount, the rest of the hold returned
 * (spec/card-transactions.md#expiry). No pull is pending afterwards.
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
 * Expires the open transactions of a closing card (spec/cards.md#closing). Each may be cleared once
 * more, late.
 */
export const endOpenTransactions = (draft: Draft, cardId: string, moment: Moment) => {
  for (const open of find(draft, "CardTransaction", ["byCard", cardId])) {
    if (!isOpen(open)) continue;
    recordStep(draft, { ...expire(draft, open, moment), endedByClose: true }, moment);
  }
};
