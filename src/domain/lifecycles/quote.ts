import type { QuoteStatus } from "../../contract/payments/quotes.ts";
import { lifecycle } from "./lifecycle.ts";
import type { OutgoingTrigger } from "./outgoing-payment.ts";

/** A quote moves with its transaction and sends no events of its own (spec/quotes.md#lifecycle). */
export const quoteLifecycle = lifecycle<QuoteStatus, OutgoingTrigger>({
  starts: "PENDING",
  ends: ["EXPIRED", "FAILED"],
  moves: [
    { from: "PENDING", on: "fund", to: "PROCESSING" },
    // A quote whose payment is canceled, since `transactionEnds`.
    { from: "PENDING", on: "refuse", to: "FAILED" },
    { from: "PENDING", on: "expire", to: "EXPIRED" },
    { from: "PROCESSING", on: "settle", to: "COMPLETED" },
    { from: "PROCESSING", on: "fail", to: "FAILED" },
    { from: "COMPLETED", on: "return", to: "FAILED" },
  ],
});
