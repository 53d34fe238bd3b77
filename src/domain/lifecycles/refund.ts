import type { RefundStatus } from "../../contract/payments/transactions.ts";
import { lifecycle } from "./lifecycle.ts";

export type RefundTrigger = "settle" | "fail";

/**
 * The refund of an outgoing payment; the payment keeps its status
 * (spec/transactions.md#refund-lifecycle).
 */
export const refundLifecycle = lifecycle<RefundStatus, RefundTrigger>({
  starts: "PENDING",
  startEmits: "OUTGOING_PAYMENT.REFUND_PENDING",
  ends: ["COMPLETED", "FAILED"],
  moves: [
    { from: "PENDING", on: "settle", to: "COMPLETED", emits: "OUTGOING_PAYMENT.REFUND_COMPLETED" },
    { from: "PENDING", on: "fail", to: "FAILED", emits: "OUTGOING_PAYMENT.REFUND_FAILED" },
  ],
});
