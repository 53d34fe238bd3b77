import type { RefundStatus } from "../../contract/payments/transactions.ts";
import { lifecycle } from "./lifecycle.ts";

export type RefundTrigger = "settle" | "fail";

/** The refund of an outgoing payment (payments digest 11.6); its payment keeps its status. */
export const refundLifecycle = lifecycle<RefundStatus, RefundTrigger>({
  starts: "PENDING",
  startEmits: "OUTGOING_PAYMENT.REFUND_PENDING",
  ends: ["COMPLETED", "FAILED"],
  moves: [
    { from: "PENDING", on: "settle", to: "COMPLETED", emits: "OUTGOING_PAYMENT.REFUND_COMPLETED" },
    { from: "PENDING", on: "fail", to: "FAILED", emits: "OUTGOING_PAYMENT.REFUND_FAILED" },
  ],
});
