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
 * An INCOMING transaction (payments digest 11.5 with O-78, O-50): a transfer in starts by itself, a
 * UMA payment when it is approved. It has three event names only, so that PROCESSING and REFUNDED
 * tell nothing and REJECTED is told as FAILED; PENDING is told by what asks for an approval.
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
  ],
});
