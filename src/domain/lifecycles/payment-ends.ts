import { incomingPaymentLifecycle } from "./incoming-payment.ts";
import { targetOf } from "./lifecycle.ts";
import { outgoingPaymentLifecycle } from "./outgoing-payment.ts";
import { quoteLifecycle } from "./quote.ts";

/** Statuses of quotes and payments that no move leaves. */
export const FINAL_STATUSES: ReadonlySet<string> = new Set([
  ...quoteLifecycle.ends,
  ...outgoingPaymentLifecycle.ends,
  ...incomingPaymentLifecycle.ends,
]);

/** The same with the status of a settled payment, which only a returned payment leaves. */
export const SETTLED_STATUSES: ReadonlySet<string> = new Set([
  ...FINAL_STATUSES,
  targetOf(outgoingPaymentLifecycle, "settle"),
  targetOf(incomingPaymentLifecycle, "settle"),
]);
