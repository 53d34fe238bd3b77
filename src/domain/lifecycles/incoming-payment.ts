import type { IncomingStatus } from "../../contract/payments/transactions.ts";
import { lifecycle } from "./lifecycle.ts";

export type IncomingTrigger =
  | "start"
  | "approve"
  | "reject"
  | "refuse"
  | "settle"
  | "fail"
  | "refund";

/**
 * An INCOMING transaction (spec/transactions.md#incoming-lifecycle). A transfer in starts by
 * itself, a UMA payment when it is approved. There are three event names only: PROCESSING and
 * REFUNDED send nothing, and REJECTED is sent as FAILED. The approval request is the event of
 * PENDING.
 */
export const incomingPaymentLifecycle = lifecycle<IncomingStatus, IncomingTrigger>({
  starts: "PENDING",
  ends: ["REJECTED", "FAILED", "REFUNDED"],
  moves: [
    { from: "PENDING", on: "start", to: "PROCESSING" },
    { from: "PENDING", on: "approve", to: "PROCESSING" },
    { from: "PENDING", on: "reject", to: "REJECTED", emits: "INCOMING_PAYMENT.FAILED" },
    { from: "PENDING", on: "refuse", to: "FAILED", emits: "INCOMING_PAYMENT.FAILED" },
    { from: "PROCESSING", on: "settle", to: "COMPLETED", emits: "INCOMING_PAYMENT.COMPLETED" },
    { from: "PROCESSING", on: "fail", to: "FAILED", emits: "INCOMING_PAYMENT.FAILED" },
    { from: "COMPLETED", on: "refund", to: "REFUNDED" },
    // A returned deposit since `incomingRefunds`.
    { from: "COMPLETED", on: "fail", to: "FAILED", emits: "INCOMING_PAYMENT.FAILED" },
  ],
});
