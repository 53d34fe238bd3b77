import type { PendingReason } from "../../contract/payments/transactions.ts";
import type { Draft, Rule } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { clearTimer, setTimer, timerId } from "../core/schedule.ts";
import type { TransactionRecord } from "../records/records.ts";
import { TIMER_NAMES } from "../records/timer-names.ts";
import { transactionByPath } from "./transactions.ts";

interface ReasonInput {
  params: { transactionId: string };
  body: { pendingReason: PendingReason | null };
}

/** A payment and the reason that it waits for now. */
interface HeldTransaction {
  id: string;
  status: string;
  pendingReason: PendingReason | null;
}

const RUNNING: ReadonlySet<string> = new Set(["PENDING", "PROCESSING"]);

/** The timer of a payment that runs now. */
const runningTimer = (draft: Draft, id: string) => {
  for (const name of TIMER_NAMES) {
    const timer = draft.get("Timer", timerId(name, id));
    if (timer) return timer;
  }
  return undefined;
};

/** Stops the timer of a payment; what is left of it is kept. */
const held = (draft: Draft, transaction: TransactionRecord, atMs: number): TransactionRecord => {
  const timer = transaction.heldTimer ? undefined : runningTimer(draft, transaction.id);
  if (!timer) return transaction;
  clearTimer(draft, timer.name, transaction.id);
  const heldTimer = { name: timer.name, leftMs: Math.max(0, timer.dueAtMs - atMs) };
  return { ...transaction, heldTimer };
};

/**
 * PATCH /_sim/transactions/{transactionId}: says why a payment waits. Its timer stands still until the
 * reason is taken away (spec/later-payments.md#pending-reasons).
 */
export const setPendingReason: Rule<ReasonInput, HeldTransaction> = (draft, input, moment) => {
  const transaction = transactionByPath(draft, input, moment);
  const { pendingReason } = input.body;
  const { id, status } = transaction;
  if (pendingReason !== null && !RUNNING.has(status))
    refuse(
      "INVALID_INPUT",
      { field: "pendingReason", value: pendingReason },
      `The payment ${id} is ${status}`,
    );
  const { pendingReason: _reason, heldTimer, ...rest } = held(draft, transaction, moment.atMs);
  const changed: TransactionRecord = {
    ...rest,
    updatedAtMs: moment.atMs,
    ...(pendingReason !== null && { pendingReason, ...(heldTimer && { heldTimer }) }),
  };
  draft.put("Transaction", changed);
  if (pendingReason === null && heldTimer) {
    const { name, leftMs } = heldTimer;
    setTimer(draft, { name, subject: id, dueAtMs: moment.atMs + leftMs }, moment);
  }
  return { id, status, pendingReason };
};
