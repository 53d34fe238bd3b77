import * as z from "zod";
import { Amount } from "../../contract/core/scalars.ts";
import { PendingReasonName } from "../../contract/payments/transactions.ts";
import type { View } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { isChanged, takenElsewhere } from "../../domain/core/revision.ts";
import { setPendingReason } from "../../domain/payments/pending-reasons.ts";
import { setLimits } from "../../domain/payments/transaction-limits.ts";
import { transactionByPath } from "../../domain/payments/transactions.ts";
import { endpoint } from "./control-endpoint.ts";

const Limit = z.lazy(() =>
  z.object({ maxTransactionAmount: Amount.optional(), dailyVolume: Amount.optional() }),
);

const HeldTransaction = z.lazy(() =>
  z.object({
    id: z.string(),
    status: z.string(),
    pendingReason: PendingReasonName.nullable(),
  }),
);

/** Refuses to hold payments in a world whose revision has no reasons. */
const requireReasons = (view: View) => {
  if (!isChanged(view, "pendingReasons"))
    refuse(
      "INVALID_INPUT",
      { field: "pendingReason" },
      `No payment says why it waits; ${takenElsewhere(view, "pendingReasons")}`,
    );
};

/** Hooks for what delays and limits payments (spec/later-payments.md#transaction-limits). */
export const paymentHooks = [
  endpoint({
    operationId: "setLimits",
    summary: "Limit payments, one and those of a day in UTC, by currency; null removes a limit",
    method: "PATCH",
    path: "/limits",
    body: z.lazy(() => z.record(z.string(), Limit.nullable())),
    replies: [200, z.lazy(() => z.record(z.string(), Limit))],
    refuses: ["INVALID_CURRENCY"],
    handle: ({ body }, { commit }) => commit(setLimits, body as never),
  }),
  endpoint({
    operationId: "setPendingReason",
    summary: "Say why a payment waits, and hold it until null takes the reason away",
    method: "PATCH",
    path: "/transactions/{transactionId}",
    body: z.lazy(() => z.object({ pendingReason: PendingReasonName.nullable() })),
    replies: [200, HeldTransaction],
    refuses: ["TRANSACTION_NOT_FOUND"],
    subject: transactionByPath,
    handle: (input, { commit, engine }) => {
      requireReasons(engine.state);
      return commit(setPendingReason, input);
    },
  }),
];
