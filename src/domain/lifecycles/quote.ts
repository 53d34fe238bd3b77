import type { QuoteStatus } from "../../contract/payments/quotes.ts";
import { lifecycle } from "./lifecycle.ts";
import type { OutgoingTrigger } from "./outgoing-payment.ts";

/** A quote mirrors the transaction made from it (payments O-38); it sends no events of its own. */
export const quoteLifecycle = lifecycle<QuoteStatus, OutgoingTrigger>({
  starts: "PENDING",
  ends: ["EXPIRED", "FAILED"],
  moves: [
    { from: "PENDING", on: "fund", to: "PROCESSING" },
    { from: "PENDING", on: "expire", to: "EXPIRED" },
    { from: "PROCESSING", on: "settle", to: "COMPLETED" },
    { from: "PROCESSING", on: "fail", to: "FAILED" },
    { from: "COMPLETED", on: "return", to: "FAILED" },
  ],
});
