import { describe, expect, test } from "vitest";
import {
  PAYMENT_OUTCOMES,
  type PaymentOutcomeTable,
} from "../../../src/domain/outcomes/outcomes.ts";
import { nextStep, rowName, stepsAlong } from "../../../src/domain/payments/outcome-steps.ts";
import { everyRow } from "../../setup/every-row.ts";

const told = (rows: readonly string[]) =>
  stepsAlong(rows).map(({ row, step }) => [row, step.timer, step.afterMs]);

describe("the course of some rows", () => {
  test.each([
    { rows: [], steps: [] },
    { rows: ["quotedPayment.003"], steps: [["quotedPayment.003", "payment.settle", 360_000]] },
    {
      rows: ["pull.otherwise", "quotedPayment.004"],
      steps: [
        ["pull.otherwise", "payment.collect", 0],
        ["quotedPayment.004", "payment.fail", 0],
        ["quotedPayment.004", "refund.start", 0],
        ["quotedPayment.004", "refund.settle", 1_000],
      ],
    },
    // A row that ends the payment prevents the steps behind it.
    { rows: ["pull.005", "quotedPayment.003"], steps: [["pull.005", "payment.fail", 30_000]] },
    {
      rows: ["funding.mismatch", "quotedPayment.otherwise"],
      steps: [
        ["funding.mismatch", "payment.fail", 0],
        ["funding.mismatch", "refund.start", 0],
        ["funding.mismatch", "refund.settle", 1_000],
      ],
    },
    {
      rows: ["umaSender.$success.usd", "umaDeposit.005"],
      steps: [
        ["umaDeposit.005", "incoming.settle", 0],
        ["umaDeposit.005", "incoming.refund", 5_000],
      ],
    },
    // A row that holds the money back delays the first step behind it, and no other.
    {
      rows: ["umaSender.$pending.long.usd", "umaDeposit.005"],
      steps: [
        ["umaDeposit.005", "incoming.settle", 360_000],
        ["umaDeposit.005", "incoming.refund", 5_000],
      ],
    },
    {
      rows: ["umaSender.$fail.compliance.usd", "umaDeposit.otherwise"],
      steps: [["umaSender.$fail.compliance.usd", "incoming.fail", 0]],
    },
    { rows: ["quotedPayment.nothing", "nothing.003", "", "nodot"], steps: [] },
  ])("$rows", ({ rows, steps }) => {
    expect(told(rows)).toEqual(steps);
  });

  test("is the same on every read", () => {
    const rows = ["umaSender.$pending.long.usd", "umaDeposit.005"];
    expect(told(rows)).toEqual(told(rows));
  });
});

describe("the next step", () => {
  test("is the one at the given place, and none outside the course", () => {
    const rows = ["pull.otherwise", "quotedPayment.005"];
    const timers = [0, 1, 2, 3, 4, 5].map((step) => nextStep({ rows, step })?.step.timer);
    expect(timers).toEqual([
      "payment.collect",
      "payment.settle",
      "payment.return",
      "refund.start",
      "refund.settle",
      undefined,
    ]);
    expect(nextStep(undefined)).toBeUndefined();
  });
});

describe("every row of every table", () => {
  const rows = Object.entries(PAYMENT_OUTCOMES).flatMap(([table, outcomes]) =>
    Object.keys(outcomes).map((match) => ({
      row: rowName(table as PaymentOutcomeTable, match),
      table,
      steps: (outcomes as Record<string, { steps: readonly object[] }>)[match]?.steps ?? [],
    })),
  );

  test("is found by its full name", () =>
    everyRow(rows, ({ row, steps }) => {
      expect(stepsAlong([row]).map(({ step }) => step)).toEqual(steps);
      for (const placed of stepsAlong([row])) expect(placed.row).toBe(row);
    }));

  test("refunds failed outgoing payments only, and once", () =>
    everyRow(rows, (one) => {
      const timers = stepsAlong([one.row]).map(({ step }) => step.timer);
      const isIncoming = /^(transferIn|umaSender|umaDeposit)$/.test(one.table);
      const family = isIncoming ? /^incoming\./ : /^(payment|refund)\./;
      for (const timer of timers) expect(timer).toMatch(family);
      const starts = timers.filter((timer) => timer === "refund.start").length;
      const ends = timers.filter((timer) => /^refund\.(settle|fail)$/.test(timer)).length;
      expect(ends).toBe(starts);
      expect(starts).toBeLessThanOrEqual(1);
    }));

  test("fails with a reason, or succeeds without one", () =>
    everyRow(rows, ({ row }) => {
      for (const { step } of stepsAlong([row])) {
        const isFailure =
          /\.(fail|refuse|return)$/.test(step.timer) && step.timer !== "refund.fail";
        expect(step.failureReason !== undefined).toBe(isFailure);
        expect(step.refundReason !== undefined).toBe(step.timer === "refund.start");
        expect(step.afterMs).toBeGreaterThanOrEqual(0);
        if (step.isInCall) expect(step.afterMs).toBe(0);
      }
    }));
});
