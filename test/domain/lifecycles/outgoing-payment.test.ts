import { expect, test } from "vitest";
import type { OutgoingStatus } from "../../../src/contract/payments/transactions.ts";
import {
  type OutgoingTrigger,
  outgoingPaymentLifecycle,
} from "../../../src/domain/lifecycles/outgoing-payment.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

/** One event for each status, with its name (spec/transactions.md#outgoing-lifecycle). */
const PAYMENT_MOVES: Matrix<OutgoingStatus, OutgoingTrigger> = {
  PENDING: {
    fund: ["PROCESSING", "OUTGOING_PAYMENT.PROCESSING"],
    start: ["PROCESSING", "OUTGOING_PAYMENT.PROCESSING"],
    refuse: ["FAILED", "OUTGOING_PAYMENT.FAILED"],
    expire: ["EXPIRED", "OUTGOING_PAYMENT.EXPIRED"],
    settle: "refused",
    fail: "refused",
    return: "refused",
  },
  PROCESSING: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: ["COMPLETED", "OUTGOING_PAYMENT.COMPLETED"],
    fail: ["FAILED", "OUTGOING_PAYMENT.FAILED"],
    return: "refused",
  },
  COMPLETED: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: "refused",
    fail: "refused",
    return: ["FAILED", "OUTGOING_PAYMENT.FAILED"],
  },
  FAILED: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: "refused",
    fail: "refused",
    return: "refused",
  },
  EXPIRED: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: "refused",
    fail: "refused",
    return: "refused",
  },
};

testMatrix(outgoingPaymentLifecycle, PAYMENT_MOVES);

test("a payment starts PENDING with an event", () => {
  expect(outgoingPaymentLifecycle).toMatchObject({
    starts: "PENDING",
    startEmits: "OUTGOING_PAYMENT.PENDING",
  });
});

test("only FAILED and EXPIRED are final: a bank can return a COMPLETED payment", () => {
  expect([...outgoingPaymentLifecycle.ends].sort()).toEqual(["EXPIRED", "FAILED"]);
});

test("every entry into a status sends the event of that name", () => {
  for (const { to, emits } of outgoingPaymentLifecycle.moves)
    expect(emits).toBe(`OUTGOING_PAYMENT.${to}`);
});
