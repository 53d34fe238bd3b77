import { agentActionLifecycle } from "../../domain/lifecycles/agent-action.ts";
import { cardLifecycle } from "../../domain/lifecycles/card.ts";
import { cardTransactionLifecycle } from "../../domain/lifecycles/card-transaction.ts";
import { incomingPaymentLifecycle } from "../../domain/lifecycles/incoming-payment.ts";
import type { Lifecycle } from "../../domain/lifecycles/lifecycle.ts";
import { outgoingPaymentLifecycle } from "../../domain/lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "../../domain/lifecycles/quote.ts";
import { refundLifecycle } from "../../domain/lifecycles/refund.ts";

/** Any state machine, its states and triggers as plain words. */
export type AnyLifecycle = Lifecycle<string, string>;

/** Every state machine of the service, by what it is of. */
export const LIFECYCLE_TABLES = {
  Quote: quoteLifecycle as AnyLifecycle,
  "Outgoing payment": outgoingPaymentLifecycle as AnyLifecycle,
  "Incoming payment": incomingPaymentLifecycle as AnyLifecycle,
  Refund: refundLifecycle as AnyLifecycle,
  "Agent action": agentActionLifecycle as AnyLifecycle,
  Card: cardLifecycle as AnyLifecycle,
  "Card transaction": cardTransactionLifecycle as AnyLifecycle,
} as const;
