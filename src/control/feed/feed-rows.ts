import {
  type AllRows,
  type ChangedRows,
  FIRST_ROWS,
  MAX_ROWS,
  type RowCounts,
} from "../../contract/control/feed-rows.ts";
import type { Posting } from "../../contract/control/ledger.ts";
import { FED_LISTS, type FedListName } from "../../contract/control/row-lists.ts";
import { shownAddress } from "../../contract/core/endpoint-address.ts";
import { all, instant } from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import type { FaultRecord } from "../../domain/records/fault-records.ts";
import type { Kind } from "../../domain/records/records.ts";
import { mailShower } from "../../domain/wallets/mails.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import type { FaultInjection } from "../../http/door/fault-injection.ts";
import type { Rows } from "../../rows/world.ts";
import type { Change } from "../../runtime/change.ts";
import type { FeedRows } from "../../runtime/feed.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { showFault } from "../core/fault-hooks.ts";
import { cardRow, customerRow, holdersIn } from "./holder-rows.ts";
import { ledgerTotals } from "./ledger.ts";
import { approvalRow, payerOf, paymentRow, quoteRow, timerRow } from "./payment-rows.ts";
import { firstRows, ROW_SOURCES, type RowWorld } from "./row-sources.ts";

const present = <Row>(row: Row | undefined): Row[] => (row === undefined ? [] : [row]);

const heldIn = (state: WorldState) => {
  const held: Record<string, number> = {};
  for (const { account, currency, minor } of state.allBalances())
    if (account.startsWith("InternalAccount:"))
      held[currency] = (held[currency] ?? 0) + Number(minor);
  return Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)));
};

const endpointIn = (state: WorldState) => {
  const { webhookEndpoint } = platformConfig(state);
  return webhookEndpoint ? { webhookEndpoint: shownAddress(webhookEndpoint) } : {};
};

/** Parts of a simulator that rows are made of. */
interface Sources extends RowWorld {
  faults(): FaultInjection;
}

const faultRows = ({ faults }: Sources, records: readonly FaultRecord[]) =>
  records.map((one) => showFault(one, faults().countOf(one.id)));

/** Rows of the lists that a watcher may have a part of; small worlds have no such list. */
const countsIn = (sources: Sources, lists: readonly FedListName[]) => {
  const counts: RowCounts = {};
  for (const name of lists) {
    const { length } = ROW_SOURCES[name].keys(sources);
    if (length > FIRST_ROWS) counts[name] = length;
  }
  return Object.keys(counts).length > 0 ? { counts } : {};
};

/** The log of requests is no part of a change, and takes long to count. */
const CHANGED_LISTS = FED_LISTS.filter((name) => name !== "requests");

const allRows = (sources: Sources, most: number): AllRows => {
  const { state } = sources.engine;
  const first = <Name extends keyof Rows>(name: Name) => firstRows(sources, name, most);
  return {
    payments: first("payments"),
    approvals: first("approvals"),
    deliveries: first("deliveries"),
    requests: first("requests"),
    timers: first("timers"),
    mails: first("mails"),
    postings: first("postings"),
    customers: first("customers"),
    cards: first("cards"),
    faults: faultRows(sources, all(state, "Fault").slice(-MAX_ROWS)),
    totals: ledgerTotals(state),
    held: heldIn(state),
    ...countsIn(sources, FED_LISTS),
    ...endpointIn(state),
  };
};

/** Ids of the records of one kind that a change wrote, and of those it took away. */
const touched = ({ put = [], del = [] }: Change, kind: Kind) => ({
  put: put.filter(([one]) => one === kind).map(([, { id }]) => id),
  gone: del.filter(([one]) => one === kind).map(([, id]) => id),
});

const subjectOf = (timerId: string) => timerId.slice(timerId.indexOf(" ") + 1);

/** Records of a kind that a list has at most, newest first. */
const newestIds = (state: WorldState, kind: Kind) => state.ids(kind, "all", "").slice(-MAX_ROWS);

/**
 * Rows that move up to the end of a list which watchers keep the first part of: as many as a change
 * took away.
 */
const movedUp = <Name extends keyof Rows>(sources: Sources, name: Name, gone: number) => {
  const { keys, row } = ROW_SOURCES[name];
  if (gone === 0) return [];
  const part = keys(sources).slice(Math.max(0, MAX_ROWS - gone), MAX_ROWS);
  return part.flatMap((key) => present(row(sources, key))) as Rows[Name][];
};

const paymentsIn = (state: WorldState, change: Change) => {
  const timers = touched(change, "Timer");
  const subjects = [...timers.put, ...timers.gone].map(subjectOf);
  const payees = new Set(touched(change, "ExternalAccount").gone);
  // Its name goes with an account: few are taken away, and nothing lists the payments to one.
  const unnamed = payees.size === 0 ? [] : newestIds(state, "Transaction");
  const rows = [
    ...[...touched(change, "Quote").put, ...subjects].map((id) => quoteRow(state, id)),
    ...[...touched(change, "Transaction").put, ...subjects].map((id) => paymentRow(state, id)),
    ...unnamed.map((id) => paymentRow(state, id)).filter((row) => row?.to && payees.has(row.to.id)),
  ].flatMap(present);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
};

/** The actions whose rows a change may alter: a row shows a balance and names too. */
const approvalsIn = (state: WorldState, change: Change) => {
  const { put, gone } = touched(change, "Agent");
  const agents = [...gone, ...(change.by === "patchAgent" ? put : [])];
  const payees = new Set(touched(change, "ExternalAccount").gone);
  const debited = new Set((change.post ?? []).map(([account]) => account));
  const waiting = debited.size > 0 ? state.ids("AgentAction", "byStatus", "PENDING_APPROVAL") : [];
  const isDebited = (id: string) => {
    const action = state.get("AgentAction", id);
    return action && debited.has(payerOf(state, action) ?? "");
  };
  const ids = [
    ...touched(change, "AgentAction").put,
    ...agents.flatMap((id) => state.ids("AgentAction", "byAgent", id).slice(-MAX_ROWS)),
    ...waiting.slice(-MAX_ROWS).filter(isDebited),
  ];
  const unnamed = (payees.size === 0 ? [] : newestIds(state, "AgentAction"))
    .flatMap((id) => present(approvalRow(state, id)))
    .filter(({ to }) => payees.has(to.id));
  return [...[...new Set(ids)].flatMap((id) => present(approvalRow(state, id))), ...unnamed];
};

const deliveriesIn = (sources: Sources, change: Change) => {
  const { state } = sources.engine;
  const { put, gone } = touched(change, "Delivery");
  return [
    ...[...put, ...(change.emit ?? []).map(({ id }) => id)]
      .flatMap((id) => state.get("Delivery", id) ?? [])
      .map(showDelivery),
    ...movedUp(sources, "deliveries", gone.length),
  ];
};

const timersIn = (sources: Sources, change: Change) => {
  const { state } = sources.engine;
  const { put, gone } = touched(change, "Timer");
  return [
    ...put
      .flatMap((id) => state.get("Timer", id) ?? [])
      .filter(({ canceledAtMs }) => canceledAtMs === undefined)
      .map((timer) => timerRow(state, timer)),
    ...movedUp(sources, "timers", gone.length + put.length),
  ];
};

const postingsIn = ({ post = [], seq, at, cause }: Change): Posting[] =>
  post.map(([account, currency, minor], position) => ({
    id: `${seq}.${position}`,
    at: instant(at),
    cause,
    account,
    currency,
    amount: Number(minor),
  }));

const canceledIn = ({ put = [] }: Change) =>
  put.flatMap(([kind, record]) =>
    kind === "Timer" && record.canceledAtMs !== undefined ? [record.id] : [],
  );

/** Kinds that rows are made of, and whose records may be taken away. */
const REMOVED = ["Timer", "Mail", "Quote", "Delivery", "Fault"] as const;

const goneIn = (change: Change) => [
  ...REMOVED.flatMap((kind) => touched(change, kind).gone),
  ...canceledIn(change),
];

const changedRows = (sources: Sources, change: Change): ChangedRows => {
  const { state } = sources.engine;
  const holders = holdersIn(state, change);
  const config = touched(change, "PlatformConfig").put.length > 0 && endpointIn(state);
  const rows = {
    payments: paymentsIn(state, change),
    approvals: approvalsIn(state, change),
    deliveries: deliveriesIn(sources, change),
    timers: timersIn(sources, change),
    mails: touched(change, "Mail")
      .put.flatMap((id) => state.get("Mail", id) ?? [])
      .map(mailShower(state)),
    postings: postingsIn(change),
    customers: holders.customers.flatMap((id) => present(customerRow(state, id))),
    cards: holders.cards.flatMap((id) => present(cardRow(state, id))),
    faults: faultRows(
      sources,
      touched(change, "Fault").put.flatMap((id) => state.get("Fault", id) ?? []),
    ),
    gone: goneIn(change),
  };
  return {
    ...Object.fromEntries(Object.entries(rows).filter(([, list]) => list.length > 0)),
    ...(config && (config.webhookEndpoint ? config : { isWithoutEndpoint: true })),
  };
};

/** The rows that watchers show, made from a world as it is. */
export const feedRows = (sources: Sources): FeedRows => ({
  all: () => allRows(sources, MAX_ROWS),
  first: () => allRows(sources, FIRST_ROWS),
  of: (change) => {
    const rows = changedRows(sources, change);
    if (Object.keys(rows).length === 0) return undefined;
    return { ...rows, ...countsIn(sources, CHANGED_LISTS) };
  },
});
