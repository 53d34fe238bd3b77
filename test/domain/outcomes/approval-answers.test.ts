import { describe, expect, test } from "vitest";
import { isAccepted } from "../../../src/contract/webhooks/events.ts";
import { APPROVAL_ANSWERS, approvalRow } from "../../../src/domain/outcomes/approval-answers.ts";

const EVERY_STATUS = Array.from({ length: 900 }, (_, at) => 100 + at);

/** Answers that decide (spec/uma-payments.md#approval-answers). */
const DECIDING = [
  { httpStatus: 200, row: "200", does: "approve" },
  { httpStatus: 202, row: "202", does: "wait" },
  { httpStatus: 403, row: "403", does: "reject" },
  { httpStatus: 422, row: "422", does: "refuse", failureReason: "PAY_REQUEST_FAILED" },
] as const;

const BROKEN = { does: "refuse", failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" };

describe("an answer to an approval request", () => {
  test.each(DECIDING)("of $httpStatus means: $does", ({ httpStatus, row, ...means }) => {
    expect(approvalRow({ httpStatus }, true)).toBe(row);
    expect(APPROVAL_ANSWERS[row]).toMatchObject(means);
  });

  test("of any other status is a broken one", () => {
    const deciding: number[] = DECIDING.map(({ httpStatus }) => httpStatus);
    for (const httpStatus of EVERY_STATUS.filter((status) => !deciding.includes(status)))
      expect(approvalRow({ httpStatus }, true)).toBe("otherwise");
    expect(APPROVAL_ANSWERS.otherwise).toMatchObject(BROKEN);
  });

  test("that never came is a broken one, unless its time ran out", () => {
    expect(approvalRow({}, true)).toBe("otherwise");
    expect(approvalRow({ isTimeout: true }, true)).toBe("timeout");
    expect(APPROVAL_ANSWERS.timeout).toMatchObject({
      does: "refuse",
      failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
    });
  });

  test("that approves must be complete, and no other", () => {
    for (const httpStatus of EVERY_STATUS)
      expect(approvalRow({ httpStatus }, false)).toBe(
        httpStatus === 200 ? "incomplete" : approvalRow({ httpStatus }, true),
      );
    expect(APPROVAL_ANSWERS.incomplete).toMatchObject({
      does: "refuse",
      failureReason: "MISSING_MANDATORY_PAYEE_DATA",
    });
  });

  test("of 202, with nothing after it, runs out", () => {
    expect(APPROVAL_ANSWERS.silence).toMatchObject({
      does: "refuse",
      failureReason: "PAYMENT_APPROVAL_TIMED_OUT",
    });
  });
});

test("a deciding answer accepts the approval request, but no other event", () => {
  const taken = (type: string) => EVERY_STATUS.filter((status) => isAccepted(type, status));
  const usual = taken("INCOMING_PAYMENT.COMPLETED");
  expect(usual).toEqual([...Array.from({ length: 100 }, (_, at) => 200 + at), 409]);
  expect(taken("INCOMING_PAYMENT.PENDING")).toEqual([...usual, 403, 422].sort((a, b) => a - b));
});
