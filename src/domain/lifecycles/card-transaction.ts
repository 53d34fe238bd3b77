import type { CardTransactionStatus } from "../../contract/cards/card-transactions.ts";
import { lifecycle } from "./lifecycle.ts";

export type CardTransactionTrigger =
  | "clearPart"
  | "clearAll"
  | "except"
  | "returnAll"
  | "returnPart";

/**
 * A card transaction (spec/card-transactions.md#statuses). A failed pull makes it an EXCEPTION at
 * birth. A declined one is born DECLINED and never moves. A late clearing may turn a transaction
 * that its card's closing SETTLED into an EXCEPTION.
 */
export const cardTransactionLifecycle = lifecycle<CardTransactionStatus, CardTransactionTrigger>({
  starts: "AUTHORIZED",
  ends: ["REFUNDED", "EXCEPTION"],
  moves: [
    { from: "AUTHORIZED", on: "clearPart", to: "PARTIALLY_SETTLED" },
    { from: "AUTHORIZED", on: "clearAll", to: "SETTLED" },
    { from: "AUTHORIZED", on: "except", to: "EXCEPTION" },
    { from: "PARTIALLY_SETTLED", on: "clearPart", to: "PARTIALLY_SETTLED" },
    { from: "PARTIALLY_SETTLED", on: "clearAll", to: "SETTLED" },
    { from: "PARTIALLY_SETTLED", on: "except", to: "EXCEPTION" },
    { from: "PARTIALLY_SETTLED", on: "returnPart", to: "PARTIALLY_SETTLED" },
    { from: "PARTIALLY_SETTLED", on: "returnAll", to: "REFUNDED" },
    { from: "SETTLED", on: "clearAll", to: "SETTLED" },
    { from: "SETTLED", on: "except", to: "EXCEPTION" },
    { from: "SETTLED", on: "returnPart", to: "SETTLED" },
    { from: "SETTLED", on: "returnAll", to: "REFUNDED" },
  ],
});
