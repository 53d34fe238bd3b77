import type { CardState } from "../../contract/cards/card-states.ts";
import { lifecycle } from "./lifecycle.ts";

export type CardTrigger = "activate" | "reject" | "freeze" | "unfreeze" | "close" | "operatorClose";

/** A card; every other move is refused (spec/cards.md#states). */
export const cardLifecycle = lifecycle<CardState, CardTrigger>({
  starts: "PENDING_ISSUE",
  ends: ["CLOSED"],
  moves: [
    { from: "PENDING_ISSUE", on: "activate", to: "ACTIVE", emits: "card.state_change" },
    { from: "PENDING_ISSUE", on: "reject", to: "CLOSED", emits: "card.state_change" },
    { from: "PENDING_ISSUE", on: "operatorClose", to: "CLOSED", emits: "card.state_change" },
    { from: "ACTIVE", on: "freeze", to: "FROZEN", emits: "card.state_change" },
    { from: "ACTIVE", on: "close", to: "CLOSED", emits: "card.state_change" },
    { from: "ACTIVE", on: "operatorClose", to: "CLOSED", emits: "card.state_change" },
    { from: "FROZEN", on: "unfreeze", to: "ACTIVE", emits: "card.state_change" },
    { from: "FROZEN", on: "close", to: "CLOSED", emits: "card.state_change" },
    { from: "FROZEN", on: "operatorClose", to: "CLOSED", emits: "card.state_change" },
  ],
});
