import type { IncomingFailureReason } from "../../contract/payments/transactions.ts";

/** The effect of an answer to `INCOMING_PAYMENT.PENDING` on the payment that waits for it. */
export interface ApprovalAnswer {
  says: string;
  does: "approve" | "reject" | "wait" | "refuse";
  failureReason?: IncomingFailureReason;
}

/**
 * Results of an approval request, by HTTP status or by the way it failed
 * (spec/uma-payments.md#approval-answers).
 */
export const APPROVAL_ANSWERS = {
  "200": { says: "approved", does: "approve" },
  "202": { says: "a call to approve or reject follows", does: "wait" },
  "403": { says: "rejected", does: "reject" },
  "422": {
    says: "more information is requested from the sender, who gives none",
    does: "refuse",
    failureReason: "PAY_REQUEST_FAILED",
  },
  incomplete: {
    says: "200 without the required receiverCustomerInfo",
    does: "refuse",
    failureReason: "MISSING_MANDATORY_PAYEE_DATA",
  },
  silence: {
    says: "202, but no call follows",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
  },
  timeout: {
    says: "no complete answer in time",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
  },
  otherwise: {
    says: "no connection, no endpoint, or another answer",
    does: "refuse",
    failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  },
} as const satisfies Record<string, ApprovalAnswer>;

export type ApprovalRow = keyof typeof APPROVAL_ANSWERS;

/** Name of a row, such as `approval.403`. */
export const approvalRowName = (row: ApprovalRow) => `approval.${row}`;

const isStatusRow = (text: string): text is ApprovalRow =>
  /^[0-9]+$/.test(text) && Object.hasOwn(APPROVAL_ANSWERS, text);

/**
 * The row of an approval request's result.
 * @param answer.httpStatus absent when no whole answer came
 * @param isComplete whether the answer has every requested field of the recipient
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
