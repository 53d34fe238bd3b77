import type { Fault } from "../platform/faults.ts";
import type { Mail } from "../wallets/mails.ts";
import type { ActionFacts } from "./approvals.ts";
import type { Posting } from "./ledger.ts";
import type { FedListName } from "./row-lists.ts";
import type { PendingTimer } from "./timers.ts";
import type { MinorAmount, Payee } from "./values.ts";

/** Rows of one list that a snapshot event brings at most, and that watchers keep: the first ones. */
export const MAX_ROWS = 1000;

/** Rows of one list that the snapshot event of `first=true` brings at most. */
export const FIRST_ROWS = 100;

/** Requests of one world that the log keeps. */
export const MAX_REQUESTS = 10_000;

/** The timer that a row waits for on the simulated clock. */
export interface OpenTimer {
  dueAt: string;
  /** Start of its countdown. */
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
  /** The payment: the row's own id, or that of the quote's payment once it is made. */
  transactionId?: string;
  status: string;
  sends?: MinorAmount;
  receives?: MinorAmount;
  to?: Payee;
  /** Text that goes with the payment. */
  memo?: string;
  createdAt: string;
  changedAt: string;
  settledAt?: string;
  reason?: string;
  refund?: string;
  /** The outcome row that decided it last: `quotedPayment.003`. */
  rule?: string;
  timer?: OpenTimer;
}

/** An agent's action, waiting or decided. */
export interface ApprovalRow extends ActionFacts {
  id: string;
  version: number;
  createdAt: string;
  /** While it waits: the internal account that would pay, and what it holds. */
  from?: MinorAmount & { id: string };
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
  trouble?: string;
  attempt: number;
  createdAt: string;
  sentAt?: string;
  tookMs?: number;
  error?: string;
  nextAttemptAt?: string;
}

/** A call as the feed shows it. */
export interface RequestRow {
  id: string;
  at: string;
  method: string;
  /** With `/_sim` for a call of the control surface. */
  path: string;
  /** Set for a call of the control surface; only readers who ask for these get them. */
  isControl?: true;
  operation?: string;
  status: number;
  tookMs: number;
  error?: { code: string; reason?: string };
  fault?: string;
  caused: readonly string[];
}

/** A pending timer. */
export interface TimerRow extends Omit<PendingTimer, "inMs"> {
  /** `name subject`. */
  id: string;
  /** Order of creation, which decides among timers of one instant. */
  order?: number;
}

/** A customer, and what its accounts hold. */
export interface CustomerRow {
  id: string;
  version: number;
  name?: string;
  type: "INDIVIDUAL" | "BUSINESS";
  /** State of its identity check, or DELETED. */
  status?: string;
  platformCustomerId: string;
  createdAt: string;
  /** One sum for each currency of which it holds any. */
  balances: MinorAmount[];
}

/** A card, and the account that is asked first for its money. */
export interface CardRow {
  id: string;
  version: number;
  state: string;
  reason?: string;
  lastFour?: string;
  holder: Payee;
  account?: MinorAmount & { id: string };
  /** Number of accounts that are asked for its money. */
  accountCount: number;
  createdAt: string;
}

/** Rows that there are of each list that has more than `FIRST_ROWS`. */
export type RowCounts = { [Name in FedListName]?: number };

/** Everything a watcher shows, newest first; timers in the order they will fire. */
export interface AllRows {
  payments: PaymentRow[];
  approvals: ApprovalRow[];
  deliveries: DeliveryRow[];
  requests: RequestRow[];
  timers: TimerRow[];
  mails: Mail[];
  postings: Posting[];
  customers: CustomerRow[];
  cards: CardRow[];
  /** Fault switches, oldest first; requests tell which of them strike. */
  faults: Fault[];
  /** Left out while no list has more than `FIRST_ROWS`. */
  counts?: RowCounts;
  /** Sum of all balances by currency: zero, or the world is broken. */
  totals: Record<string, number>;
  /** Total balance of the internal accounts, by currency. */
  held: Record<string, number>;
  /** The endpoint of webhooks. */
  webhookEndpoint?: string;
}

/** Rows that one change touched, each complete; `gone` lists the ids of removed rows. */
export type ChangedRows = Partial<Omit<AllRows, "totals" | "held" | "requests">> & {
  gone?: string[];
  /** The endpoint was taken away. */
  isWithoutEndpoint?: true;
};
