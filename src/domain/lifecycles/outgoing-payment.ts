import type { OutgoingStatus } from "../../contract/payments/transactions.ts";
import { lifecycle } from "./lifecycle.ts";

export type OutgoingTrigger = "fund" | "start" | "expire" | "settle" | "fail" | "refuse" | "return";

/**
 * An OUTGOING transaction (spec/transactions.md#outgoing-lifecycle). COMPLETED is not final, since
 * a bank may return the money. A quoted payment is funded; a transfer starts by itself or is
 * refused before it starts.
 */
export const outgoingPaymentLifecycle = lifecycle<OutgoingStatus, OutgoingTrigger>({
  starts: "PENDING",
  startEmits: "OUTGOING_PAYMENT.PENDING",
  ends: ["EXPIRED", "FAILED"],
  moves: [
    { from: "PENDING", on: "fund", to: "PROCESSING", emits: "OUTGOING_PAYMENT.PROCESSING" },
    { from: "PENDING", on: "start", to: "PROCESSING", emits: "OUTGOING_PAYMENT.PROCESSING" },
    { from: "PENDING", on: "refuse", to: "FAILED", emits: "OUTGOING_PAYMENT.FAILED" },
    { from: "PENDING", on: "expire", to: "EXPIRED", emits: "OUTGOING_PAYMENT.EXPIRED" },
    { from: "PROCESSING", on: "settle", to: "COMPLETED", emits: "OUTGOING_PAYMENT.COMPLETED" },
    { from: "PROCESSING", on: "fail", to: "FAILED", emits: "OUTGOING_PAYMENT.FAILED" },
    { from: "COMPLETED", on: "return", to: "FAILED", emits: "OUTGOING_PAYMENT.FAILED" },
  ],
});
