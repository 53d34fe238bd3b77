import type { Mail } from "../wallets/mails.ts";

/** An amount in minor units of its currency. */
export interface RowAmount {
  amount: number;
  currency: string;
}

/** Who is paid, or an address where nobody has a name. */
export interface RowParty {
  id: string;
  name?: string;
  identifier?: string;
}

/** What a row waits for on the simulated clock. */
export interface OpenTimer {
  dueAt: string;
  /** Where its countdown began. */
  setAt: string;
  timer: string;
  /** The state it leads to. */
  then: string;
  rule?: string;
}

/** A quote with the payment made from it, or a payment that has no quote. */
export interface PaymentRow {
  id: string;
  /** Rises with every change of what the row shows. */
  version: number;
  kind: "QUOTE" | "TRANSFER" | "INCOMING";
  status: string;
  sends?: RowAmount;
  receives?: RowAmount;
  to?: RowParty;
  createdAt: string;
  changedAt: string;
  settledAt?: string;
  reason?: string;
  refund?: string;
  /** The outcome row that decided it last: `quotedPayment.003`. */
  rule?: string;
  timer?: OpenTimer;
}

/** An agent's action that waits or was decided. */
export interface ApprovalRow extends RowAmount {
  id: string;
  version: number;
  type: string;
  status: string;
  agentName: string;
  to: RowParty;
  createdAt: string;
  /** The row of the policy that has it wait. */
  because: { rule: string; limit?: unknown; value?: unknown; currency?: string | undefined };
  /** The internal account that would pay, and what it holds. */
  from?: RowAmount & { id: string };
  reason?: string;
}

/** A delivery as the feed shows it: `status` is the receiver's, `state` the delivery's. */
export interface DeliveryRow {
  id: string;
  type: string;
  about?: string;
  status: number | null;
  state: string;
  reason?: string;
  attempt: number;
  createdAt: string;
  sentAt?: string;
  tookMs?: number;
  error?: string;
  nextAttemptAt?: string;
}

/** A call of the platform as the feed shows it. */
export interface RequestRow {
  id: string;
  at: string;
  method: string;
  path: string;
  status: number;
  tookMs: number;
  error?: { code: string; reason?: string };
  fault?: string;
  caused: readonly string[];
}

/** Something that will happen. */
export interface TimerRow {
  /** `name subject`. */
  id: string;
  dueAt: string;
  timer: string;
  subject: string;
  then: string;
  rule?: string;
  poisoned?: string;
}

/** One posting of the ledger. */
export interface PostingRow extends RowAmount {
  id: string;
  at: string;
  cause: string;
  account: string;
}

/** Everything a watcher shows, newest first; timers in the order they will fire. */
export interface AllRows {
  payments: PaymentRow[];
  approvals: ApprovalRow[];
  deliveries: DeliveryRow[];
  requests: RequestRow[];
  timers: TimerRow[];
  mails: Mail[];
  postings: PostingRow[];
  /** Sum of all balances by currency: zero, or the world is broken. */
  totals: Record<string, number>;
  /** What internal accounts hold together, by currency. */
  held: Record<string, number>;
  /** Where webhooks go. */
  webhookEndpoint?: string;
}

/** What one change did to rows, each whole as it is now; `gone` names those that are no more. */
export type ChangedRows = Partial<Omit<AllRows, "totals" | "held" | "requests">> & {
  gone?: string[];
  /** The endpoint was taken away. */
  isWithoutEndpoint?: true;
};
