import type {
  AllRows,
  ApprovalRow,
  ChangedRows,
  OpenTimer,
  PaymentRow,
  TimerRow,
} from "../../contract/control/feed-rows.ts";
import type { Posting } from "../../contract/control/ledger.ts";
import { defined } from "../../contract/core/defined.ts";
import { shownAddress } from "../../contract/core/endpoint-address.ts";
import { all, find, instant } from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { SETTLED_STATUSES } from "../../domain/lifecycles/payment-ends.ts";
import type { AgentActionRecord } from "../../domain/records/agent-records.ts";
import type { FaultRecord } from "../../domain/records/fault-records.ts";
import type {
  Kind,
  Records,
  TimerRecord,
  TransactionRecord,
} from "../../domain/records/records.ts";
import { mailShower } from "../../domain/wallets/mails.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import type { FaultInjection } from "../../http/door/fault-injection.ts";
import type { RequestLog } from "../../http/log/request-log.ts";
import type { Change } from "../../runtime/change.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { FeedRows } from "../../runtime/feed.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { showFault } from "../core/fault-hooks.ts";
import { actionFacts } from "../why/action-facts.ts";
import { showRequest } from "../why/requests.ts";
import { factsOf } from "../why/why-facts.ts";
import { cardRow, customerRow, holdersIn } from "./holder-rows.ts";
import { ledgerTotals, showPosting } from "./ledger.ts";
import { timerFacts } from "./timer-facts.ts";

/** Rows of one pane that a snapshot event brings at most; the newest. */
export const MAX_ROWS = 1000;

const timerRow = (state: WorldState, timer: TimerRecord): TimerRow => ({
  id: timer.id,
  ...timerFacts(state, timer),
});

const timersOf = (state: WorldState, subject: string) =>
  find(state, "Timer", ["bySubject", subject]);

/** The first thing that a quote or its payment waits for. */
const openTimer = (state: WorldState, ids: readonly string[], setAtMs: number) => {
  const [first] = ids
    .flatMap((id) => timersOf(state, id))
    .sort((a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order);
  if (!first) return undefined;
  const { dueAt, timer, then, rule } = timerRow(state, first);
  const setAt = instant(Math.min(setAtMs, first.dueAtMs));
  return { dueAt, setAt, timer, then, ...defined({ rule }) } satisfies OpenTimer;
};

const outcomeOf = ({ course, settledAtMs, failureReason, ...rest }: TransactionRecord) => {
  return defined({
    rule: course?.rows.at(-1),
    settledAt: settledAtMs === undefined ? undefined : instant(settledAtMs),
    reason: failureReason,
    refund: rest.type === "OUTGOING" ? rest.refund?.status : undefined,
  });
};

const amountsOf = (state: WorldState, id: string) => {
  const { sends, receives, payee } = factsOf(state, id);
  return { ...(sends && { sends }), ...(receives && { receives }), ...(payee && { to: payee }) };
};

const quoteRow = (state: WorldState, id: string): PaymentRow | undefined => {
  const quote = state.get("Quote", id);
  if (!quote) return undefined;
  const payment = state.get("Transaction", quote.transactionId);
  const timer = openTimer(state, [id, quote.transactionId], quote.updatedAtMs);
  return {
    id,
    version: state.seq,
    kind: "QUOTE",
    ...(payment && { transactionId: payment.id }),
    status: quote.status,
    ...amountsOf(state, id),
    createdAt: instant(quote.createdAtMs),
    changedAt: instant(quote.updatedAtMs),
    ...(payment && outcomeOf(payment)),
    ...(timer && { timer }),
  };
};

/** A payment of its own, or the row of the quote it was made from. */
export const paymentRow = (state: WorldState, id: string): PaymentRow | undefined => {
  const payment = state.get("Transaction", id);
  if (payment?.type === "OUTGOING" && payment.quoteId !== undefined)
    return quoteRow(state, payment.quoteId);
  if (!payment) return undefined;
  const timer = openTimer(state, [id], payment.updatedAtMs);
  return {
    id,
    version: state.seq,
    kind: payment.type === "OUTGOING" ? "TRANSFER" : "INCOMING",
    transactionId: id,
    status: payment.status,
    ...amountsOf(state, id),
    createdAt: instant(payment.createdAtMs),
    changedAt: instant(payment.updatedAtMs),
    ...outcomeOf(payment),
    ...(timer && { timer }),
  };
};

const payerOf = (state: WorldState, { request }: AgentActionRecord) => {
  if (request.type !== "EXECUTE_QUOTE") return request.sourceAccountId;
  const source = state.get("Quote", request.quoteId)?.source;
  return source?.sourceType === "ACCOUNT" ? source.accountId : undefined;
};

const approvalRow = (state: WorldState, id: string): ApprovalRow | undefined => {
  const record = state.get("AgentAction", id);
  if (!record) return undefined;
  const payer = state.get("InternalAccount", payerOf(state, record) ?? "");
  const reason = record.failedBecause?.says ?? record.rejectionReason;
  return {
    id,
    version: state.seq,
    ...actionFacts(state, record),
    createdAt: instant(record.createdAtMs),
    ...(payer && {
      from: {
        id: payer.id,
        amount: Number(state.balanceMinor(payer.id, payer.currency)),
        currency: payer.currency,
      },
    }),
    ...defined({ reason }),
  };
};

const newest = <K extends Kind>(state: WorldState, kind: K): Records[K][] =>
  state
    .ids(kind, "all", "")
    .slice(-MAX_ROWS)
    .flatMap((id) => state.get(kind, id) ?? [])
    .reverse();

const present = <Row>(row: Row | undefined): Row[] => (row === undefined ? [] : [row]);

/** Payments without a quote that are under way: those that are over are in the ledger. */
const openPayments = (state: WorldState) =>
  newest(state, "Transaction")
    .filter((one) => !SETTLED_STATUSES.has(one.status) && !(one.type === "OUTGOING" && one.quoteId))
    .flatMap(({ id }) => present(paymentRow(state, id)));

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
interface Sources {
  engine: Engine;
  log(): RequestLog;
  faults(): FaultInjection;
}

const faultRows = ({ faults }: Sources, records: readonly FaultRecord[]) =>
  records.map((one) => showFault(one, faults().countOf(one.id)));

const allRows = (sources: Sources, state = sources.engine.state): AllRows => ({
  payments: [
    ...newest(state, "Quote").flatMap(({ id }) => present(quoteRow(state, id))),
    ...openPayments(state),
  ]
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
    .slice(0, MAX_ROWS),
  approvals: state
    .ids("AgentAction", "byStatus", "PENDING_APPROVAL")
    .slice(0, MAX_ROWS)
    .flatMap((id) => present(approvalRow(state, id)))
    .reverse(),
  deliveries: newest(state, "Delivery").map(showDelivery),
  requests: sources
    .log()
    .page({ limit: MAX_ROWS }, () => true)
    .requests.map(showRequest),
  timers: all(state, "Timer")
    .filter(({ canceledAtMs }) => canceledAtMs === undefined)
    .sort((a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order)
    .slice(0, MAX_ROWS)
    .map((timer) => timerRow(state, timer)),
  mails: newest(state, "Mail").map(mailShower(state)),
  postings: state.postings.slice(-MAX_ROWS).reverse().map(showPosting),
  customers: newest(state, "Customer").flatMap(({ id }) => present(customerRow(state, id))),
  cards: newest(state, "Card").flatMap(({ id }) => present(cardRow(state, id))),
  faults: faultRows(sources, newest(state, "Fault").reverse()),
  totals: ledgerTotals(state),
  held: heldIn(state),
  ...endpointIn(state),
});

/** Ids of the records of one kind that a change wrote, and of those it took away. */
const touched = ({ put = [], del = [] }: Change, kind: Kind) => ({
  put: put.filter(([one]) => one === kind).map(([, { id }]) => id),
  gone: del.filter(([one]) => one === kind).map(([, id]) => id),
});

const subjectOf = (timerId: string) => timerId.slice(timerId.indexOf(" ") + 1);

const paymentsIn = (state: WorldState, change: Change) => {
  const timers = touched(change, "Timer");
  const subjects = [...timers.put, ...timers.gone].map(subjectOf);
  const rows = [
    ...[...touched(change, "Quote").put, ...subjects].map((id) => quoteRow(state, id)),
    ...[...touched(change, "Transaction").put, ...subjects].map((id) => paymentRow(state, id)),
  ].flatMap(present);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
};

const deliveriesIn = (state: WorldState, change: Change) =>
  [...touched(change, "Delivery").put, ...(change.emit ?? []).map(({ id }) => id)]
    .flatMap((id) => state.get("Delivery", id) ?? [])
    .map(showDelivery);

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

const goneIn = (change: Change) => [
  ...touched(change, "Timer").gone,
  ...canceledIn(change),
  ...touched(change, "Mail").gone,
  ...touched(change, "Quote").gone,
  ...touched(change, "Fault").gone,
];

const changedRows = (sources: Sources, change: Change): ChangedRows => {
  const { state } = sources.engine;
  const holders = holdersIn(state, change);
  const config = touched(change, "PlatformConfig").put.length > 0 && endpointIn(state);
  const rows = {
    payments: paymentsIn(state, change),
    approvals: touched(change, "AgentAction").put.flatMap((id) => present(approvalRow(state, id))),
    deliveries: deliveriesIn(state, change),
    timers: touched(change, "Timer")
      .put.flatMap((id) => state.get("Timer", id) ?? [])
      .filter(({ canceledAtMs }) => canceledAtMs === undefined)
      .map((timer) => timerRow(state, timer)),
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
  all: () => allRows(sources),
  of: (change) => {
    const rows = changedRows(sources, change);
    return Object.keys(rows).length > 0 ? rows : undefined;
  },
});
