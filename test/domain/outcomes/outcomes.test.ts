import { describe, expect, test } from "vitest";
import {
  BENEFICIARY_VERIFICATION_OUTCOMES,
  OTHER_HOLDER_NAME,
  outcomeFor,
  type PaymentOutcome,
  PULL_OUTCOMES,
  QUOTED_PAYMENT_OUTCOMES,
  TRANSFER_IN_OUTCOMES,
  TRANSFER_OUT_OUTCOMES,
  UMA_DEPOSIT_OUTCOMES,
  type VerificationOutcome,
} from "../../../src/domain/outcomes/outcomes.ts";
import { PAYMENT_ROWS } from "./setup/payment-rows.ts";

/** Rows of the specification (spec/external-accounts.md#name-verification). */
const VERIFICATION_ROWS = [
  { suffix: "102", status: "NOT_MATCHED", reports: "other" },
  { suffix: "103", status: "PARTIAL_MATCH", reports: "initial" },
  { suffix: "104", status: "PENDING", reports: "nothing" },
  { suffix: "105", status: "REFUSED", reports: "nothing" },
  { suffix: "106", status: "UNSUPPORTED", reports: "nothing" },
  { suffix: "107", status: "CHECKED_BY_RECEIVING_FI", reports: "nothing" },
  { suffix: "otherwise", status: "MATCHED", reports: "submitted" },
] as const;

const EVERY_SUFFIX = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

const rowsChosen = (table: Record<string, unknown> & { otherwise: unknown }) =>
  EVERY_SUFFIX.filter((suffix) => outcomeFor(table, suffix).row !== "otherwise");

describe("a quoted payment", () => {
  test.each(PAYMENT_ROWS)("to an account ending $suffix $means", ({ suffix, steps }) => {
    const wanted = suffix === "otherwise" ? undefined : suffix;
    const { row, outcome } = outcomeFor<PaymentOutcome>(QUOTED_PAYMENT_OUTCOMES, wanted);
    expect(row).toBe(suffix);
    expect(outcome.steps).toEqual(steps);
  });

  test("has an outcome for every ending, and only those of PAYMENT_ROWS are special", () => {
    const rows: string[] = PAYMENT_ROWS.map(({ suffix }) => suffix);
    const says = "add the row to test/domain/outcomes/setup/payment-rows.ts";
    expect(rowsChosen(QUOTED_PAYMENT_OUTCOMES), says).toEqual(rows.slice(0, -1));
    expect(Object.keys(QUOTED_PAYMENT_OUTCOMES).sort(), says).toEqual(rows.sort());
  });

  test.each(["102", "103", "104", "106", "107"])(
    "to an account whose verification ended %s succeeds",
    (suffix) => {
      expect(outcomeFor<PaymentOutcome>(QUOTED_PAYMENT_OUTCOMES, suffix).row).toBe("otherwise");
    },
  );
});

describe("a transfer, a pull or a deposit", () => {
  test.each([
    { what: "transfer out", table: TRANSFER_OUT_OUTCOMES },
    { what: "transfer in", table: TRANSFER_IN_OUTCOMES },
    { what: "pull", table: PULL_OUTCOMES },
    { what: "deposit", table: UMA_DEPOSIT_OUTCOMES },
  ])("has an outcome for every ending, and only four of a thousand: $what", ({ table }) => {
    expect(rowsChosen(table)).toEqual(["002", "003", "004", "005"]);
    expect(Object.keys(table).sort()).toEqual(["002", "003", "004", "005", "otherwise"]);
  });
});

describe("a beneficiary", () => {
  test.each(VERIFICATION_ROWS)(
    "of an account ending $suffix is $status and the rail reports: $reports",
    ({ suffix, status, reports }) => {
      const wanted = suffix === "otherwise" ? undefined : suffix;
      expect(outcomeFor<VerificationOutcome>(BENEFICIARY_VERIFICATION_OUTCOMES, wanted)).toEqual({
        row: suffix,
        outcome: { status, reports },
      });
    },
  );

  test("has a verification for every ending, and only six of a thousand are special", () => {
    expect(rowsChosen(BENEFICIARY_VERIFICATION_OUTCOMES)).toEqual([
      "102",
      "103",
      "104",
      "105",
      "106",
      "107",
    ]);
    expect(Object.keys(BENEFICIARY_VERIFICATION_OUTCOMES).sort()).toEqual(
      VERIFICATION_ROWS.map(({ suffix }) => suffix as string).sort(),
    );
  });

  test("of somebody else's account is reported as Other Holder", () => {
    expect(OTHER_HOLDER_NAME).toBe("Other Holder");
  });
});

test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
  "the ending %s is no row of a table, though every object has it",
  (suffix) => {
    expect(outcomeFor<PaymentOutcome>(QUOTED_PAYMENT_OUTCOMES, suffix).row).toBe("otherwise");
  },
);
