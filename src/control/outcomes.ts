import * as z from "zod";
import {
  BENEFICIARY_VERIFICATION_OUTCOMES,
  type OutcomeStep,
  type PaymentOutcome,
  QUOTED_PAYMENT_OUTCOMES,
} from "../domain/outcomes.ts";
import { TIMERS } from "../domain/timers.ts";
import { endpoint } from "../http/endpoint.ts";

/** Every magic value, read from the tables the rules read. */
export const outcomeEndpoints = () => [
  endpoint({
    operationId: "outcomes",
    summary: "Every identifier ending that means something, and what it does",
    method: "GET",
    path: "/outcomes",
    permission: "none",
    replies: [200, z.object({ data: z.array(z.looseObject({ group: z.string() })) })],
    refuses: [],
    handle: () => ({ data: [quotedPayments(), beneficiaryVerification()] }),
  }),
];

const paymentRow = (match: string, { says, steps }: PaymentOutcome) => {
  let afterMs = 0;
  const timeline = steps.map((step: OutcomeStep) => {
    afterMs += step.afterMs;
    const { failureReason, refundReason, timer } = step;
    return {
      atMs: afterMs,
      timer,
      then: TIMERS[timer].leadsTo,
      ...(failureReason !== undefined && { failureReason }),
      ...(refundReason !== undefined && { refundReason }),
    };
  });
  const ending = timeline.findLast(({ timer }) => timer.startsWith("payment."));
  return { match, says, ends: ending?.then ?? "PROCESSING", afterMs: ending?.atMs ?? 0, timeline };
};

const quotedPayments = () => ({
  group: "quotedPayment",
  reads: "the last 3 characters of the destination's number, IBAN or address",
  rows: Object.entries(QUOTED_PAYMENT_OUTCOMES).map(([match, row]) => paymentRow(match, row)),
});

const beneficiaryVerification = () => ({
  group: "beneficiaryVerification",
  reads: "the last 3 characters of a new external account's number, IBAN or address",
  rows: Object.entries(BENEFICIARY_VERIFICATION_OUTCOMES).map(([match, { status, reports }]) => ({
    match,
    ends: status === "REFUSED" ? "400 INVALID_BANK_ACCOUNT" : status,
    reports,
  })),
});
