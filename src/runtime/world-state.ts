import { defined } from "../contract/core/defined.ts";
import type { EmittedEvent, EventTreatment, LabOrigin, View } from "../domain/core/draft.ts";
import type { DeliveryRecord, Kind, Records, TimerRecord } from "../domain/records/records.ts";
import { KINDS } from "../domain/records/tables.ts";
import { AppendList } from "./append-list.ts";
import type { Branch } from "./branch.ts";
import type { Change } from "./change.ts";
import type { ClockState } from "./clock.ts";
import { History } from "./history.ts";
import type { IdList } from "./id-set.ts";
import { type MapDifference, PersistentMap } from "./persistent-map.ts";
import {
  type BookedPosting,
  PostingColumns,
  type PostingImage,
  postingOf,
} from "./posting-columns.ts";
import { Table, type TablePart } from "./table.ts";
import { TimerQueue } from "./timer-queue.ts";

/** Key of a balance. */
export const balanceKey = (account: string, currency: string) => `${account} ${currency}`;

/** Facts about a world beside its records and its ledger. */
export interface WorldMeta {
  world: string;
  seed: string;
  branch: Branch;
  counter: number;
  seq: number;
  atMs: number;
  clock: ClockState | undefined;
}

/** Balance of an account in a currency, in minor units. */
export interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly minor: bigint;
}

/** A balance in a checkpoint; minor units are text. */
export type BalanceImage = [account: string, currency: string, minor: string];

export const balanceImage = ({ account, currency, minor }: Balance): BalanceImage => [
  account,
  currency,
  `${minor}`,
];

const noPostings = () => new AppendList<BookedPosting>(() => new PostingColumns());

const deliveryOf = (event: EmittedEvent, { at, cause, row }: Change): DeliveryRecord => ({
  id: event.id,
  type: event.type,
  lane: event.lane,
  ...defined({ about: event.about }),
  cause,
  ...defined({ rule: row }),
  bornAtMs: at,
  state: event.deliverable ? "WAITING" : "UNDELIVERABLE",
  attemptCount: 0,
  attempts: [],
  ...(event.lab && labMembers(event.lab)),
  ...(event.trouble && troubleMembers(event.trouble)),
});

const troubleMembers = ({ id, did, state, nextAttemptAtMs, copies }: EventTreatment) => ({
  trouble: { id, did },
  ...defined({ state, nextAttemptAtMs, copies }),
});

const labMembers = ({ kind, state, nextAttemptAtMs }: LabOrigin) => ({
  lab: kind,
  state,
  ...defined({ nextAttemptAtMs }),
});

const eventRecordOf = ({ id, body, lab: { signed, base64 } = {} as LabOrigin }: EmittedEvent) => ({
  id,
  body,
  ...defined({ signed, base64 }),
});

/**
 * The whole state of one platform in memory. Only `apply` changes it, one whole change at a time,
 * so that it always equals the journal.
 */
export class WorldState implements View {
  private readonly mode: { isLoading?: boolean };
  /** A table is made with its first record. */
  private tables = new Map<Kind, Table<Kind>>();
  /** Kinds whose tables no fork has; a table that one has is copied before the first write. */
  private owned = new Set<Kind>();
  /** Balances are replaced when they change: a reader keeps the old value. */
  private balances = new PersistentMap<Balance>();
  postings = noPostings();
  history = new History();
  /** Made when it is first asked for: while a world is being loaded, its timers are unread. */
  private timers: TimerQueue | undefined;
  /** The next timer while no timer changes; each read and write asks for it. */
  private next: { timer: TimerRecord | undefined } | undefined;
  world = "";
  seed = "";
  branch: Branch = 0;
  counter = 0;
  seq = 0;
  atMs = 0;
  clock: ClockState | undefined;

  /** @param mode.isLoading true while the state is being filled from storage */
  constructor(mode: { isLoading?: boolean } = {}) {
    this.mode = mode;
  }

  /**
   * An equal world for another writer, at a cost that does not grow with the world. From now on
   * neither sees what the other writes (decisions/shared-structure.md).
   */
  fork(): WorldState {
    const twin = new WorldState(this.mode);
    twin.tables = new Map(this.tables);
    this.owned.clear();
    twin.balances = this.balances.fork();
    twin.postings = this.postings.fork();
    twin.history = this.history.fork();
    twin.timers = this.timers?.fork();
    twin.loadMeta(this.meta());
    return twin;
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    return this.table(kind)?.get(id);
  }

  /** The timer that is due next (spec/clock.md#timer-order). */
  nextTimer(): TimerRecord | undefined {
    if (this.next) return this.next.timer;
    const id = this.pendingTimers.next();
    this.next = { timer: id === undefined ? undefined : this.get("Timer", id) };
    return this.next.timer;
  }

  ids(kind: Kind, index: string, key: string): IdList {
    return this.table(kind)?.ids(index, key) ?? [];
  }

  /** All ids of a kind as they are now, for readers that continue while changes are applied. */
  keptIds(kind: Kind): IdList {
    return this.table(kind)?.keptIds("all", "") ?? [];
  }

  /** All records of a kind in no particular order; ordered reads use an index. */
  each<K extends Kind>(kind: K): Iterable<Records[K]> {
    return this.table(kind)?.values() ?? [];
  }

  balanceMinor(account: string, currency: string): bigint {
    return this.balances.get(balanceKey(account, currency))?.minor ?? 0n;
  }

  allBalances(): Balance[] {
    return [...this.balances.values()];
  }

  /** Records of a kind that another state has differently; nodes that both share are passed over. */
  differences<K extends Kind>(kind: K, other: WorldState): Iterable<MapDifference<Records[K]>> {
    const empty = () => new Table(kind);
    const [mine, theirs] = [this.table(kind), other.table(kind)];
    return mine === theirs ? [] : (mine ?? empty()).differences(theirs ?? empty());
  }

  /** Balances that another state has differently. */
  balanceDifferences(other: WorldState): Iterable<MapDifference<Balance>> {
    return this.balances.differences(other.balances);
  }

  count(kind: Kind) {
    return this.tables.get(kind)?.size ?? 0;
  }

  recordCount() {
    let count = 0;
    for (const table of this.tables.values()) count += table.size;
    return count;
  }

  meta(): WorldMeta {
    const { world, seed, branch, counter, seq, atMs, clock } = this;
    return { world, seed, branch, counter, seq, atMs, clock };
  }

  loadMeta(meta: WorldMeta) {
    Object.assign(this, meta);
  }

  /** Adds records in bulk. */
  loadRecords<K extends Kind>(kind: K, records: readonly Records[K][]) {
    this.next = undefined;
    this.ownTable(kind).load(records);
  }

  /** Adds records that are read on first use, while a world is being loaded. */
  loadLater<K extends Kind>(kind: K, part: TablePart<K>) {
    this.next = undefined;
    this.ownTable(kind).loadLater(part);
  }

  /** Reads one unread part of the records; false when none is left. */
  readPart(): boolean {
    return KINDS.some((kind) => this.tables.get(kind)?.readPart() ?? false);
  }

  balanceImages(): BalanceImage[] {
    return this.allBalances().map(balanceImage);
  }

  loadBalances(images: readonly BalanceImage[]) {
    for (const [account, currency, minor] of images)
      this.balances.set(balanceKey(account, currency), { account, currency, minor: BigInt(minor) });
  }

  loadPostings(images: readonly PostingImage[]) {
    for (const image of images) this.postings.push(postingOf(image));
  }

  /**
   * Folds all but the newest postings into one opening posting per account and currency. Sums are
   * unchanged.
   */
  foldPostings(keep: number) {
    const all = this.postings.slice();
    const old = all.splice(0, Math.max(0, all.length - keep));
    const openings = new Map<string, BookedPosting>();
    for (const posting of old) {
      const key = balanceKey(posting.account, posting.currency);
      const opening = openings.get(key);
      const amountMinor = (opening?.amountMinor ?? 0n) + posting.amountMinor;
      openings.set(key, {
        ...posting,
        seq: 0,
        position: openings.size,
        cause: "opening",
        amountMinor,
      });
    }
    this.postings.replace([...openings.values(), ...all]);
  }

  /** Applies a change. Applying it again changes nothing but the postings. */
  apply(change: Change) {
    if (change.opens) this.open(change.opens);
    if (change.forks) Object.assign(this, change.forks);
    for (const [kind, record] of change.put ?? []) this.put(kind, record.id, record);
    for (const event of change.emit ?? []) {
      this.put("Event", event.id, eventRecordOf(event));
      this.put("Delivery", event.id, deliveryOf(event, change));
    }
    for (const [kind, id] of change.del ?? []) this.put(kind, id, undefined);
    this.book(change);
    this.history.note(change);
    if (change.clock) this.clock = change.clock;
    this.counter = change.n;
    this.seq = change.seq;
    this.atMs = change.at;
  }

  private open({ world, seed, branch }: NonNullable<Change["opens"]>) {
    this.tables = new Map();
    this.owned.clear();
    this.balances.clear();
    this.postings = noPostings();
    this.history.clear();
    this.timers = undefined;
    this.next = undefined;
    Object.assign(this, { world, seed, branch });
  }

  private table<K extends Kind>(kind: K): Table<K> | undefined {
    return this.tables.get(kind) as Table<K> | undefined;
  }

  private ownTable<K extends Kind>(kind: K): Table<K> {
    const table = this.table(kind);
    if (table && this.owned.has(kind)) return table;
    const own = table?.fork() ?? new Table(kind, this.mode);
    this.tables.set(kind, own as unknown as Table<Kind>);
    this.owned.add(kind);
    return own;
  }

  private put<K extends Kind>(kind: K, id: string, record: Records[K] | undefined) {
    const before = this.ownTable(kind).apply(id, record);
    if (kind !== "Timer") return;
    this.next = undefined;
    if (!this.timers) return;
    if (before) this.timers.drop(before as TimerRecord);
    if (record) this.timers.add(record as TimerRecord);
  }

  /** Pending timers, in the order they will fire. */
  get pendingTimers(): TimerQueue {
    this.timers ??= TimerQueue.of(this.each("Timer"));
    return this.timers;
  }

  private book({ post = [], seq, at, cause }: Change) {
    for (const [position, [account, currency, text]] of post.entries()) {
      const amountMinor = BigInt(text);
      const key = balanceKey(account, currency);
      const minor = (this.balances.get(key)?.minor ?? 0n) + amountMinor;
      this.balances.set(key, { account, currency, minor });
      this.postings.push({ seq, position, atMs: at, cause, account, currency, amountMinor });
    }
  }
}
