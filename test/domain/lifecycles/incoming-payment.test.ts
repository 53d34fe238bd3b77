import { expect, test } from "vitest";
import type { IncomingStatus } from "../../../src/contract/transactions.ts";
import {
  type IncomingTrigger,
  incomingPaymentLifecycle,
} from "../../../src/domain/lifecycles/incoming-payment.ts";
import { type Matrix, testMatrix } from "./matrix.ts";

const NOTHING = {
  start: "refused",
  approve: "refused",
  reject: "refused",
  refuse: "refused",
  settle: "refused",
  fail: "refused",
  refund: "refused",
} as const;

/** Payments digest 11.5 (O-78, O-50); the events are decisions, Transactions and events. */
const PAYMENT_MOVES: Matrix<IncomingStatus, IncomingTrigger> = {
  PENDING: {
    start: ["PROCESSING"],
    approve: ["PROCESSING"],
    reject: ["REJECTED", "INCOMING_PAYMENT.FAILED"],
    refuse: ["FAILED", "INCOMING_PAYMENT.FAILED"],
    settle: "refused",
    fail: "refused",
    refund: "refused",
  },
  PROCESSING: {
    start: "refused",
    approve: "refused",
    reject: "refused",
    refuse: "refused",
    settle: ["COMPLETED", "INCOMING_PAYMENT.COMPLETED"],
    fail: ["FAILED", "INCOMING_PAYMENT.FAILED"],
    refund: "refused",
  },
  COMPLETED: { ...NOTHING, refund: ["REFUNDED"] },
  REJECTED: NOTHING,
  FAILED: NOTHING,
  REFUNDED: NOTHING,
};

testMatrix(incomingPaymentLifecycle, PAYMENT_MOVES);

test("a payment starts PENDING and says nothing by itself: what asks for an approval does", () => {
  expect(incomingPaymentLifecycle.starts).toBe("PENDING");
  expect(incomingPaymentLifecycle).not.toHaveProperty("startEmits");
});

test("REJECTED, FAILED and REFUNDED are final: what is COMPLETED can come back", () => {
  expect([...incomingPaymentLifecycle.ends].sort()).toEqual(["FAILED", "REFUNDED", "REJECTED"]);
});

test("PROCESSING and REFUNDED send nothing, every other entry one event", () => {
  for (const { to, emits } of incomingPaymentLifecycle.moves)
    expect(emits === undefined).toBe(to === "PROCESSING" || to === "REFUNDED");
});
