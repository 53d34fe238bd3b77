import { expect } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import type { Receipt, SequenceWorld } from "./sequence-world.ts";

/** Fees on top: 10, and 0.3 % of the received amount (spec/uma-payments.md#incoming-fees). */
const FEES: Record<number, number> = { 100: 10, 8800: 36, 25000: 85, 1000000: 3_010 };

/** End of a payment by the answer alone (spec/uma-payments.md#approval-answers). */
const ANSWERED: Record<number, string> = {
  202: "FAILED PAYMENT_APPROVAL_TIMED_OUT",
  403: "REJECTED",
  422: "FAILED PAY_REQUEST_FAILED",
  500: "FAILED PAYMENT_APPROVAL_WEBHOOK_ERROR",
};

const PAYOUT_FAILS = ["002", "003", "004"];

/** A credit fails for a deleted customer or a blocked account (spec/transactions.md#late-failures). */
const isOutOfUse = (world: SequenceWorld, { customerId, deposit }: Receipt, inside: string) =>
  world.deletedCustomers.has(customerId) || (deposit === undefined && world.blocked.has(inside));

/** Status and failure reason of a payment that ends in the current world. */
const endOfReceipt = (world: SequenceWorld, made: Receipt, inside: string): string => {
  const { sender, answer, call, deposit } = made;
  if (call === "reject") return "REJECTED";
  if (call === undefined && answer !== 200) return ANSWERED[answer] ?? "";
  if (sender === "$fail.compliance.usd") return "FAILED PAY_REQUEST_FAILED";
  if (PAYOUT_FAILS.includes(deposit ?? "")) return "FAILED OFFRAMP_FAILED";
  if (isOutOfUse(world, made, inside))
    return deposit === undefined ? "FAILED QUOTE_EXECUTION_FAILED" : "FAILED OFFRAMP_FAILED";
  return deposit === "005" ? "REFUNDED" : "COMPLETED";
};

const isUnderWay = ({ status }: Parsed) => status === "PENDING" || status === "PROCESSING";

/**
 * Asserts that incoming UMA payments keep their amounts. Each one that has ended since the last
 * check must have ended as the current world requires. Its final end goes into `world.ends`.
 */
export const checkReceipts = (world: SequenceWorld, now: readonly Parsed[]) => {
  for (const one of now) {
    const made = world.receipts.get(one.id);
    if (!made) continue;
    const { customerId, currency, amount } = made;
    expect({
      customerId: one.customerId,
      currency: one.receivedAmount.currency.code,
      amount: one.receivedAmount.amount,
      fees: one.fees,
      variableFee: one.rateDetails.serviceApiVariableFeeAmount,
    }).toEqual({
      customerId,
      currency,
      amount,
      fees: FEES[amount],
      variableFee: (FEES[amount] ?? 0) - 10,
    });
    if (isUnderWay(one) || world.ends.has(one.id)) continue;
    const { destination, status, failureReason } = one;
    const inside = world.umaAccounts.get(`${destination.umaAddress} ${currency}`) ?? "";
    const wanted = endOfReceipt(world, made, inside);
    const end = failureReason === undefined ? status : `${status} ${failureReason}`;
    // Money that the bank will return is delivered first.
    const seen = wanted === "REFUNDED" && end === "COMPLETED" ? wanted : end;
    expect({ ...made, end: seen }).toEqual({ ...made, end: wanted });
    world.ends.set(one.id, `${wanted.split(" ")[0]} NONE`);
  }
};
