import { expect, test } from "vitest";
import type { IncomingStatus } from "../../../src/contract/payments/transactions.ts";
import {
  type IncomingTrigger,
  incomingPaymentLifecycle,
} from "../../../src/domain/lifecycles/incoming-payment.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

const NOTHING = {
  start: "refused",
  approve: "refused",
  reject: "refused",
  refuse: "refused",
  settle: "refused",
  fail: "refused",
  refund: "refused",
} as const;

/** spec/transactions.md#incoming-lifecycle */
const PAYMENT_MOVES: Matrix<IncomingStatus, IncomingTrigger> = {
  PENDING: {
    ...NOTHING,
    start: ["PROCESSING"],
    approve: ["PROCESSING"],
    reject: ["REJECTED", "INCOMING_PAYMENT.FAILED"],
    refuse: ["FAILED", "INCOMING_PAYMENT.FAILED"],
  },
  PROCESSING: {
    ...NOTHING,
    settle: ["COMPLETED", "INCOMING_PAYMENT.COMPLETED"],
    fail: ["FAILED", "INCOMING_PAYMENT.FAILED"],
  },
  COMPLETED: {
    ...NOTHING,
    refund: ["REFUNDED"],
    fail: ["FAILED", "INCOMING_PAYMENT.FAILED"],
  },
  REJECTED: NOTHING,
  FAILED: NOTHING,
  REFUNDED: NOTHING,
};

testMatrix(incomingPaymentLifecycle, PAYMENT_MOVES);

test("a payment starts PENDING without an event here: PENDING asks for an approval", () => {
  expect(incomingPaymentLifecycle.starts).toBe("PENDING");
  expect(incomingPaymentLifecycle).not.toHaveProperty("startEmits");
});

test("REJECTED, FAILED and REFUNDED are final", () => {
  expect([...incomingPaymentLifecycle.ends].sort()).toEqual(["FAILED", "REFUNDED", "REJECTED"]);
});

test("PROCESSING and REFUNDED send no event", () => {
  for (const { to, emits } of incomingPaymentLifecycle.moves)
    if (to === "PROCESSING" || to === "REFUNDED") expect(emits).toBeUndefined();
});
