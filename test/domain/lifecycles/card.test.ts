import { expect, test } from "vitest";
import { CARD_STATES, type CardState } from "../../../src/contract/cards/card-states.ts";
import { type CardTrigger, cardLifecycle } from "../../../src/domain/lifecycles/card.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

const TOLD = "card.state_change";

/** spec/cards.md#states */
const CARD_MOVES: Matrix<CardState, CardTrigger> = {
  PENDING_KYC: {
    activate: "refused",
    reject: "refused",
    freeze: "refused",
    unfreeze: "refused",
    close: "refused",
    operatorClose: "refused",
  },
  PENDING_ISSUE: {
    activate: ["ACTIVE", TOLD],
    reject: ["CLOSED", TOLD],
    freeze: "refused",
    unfreeze: "refused",
    close: "refused",
    operatorClose: ["CLOSED", TOLD],
  },
  ACTIVE: {
    activate: "refused",
    reject: "refused",
    freeze: ["FROZEN", TOLD],
    unfreeze: "refused",
    close: ["CLOSED", TOLD],
    operatorClose: ["CLOSED", TOLD],
  },
  FROZEN: {
    activate: "refused",
    reject: "refused",
    freeze: "refused",
    unfreeze: ["ACTIVE", TOLD],
    close: ["CLOSED", TOLD],
    operatorClose: ["CLOSED", TOLD],
  },
  CLOSED: {
    activate: "refused",
    reject: "refused",
    freeze: "refused",
    unfreeze: "refused",
    close: "refused",
    operatorClose: "refused",
  },
};

testMatrix(cardLifecycle, CARD_MOVES);

test("a card starts PENDING_ISSUE without an event; only CLOSED is final", () => {
  expect([cardLifecycle.starts, cardLifecycle.startEmits, cardLifecycle.ends]).toEqual([
    "PENDING_ISSUE",
    undefined,
    ["CLOSED"],
  ]);
  expect(Object.keys(CARD_MOVES)).toEqual([...CARD_STATES]);
});
