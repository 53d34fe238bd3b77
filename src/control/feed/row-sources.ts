import type { RowListName } from "../../contract/control/row-lists.ts";
import { all } from "../../domain/core/draft.ts";
import { type Ids, positionIn } from "../../domain/core/ids.ts";
import type { Kind } from "../../domain/records/records.ts";
import { mailShower } from "../../domain/wallets/mails.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import type { RequestLog } from "../../http/log/request-log.ts";
import type { ListedRows } from "../../rows/world.ts";
import type { Engine } from "../../runtime/engine.ts";
import { isTimerMark, timerIdIn, timerMark } from "../../runtime/timer-queue.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { showRequest } from "../why/requests.ts";
import { cardRow, customerRow } from "./holder-rows.ts";
import { showPosting } from "./ledger.ts";
import { approvalRow, paymentRow, timerRow } from "./payment-rows.ts";
import { agentRow, externalAccountRow, internalAccountRow, purchaseRow } from "./record-rows.ts";
import {
  soughtAccount,
  soughtCustomer,
  soughtDelivery,
  soughtPayment,
  soughtPosting,
} from "./sought-rows.ts";

/** Parts of a world that rows are made of. */
export interface RowWorld {
  engine: Engine;
  log(): RequestLog;
}

/** Keys of a list's rows, in the order of the list; valid until the next change. */
export interface Keys {
  readonly length: number;
  slice(from: number, to: number): readonly string[];
  /** The place after the row of a key, also when that is gone; undefined for a key of no such list. */
  after(key: string): number | undefined;
}

/** Rows of one list, by their keys. */
interface Source<Row> {
  keys(world: RowWorld): Keys;
  row(world: RowWorld, key: string): Row | undefined;
  /** The row as far as a filter reads it: what takes long is made when it is asked for. */
  sought?(world: RowWorld, key: string): Row | undefined;
}

const RECORD_ID = /^[A-Za-z]+:[0-9a-f-]{36}$/;

/** Ids that sort by creation, the newest first. */
const newestFirst = (ids: Ids): Keys => {
  const { length } = ids;
  const from = (place: number) => Math.max(0, length - place);
  return {
    length,
    slice: (first, end) => ids.slice(from(end), from(first)).reverse(),
    after: (key) => (RECORD_ID.test(key) ? length - positionIn(ids, key) : undefined),
  };
};

const listOf = (keys: readonly string[]): Keys => ({
  length: keys.length,
  slice: (from, to) => keys.slice(from, to),
  after: (key) => {
    const at = keys.indexOf(key);
    return at < 0 ? undefined : at + 1;
  },
});

type Reader<Row> = (state: WorldState, id: string) => Row | undefined;

const ofKind = <Row>(kind: Kind, row: Reader<Row>, sought: Reader<Row> = row): Source<Row> => ({
  keys: ({ engine }) => newestFirst(engine.state.ids(kind, "all", "")),
  row: ({ engine }, id) => row(engine.state, id),
  sought: ({ engine }, id) => sought(engine.state, id),
});

const WHOLE_NUMBER = /^[0-9]{1,9}$/;

/** Postings have no key that sorts: their position among all is one. */
const postings: Source<ListedRows["postings"]> = {
  keys: ({ engine: { state } }) => {
    const { length } = state.postings;
    return {
      length,
      slice: (from, to) =>
        Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, at) =>
          String(length - 1 - from - at),
        ),
      after: (key) => (WHOLE_NUMBER.test(key) ? Math.max(0, length - Number(key)) : undefined),
    };
  },
  row: ({ engine: { state } }, key) =>
    state.postings.slice(Number(key), Number(key) + 1).map(showPosting)[0],
  sought: ({ engine: { state } }, key) => soughtPosting(state, Number(key)),
};

/** Timers in the order they fire; one that threw stays where it is until its world is repaired. */
const timers: Source<ListedRows["timers"]> = {
  keys: ({ engine: { state } }) => {
    const queue = state.pendingTimers;
    const canceled = state.ids("Timer", "canceled", "").length;
    if (state.ids("Timer", "all", "").length > queue.length + canceled)
      return listOf(
        all(state, "Timer")
          .filter(({ canceledAtMs }) => canceledAtMs === undefined)
          .map(timerMark)
          .sort(),
      );
    return {
      length: queue.length,
      slice: (from, to) => queue.slice({ from, to }).map(({ mark }) => mark),
      after: (key) => (isTimerMark(key) ? queue.after(key) : undefined),
    };
  },
  row: ({ engine: { state } }, mark) => {
    const timer = state.get("Timer", timerIdIn(mark));
    return timer && timerRow(state, timer);
  },
};

/** Requests as the log has them: the last that was answered first. */
const requests: Source<ListedRows["requests"]> = {
  keys: ({ log }) => listOf(reportsOf(log()).map(({ report }) => report.id)),
  row: ({ log }, id) => {
    const found = placesOf(log()).get(id);
    return found && showRequest(found.show());
  },
};

type Reports = ReturnType<RequestLog["reports"]>;

const readLogs = new WeakMap<RequestLog, { version: number; reports: Reports }>();
const placedLogs = new WeakMap<Reports, ReadonlyMap<string, Reports[number]>>();

/** The requests of a log, read once for each of its changes. */
const reportsOf = (log: RequestLog): Reports => {
  const known = readLogs.get(log);
  if (known?.version === log.version) return known.reports;
  const reports = log.reports();
  readLogs.set(log, { version: log.version, reports });
  return reports;
};

const placesOf = (log: RequestLog) => {
  const reports = reportsOf(log);
  const places = placedLogs.get(reports) ?? new Map(reports.map((one) => [one.report.id, one]));
  placedLogs.set(reports, places);
  return places;
};

/** The rows of every list. Each quote has its payment, so the payments are all there is. */
export const ROW_SOURCES: { readonly [Name in RowListName]: Source<ListedRows[Name]> } = {
  payments: ofKind("Transaction", paymentRow, soughtPayment),
  approvals: ofKind("AgentAction", approvalRow),
  deliveries: ofKind(
    "Delivery",
    (state, id) => {
      const delivery = state.get("Delivery", id);
      return delivery && showDelivery(delivery);
    },
    soughtDelivery,
  ),
  requests,
  timers,
  mails: ofKind("Mail", (state, id) => {
    const mail = state.get("Mail", id);
    return mail && mailShower(state)(mail);
  }),
  postings,
  customers: ofKind("Customer", customerRow, soughtCustomer),
  cards: ofKind("Card", cardRow),
  purchases: ofKind("CardTransaction", purchaseRow),
  internalAccounts: ofKind("InternalAccount", internalAccountRow, soughtAccount),
  externalAccounts: ofKind("ExternalAccount", externalAccountRow),
  agents: ofKind("Agent", agentRow),
};

/** The first rows of a list. */
export const firstRows = <Name extends RowListName>(
  world: RowWorld,
  name: Name,
  count: number,
): ListedRows[Name][] => {
  const { keys, row } = ROW_SOURCES[name] as Source<ListedRows[Name]>;
  return keys(world)
    .slice(0, count)
    .flatMap((key) => row(world, key) ?? []);
};
