import { expect, test } from "vitest";
import type { QuoteStatus } from "../../../src/contract/payments/quotes.ts";
import {
  type OutgoingTrigger,
  outgoingPaymentLifecycle,
} from "../../../src/domain/lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "../../../src/domain/lifecycles/quote.ts";
import { type Matrix, testMatrix } from "../setup/matrix.ts";

/** After a bank return the quote follows its transaction (spec/quotes.md#lifecycle). */
const QUOTE_MOVES: Matrix<QuoteStatus, OutgoingTrigger> = {
  PENDING: {
    fund: ["PROCESSING"],
    start: "refused",
    refuse: ["FAILED"],
    expire: ["EXPIRED"],
    settle: "refused",
    fail: "refused",
    return: "refused",
  },
  PROCESSING: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: ["COMPLETED"],
    fail: ["FAILED"],
    return: "refused",
  },
  COMPLETED: {
    fund: "refused",
    start: "refused",
    refuse: "refused",
    expire: "refused",
    settle: "refused",
    fail: "refused",
    return: ["FAILED"],
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

testMatrix(quoteLifecycle, QUOTE_MOVES);

test("a quote starts PENDING, and EXPIRED and FAILED are final", () => {
  expect(quoteLifecycle.starts).toBe("PENDING");
  expect([...quoteLifecycle.ends].sort()).toEqual(["EXPIRED", "FAILED"]);
});

test("a quote makes its payment's moves except the start of a transfer, and sends no events", () => {
  const moves = outgoingPaymentLifecycle.moves
    .filter(({ on }) => on !== "start")
    .map(({ from, on, to }) => ({ from, on, to }));
  expect(quoteLifecycle.moves).toEqual(moves);
  expect(quoteLifecycle).not.toHaveProperty("startEmits");
});
