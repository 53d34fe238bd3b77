import { expect, test } from "vitest";
import type { RefundStatus } from "../../../src/contract/payments/transactions.ts";
import { type RefundTrigger, refundLifecycle } from "../../../src/domain/lifecycles/refund.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

/** spec/transactions.md#refund-lifecycle */
const REFUND_MOVES: Matrix<RefundStatus, RefundTrigger> = {
  PENDING: {
    settle: ["COMPLETED", "OUTGOING_PAYMENT.REFUND_COMPLETED"],
    fail: ["FAILED", "OUTGOING_PAYMENT.REFUND_FAILED"],
  },
  COMPLETED: { settle: "refused", fail: "refused" },
  FAILED: { settle: "refused", fail: "refused" },
};

testMatrix(refundLifecycle, REFUND_MOVES);

test("a refund starts PENDING with an event, and ends COMPLETED or FAILED", () => {
  expect(refundLifecycle).toMatchObject({
    starts: "PENDING",
    startEmits: "OUTGOING_PAYMENT.REFUND_PENDING",
  });
  expect([...refundLifecycle.ends].sort()).toEqual(["COMPLETED", "FAILED"]);
});
