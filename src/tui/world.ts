import type {
  AllRows,
  ApprovalRow,
  DeliveryRow,
  PaymentRow,
  PostingRow,
  RequestRow,
  TimerRow,
} from "../contract/control/feed-rows.ts";
import type { Mail } from "../contract/wallets/mails.ts";
import type { KnownClock } from "./clock-face.ts";

/** Rows by the list they stand in. */
export interface Rows {
  payments: PaymentRow;
  approvals: ApprovalRow;
  deliveries: DeliveryRow;
  requests: RequestRow;
  timers: TimerRow;
  mails: Mail;
  postings: PostingRow;
}

export type ListName = keyof Rows;

export const LIST_NAMES = [
  "payments",
  "approvals",
  "deliveries",
  "requests",
  "timers",
  "mails",
  "postings",
] as const satisfies readonly ListName[];

/** The connection to the simulator. */
export interface Link {
  state: "connecting" | "live" | "lost";
  /** Since when it is so, wall milliseconds. */
  sinceMs: number;
  /** When the next try is made, while it is lost. */
  nextTryMs?: number;
  /** How often the feed had to be read anew since something was missed. */
  missed: number;
}

/** What is known of the watched world: a value, replaced by `takeEvents`. */
export interface Watched {
  world: string;
  clock: KnownClock | undefined;
  link: Link;
  lists: { readonly [Name in ListName]: readonly Rows[Name][] };
  totals: Readonly<Record<string, number>>;
  held: Readonly<Record<string, number>>;
  webhookEndpoint: string | undefined;
  /** Why the world takes no calls any more. */
  stopped: string | undefined;
  /** Rows that are over and are shown a little longer, until an instant of the wall's. */
  leaving: ReadonlyMap<string, number>;
}

const NO_ROWS: Watched["lists"] = {
  payments: [],
  approvals: [],
  deliveries: [],
  requests: [],
  timers: [],
  mails: [],
  postings: [],
};

/** Before anything was heard. */
export const unheard = (wallMs: number): Watched => ({
  world: "",
  clock: undefined,
  link: { state: "connecting", sinceMs: wallMs, missed: 0 },
  lists: NO_ROWS,
  totals: {},
  held: {},
  webhookEndpoint: undefined,
  stopped: undefined,
  leaving: new Map(),
});

/** Rows of one list that are kept; older ones are asked for with commands. */
export const MAX_ROWS = 1000;

/** The lists of a greeting, each in the order it is shown in. */
export const listsOf = (rows: AllRows): Watched["lists"] => ({
  payments: rows.payments,
  approvals: rows.approvals.toReversed(),
  deliveries: rows.deliveries,
  requests: rows.requests,
  timers: rows.timers,
  mails: rows.mails,
  postings: rows.postings,
});
