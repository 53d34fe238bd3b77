import type { Draft, Moment } from "../core/draft.ts";
import { setTimer, type TimerEffect } from "../core/schedule.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";
import { pull } from "./card-money.ts";
import { recordStep } from "./card-transaction-view.ts";

/** Sets the timer for the next confirmation of a pull. */
const waitForConfirmation = (
  draft: Draft,
  { id: subject, pendingUntilMs }: Pick<CardTransactionRecord, "id" | "pendingUntilMs">,
  moment: Moment,
) => {
  const [dueAtMs] = pendingUntilMs;
  if (dueAtMs !== undefined) setTimer(draft, { name: "card.confirm", subject, dueAtMs }, moment);
};

/** Pulls once, confirmed at once or after a delay. */
export const pullOnce = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, pendingMs, moment }: { minor: number; pendingMs: number | undefined; moment: Moment },
): CardTransactionRecord => {
  const pulled = pull(draft, transaction, { minor, moment });
  if (pendingMs === undefined) return pulled;
  const pendingUntilMs = [...pulled.pendingUntilMs, moment.atMs + pendingMs];
  waitForConfirmation(draft, { id: pulled.id, pendingUntilMs }, moment);
  return { ...pulled, pendingUntilMs };
};

/** Timer `card.confirm`: confirms a pending pull (spec/card-transactions.md#pending-pulls). */
export const confirmPull = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const transaction = draft.get("CardTransaction", subject);
  if (!transaction) return {};
  // Fired early by hand, it confirms the pull that it was set for.
  const [dueAtMs = moment.atMs] = transaction.pendingUntilMs;
  const confirmedMs = Math.max(moment.atMs, dueAtMs);
  const pendingUntilMs = transaction.pendingUntilMs.filter((untilMs) => untilMs > confirmedMs);
  waitForConfirmation(draft, { id: subject, pendingUntilMs }, moment);
  const stamps = { lastEventAtMs: moment.atMs, updatedAtMs: moment.atMs };
  recordStep(draft, { ...transaction, pendingUntilMs, ...stamps }, moment);
  return { from: transaction.status, to: transaction.status };
};
