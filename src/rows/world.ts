import type {
  AllRows,
  ApprovalRow,
  CardRow,
  CustomerRow,
  DeliveryRow,
  PaymentRow,
  RequestRow,
  RowCounts,
  TimerRow,
} from "../contract/control/feed-rows.ts";
import type { Posting } from "../contract/control/ledger.ts";
import type {
  AgentRow,
  ExternalAccountRow,
  InternalAccountRow,
  PurchaseRow,
} from "../contract/control/record-rows.ts";
import { defined } from "../contract/core/defined.ts";
import { inGroups } from "../contract/core/digit-groups.ts";
import type { Fault } from "../contract/platform/faults.ts";
import type { Mail } from "../contract/wallets/mails.ts";
import type { KnownClock } from "./clock-face.ts";

/** Rows of the lists that the feed tells. */
export interface Rows {
  payments: PaymentRow;
  approvals: ApprovalRow;
  deliveries: DeliveryRow;
  requests: RequestRow;
  timers: TimerRow;
  mails: Mail;
  postings: Posting;
  customers: CustomerRow;
  cards: CardRow;
}

export type ListName = keyof Rows;

/** Rows of every list: those beyond the feed's are read page by page. */
export interface ListedRows extends Rows {
  purchases: PurchaseRow;
  internalAccounts: InternalAccountRow;
  externalAccounts: ExternalAccountRow;
  agents: AgentRow;
}

export type ListedName = keyof ListedRows;

/** The connection to the simulator. */
export interface Link {
  state: "connecting" | "live" | "lost";
  /** Start of this state, real milliseconds. */
  sinceMs: number;
  /** Time of the next try, while the connection is lost. */
  nextTryMs?: number;
  /** Number of times the feed was read again from the start because events were missed. */
  missed: number;
}

/** Everything known of the watched world; `takeEvents` replaces it. */
export interface WatchedWorld {
  world: string;
  /** Name by which the world was asked for; the default world goes without. */
  asked?: string;
  clock: KnownClock | undefined;
  link: Link;
  lists: { readonly [Name in ListName]: readonly Rows[Name][] };
  /** Rows of the long lists, of which a part may stand here. */
  counts: RowCounts;
  totals: Readonly<Record<string, number>>;
  held: Readonly<Record<string, number>>;
  webhookEndpoint: string | undefined;
  /** Fault switches, oldest first. */
  faults: readonly Fault[];
  /** Reason the world no longer takes calls. */
  stopped: string | undefined;
}

const NO_ROWS: WatchedWorld["lists"] = {
  payments: [],
  approvals: [],
  deliveries: [],
  requests: [],
  timers: [],
  mails: [],
  postings: [],
  customers: [],
  cards: [],
};

/** The world before the first event. */
export const initialWorld = (wallMs: number, worldName?: string): WatchedWorld => ({
  world: "",
  ...defined({ asked: worldName }),
  clock: undefined,
  link: { state: "connecting", sinceMs: wallMs, missed: 0 },
  lists: NO_ROWS,
  counts: {},
  totals: {},
  held: {},
  webhookEndpoint: undefined,
  faults: [],
  stopped: undefined,
});

/** Number of rows that a list has, here or not. */
export const countIn = ({ lists, counts }: WatchedWorld, name: ListName): number =>
  counts[name] ?? lists[name].length;

/** True for a list that has more rows than stand here. */
export const isCut = ({ lists, counts }: WatchedWorld, name: ListName): boolean =>
  (counts[name] ?? 0) > lists[name].length;

/** Number of the rows here that match: "12+" where the list has more than these. */
export const countMatching = <Name extends ListName>(
  watched: WatchedWorld,
  name: Name,
  isMatch: (row: Rows[Name]) => boolean,
): { count: number; text: string } => {
  const { length: count } = (watched.lists[name] as readonly Rows[Name][]).filter(isMatch);
  return { count, text: `${inGroups(count)}${isCut(watched, name) ? "+" : ""}` };
};

/** Rows of a simulator; older versions send fewer lists. */
export type GreetedRows = Omit<AllRows, "customers" | "cards" | "faults"> & Partial<AllRows>;

/** The lists of a snapshot event. */
export const listsOf = (rows: GreetedRows): WatchedWorld["lists"] => ({
  payments: rows.payments,
  approvals: rows.approvals,
  deliveries: rows.deliveries,
  requests: rows.requests,
  timers: rows.timers,
  mails: rows.mails,
  postings: rows.postings,
  customers: rows.customers ?? [],
  cards: rows.cards ?? [],
});
