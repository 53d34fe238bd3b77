import { ENDPOINTS_OF_ANY_REVISION } from "../api/endpoints.ts";
import { isAccepted } from "../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../contract/webhooks/lab-vectors.ts";
import { APPROVAL_ANSWERS, type ApprovalRow } from "../domain/outcomes/approval-answers.ts";
import { isSandboxRule } from "../domain/outcomes/rule-names.ts";
import type { DeliveryAttempt, DeliveryRecord } from "../domain/records/records.ts";
import type { RequestReport } from "../http/log/log-entry.ts";
import type { Change } from "../runtime/change.ts";
import type { EngineListeners, FiredTimer } from "../runtime/listeners.ts";
import { CoverageCounts } from "./coverage-counts.ts";
import {
  APPROVAL_ITEMS,
  DUPLICATE_ITEMS,
  RETRY_ITEMS,
  SIGNED_OPERATIONS,
  webhookItem,
} from "./coverage-items.ts";

const PLATFORM_OPERATIONS: ReadonlySet<string> = new Set(
  ENDPOINTS_OF_ANY_REVISION.map(({ operationId }) => operationId),
);

/** Operations and timers that decide about a waiting action of an agent. */
const ACTION_DECIDERS: ReadonlySet<string> = new Set([
  "approveAgentAction",
  "rejectAgentAction",
  "approveWaitingAction",
  "rejectWaitingAction",
  "approval.decide",
]);

const ACTION_ITEMS: Readonly<Record<string, string>> = {
  APPROVED: APPROVAL_ITEMS.actionApproved,
  REJECTED: APPROVAL_ITEMS.actionRejected,
  FAILED: APPROVAL_ITEMS.actionFailed,
};

/** Calls that decide about an incoming payment; its webhook's answers have rows of their own. */
const PAYMENT_DECIDERS: Readonly<Record<string, string>> = {
  approveTransaction: APPROVAL_ITEMS.paymentApproved,
  rejectTransaction: APPROVAL_ITEMS.paymentRejected,
};

const APPROVAL_TABLE = "approval.";

/** The decision behind a row of the approval answers. */
const paymentDecision = (row: string): string | undefined => {
  if (!row.startsWith(APPROVAL_TABLE)) return undefined;
  const answer = APPROVAL_ANSWERS[row.slice(APPROVAL_TABLE.length) as ApprovalRow];
  if (answer.does === "wait") return undefined;
  if (answer.does === "approve") return APPROVAL_ITEMS.paymentApproved;
  if (answer.does === "reject") return APPROVAL_ITEMS.paymentRejected;
  return answer.failureReason === "PAYMENT_APPROVAL_TIMED_OUT"
    ? APPROVAL_ITEMS.paymentExpired
    : APPROVAL_ITEMS.paymentRefused;
};

/**
 * Counts what a world's callers and receivers met (spec/coverage.md#counting). It is told by the
 * engine's listeners and by the report of each request; no rule knows of it.
 */
export class CoverageRecorder implements EngineListeners {
  readonly counts = new CoverageCounts();
  private isPaused = false;

  /** Runs work that counts nothing: the changes of a fixture (spec/coverage.md#fixtures). */
  apart<Result>(work: () => Result): Result {
    this.isPaused = true;
    try {
      return work();
    } finally {
      this.isPaused = false;
    }
  }

  /** Counts a call of the platform; calls of the control surface count nothing. */
  requested({ isControl, operation, status, error, rules, replay }: RequestReport) {
    if (this.isPaused || isControl) return;
    const { counts } = this;
    counts.meet("statuses", String(status));
    if (error) counts.meet("errors", error.code);
    if (rules) for (const rule of rules) counts.meet("outcomes", rule);
    if (operation === undefined) return;
    const isChallenge = status === 202 && SIGNED_OPERATIONS.has(operation);
    if (status < 400 && !isChallenge) counts.meet("operations", operation);
    if (replay && !replay.bodyDiffered) counts.meet("replays", operation);
  }

  changed(change: Change) {
    if (this.isPaused) return;
    const { by, row, put, emit } = change;
    if (row !== undefined) this.decided(row, by);
    const decision = PAYMENT_DECIDERS[by];
    if (decision !== undefined) this.counts.meet("approvals", decision);
    if (emit)
      for (const { type, deliverable, lab } of emit)
        if (!deliverable && lab === undefined) this.counts.meet("webhooks", webhookItem(type));
    if (!put) return;
    for (const [kind, record] of put)
      if (kind === "Delivery") this.delivered(record);
      else if (kind === "AgentAction") this.decidedAction(record.status, by);
      else if (kind === "Request" && record.usedAtMs !== undefined && SIGNED_OPERATIONS.has(by))
        this.counts.meet("signedRetries", by);
  }

  fired({ timer, from, to }: FiredTimer) {
    if (!this.isPaused && (from ?? to) !== undefined) this.counts.meet("timers", timer);
  }

  private decided(row: string, by: string) {
    const decision = paymentDecision(row);
    if (decision !== undefined) this.counts.meet("approvals", decision);
    // The report of a platform's call names all its rows.
    if (!PLATFORM_OPERATIONS.has(by) && isSandboxRule(row)) this.counts.meet("outcomes", row);
  }

  private decidedAction(status: string, by: string) {
    const item = ACTION_ITEMS[status];
    if (item !== undefined && ACTION_DECIDERS.has(by)) this.counts.meet("approvals", item);
  }

  /** Counts the newest attempt of a delivery, if the receiver accepted it. */
  private delivered({ type, lab, attempts, attemptCount }: DeliveryRecord) {
    const [last, ...earlier] = attempts.toReversed();
    if (!last || last.attempt !== attemptCount || isWrongOnPurpose(lab)) return;
    const wasAccepted = ({ httpStatus }: DeliveryAttempt) => isAccepted(type, httpStatus);
    if (!wasAccepted(last)) return;
    const { counts } = this;
    counts.meet("webhooks", webhookItem(type));
    const [before] = earlier;
    if (!before) return;
    if (earlier.some(wasAccepted))
      counts.meet(
        "duplicates",
        lab === "duplicate" ? DUPLICATE_ITEMS.vector : DUPLICATE_ITEMS.resent,
      );
    else
      counts.meet(
        "retries",
        before.httpStatus === undefined ? RETRY_ITEMS.unanswered : RETRY_ITEMS.refused,
      );
  }
}
