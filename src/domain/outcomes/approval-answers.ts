import type { IncomingFailureReason } from "../../contract/payments/transactions.ts";

/** What an answer to `INCOMING_PAYMENT.PENDING` makes of the payment that waits for it. */
export interface ApprovalAnswer {
  says: string;
  does: "approve" | "reject" | "wait" | "refuse";
  failureReason?: IncomingFailureReason;
}

/**
 * The answers of the platform's receiver, by HTTP status, and what else can come of asking it
 * (payments digest 12 with O-50 to O-54; decisions, Incoming approval).
 */
export const APPROVAL_ANSWERS = {
  "200": { says: "approved", does: "approve" },
  "202": { says: "a call to approve or reject follows", does: "wait" },
  "403": { says: "rejected", does: "reject" },
  "422": {
    says: "more is wanted of the sender, who gives no more",
    does: "refuse",
    failureReason: "PAY_REQUEST_FAILED",
  },
  incomplete: {
    says: "200 without what receiverCustomerInfo must hold",
    does: "refuse",
    failureReason: "MISSING_MANDATORY_PAYEE_DATA",
  },
  silence: {
    says: "202, and no call follows",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
  },
  timeout: {
    says: "no whole answer in time",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
  },
  otherwise: {
    says: "no connection, no endpoint, or no such answer",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  },
} as const satisfies Record<string, ApprovalAnswer>;

export type ApprovalRow = keyof typeof APPROVAL_ANSWERS;

/** How a row of the table is quoted: `approval.403`. */
export const approvalRowName = (row: ApprovalRow) => `approval.${row}`;

const isStatusRow = (text: string): text is ApprovalRow =>
  /^[0-9]+$/.test(text) && Object.hasOwn(APPROVAL_ANSWERS, text);

/**
 * The row of what came of asking.
 * @param answer.httpStatus none when no whole answer came
 * @param isComplete whether everything that was asked for about the recipient is in the answer
 */
export const approvalRow = (
  { httpStatus, isTimeout }: { httpStatus?: number; isTimeout?: true },
  isComplete: boolean,
): ApprovalRow => {
  if (isTimeout) return "timeout";
  const row = String(httpStatus);
  if (!isStatusRow(row)) return "otherwise";
  return APPROVAL_ANSWERS[row].does === "approve" && !isComplete ? "incomplete" : row;
};
