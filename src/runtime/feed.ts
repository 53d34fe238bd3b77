import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import type { DeliveryRecord, TimerRecord } from "../domain/records/records.ts";
import { showDelivery } from "../domain/webhooks/deliveries.ts";
import type { Change } from "./change.ts";
import type { Engine } from "./engine.ts";
import {
  type FeedEvent,
  type FeedItem,
  type SubscribeOptions,
  Subscription,
  startOver,
} from "./feed-subscription.ts";
import { hasHistory, statusOf } from "./history.ts";
import type { FiredTimer } from "./listeners.ts";

/** Source of the rows that subscribers with `rows` show: the watchers. */
export interface FeedRows {
  /** All rows, up to the limits of each list. */
  all(): object;
  /** The first rows of each list: what is in sight of a person who has just come. */
  first(): object;
  /** Rows touched by a change, right after it was applied; nothing when it touched none. */
  of(change: Change): object | undefined;
}

type FeedMessage = Pick<FeedItem, "event" | "data"> & { isControl?: true };

/** Whether watchers need no such event, since they get the rows of the changed records. */
const isCoveredByRows = ({ event }: FeedMessage) => event === "change";

const changesIn = ({ put = [], del = [], at, cause, by }: Change): FeedMessage[] => {
  const what = { cause, by, at: instant(at) };
  const changed = put
    .filter(([kind]) => hasHistory(kind))
    .map(([kind, record]): FeedMessage => {
      const status = statusOf(record);
      const data = { kind, id: record.id, ...defined({ status }), ...what };
      return { event: "change", data };
    });
  const gone = del
    .filter(([kind]) => hasHistory(kind))
    .map(
      ([kind, id]): FeedMessage => ({ event: "change", data: { kind, id, isGone: true, ...what } }),
    );
  return [...changed, ...gone];
};

/**
 * Timers that a change sets and clears. The engine reports those that fired, since it knows their
 * effect.
 */
const timersIn = ({ put = [], del = [], at, cause }: Change): FeedMessage[] => {
  const set = put
    .filter(([kind]) => kind === "Timer")
    .map(([, record]): FeedMessage => {
      const { name: timer, subject, dueAtMs, canceledAtMs } = record as TimerRecord;
      if (canceledAtMs !== undefined)
        return { event: "timer", data: { op: "cleared", timer, subject, at: instant(at) } };
      const data = { op: "set", timer, subject, dueAt: instant(dueAtMs), at: instant(at) };
      return { event: "timer", data };
    });
  const cleared = del
    .filter(([kind, id]) => kind === "Timer" && id !== cause)
    .map(([, id]): FeedMessage => {
      const [timer, subject] = id.split(" ");
      return { event: "timer", data: { op: "cleared", timer, subject, at: instant(at) } };
    });
  return [...set, ...cleared];
};

const deliveriesIn = ({ put = [] }: Change): FeedMessage[] =>
  put
    .filter(([kind]) => kind === "Delivery")
    .map(([, record]) => ({ event: "delivery", data: showDelivery(record as DeliveryRecord) }));

/** Events of a change, kept until it is durable. */
interface Pending {
  seq: number;
  generation: number;
  messages: FeedMessage[];
  rows?: object | undefined;
  /** True when the world was opened again: watchers are greeted again. */
  isOpening: boolean;
}

/**
 * A stream of short events for every durable change (decisions/feed-rows.md). Ids are
 * `<start>-<n>`. A subscriber that returns with the newest id has missed nothing. Nothing is
 * replayed: with any other id it starts over.
 */
export class Feed {
  private readonly engine: Engine;
  private readonly start: number;
  private readonly subscriptions = new Set<Subscription>();
  private readonly rows: FeedRows | undefined;
  private pending: Pending[] = [];
  private count = 0;
  /** Times that the world began in this run, a reset for example: who comes back learns of it. */
  openings: number;
  /** Name of the snapshot that undoes the last of them, if one was kept. */
  undoing: () => string | undefined = () => undefined;
  private isClosed = false;
  /** Set while another state has taken the place of the world, and nobody was told so. */
  private isReloaded = false;

  /** @param options.openings times that the world has begun in this run before it was loaded */
  constructor(
    engine: Engine,
    { start, openings = 0 }: { start: number; openings?: number },
    rows?: FeedRows,
  ) {
    this.engine = engine;
    this.rows = rows;
    this.start = start;
    this.openings = openings;
    engine.listeners.add({
      changed: (change) => this.note(change),
      loaded: () => {
        this.isReloaded = true;
      },
      fired: (timer) => this.noteFired(timer),
      stopped: ({ why, by, values }) =>
        this.publish("stopped", () => ({ why, by, values, at: this.now() })),
      pumped: () => this.flush(),
    });
  }

  get subscriberCount() {
    return this.subscriptions.size;
  }

  /**
   * Follows every durable change from now on. A subscriber that returns with the newest id has all
   * rows already, so its snapshot event leaves them out.
   */
  subscribe({ after, rows, first, control }: SubscribeOptions = {}): Subscription {
    this.flush();
    const wanted = { rows, control };
    const subscription = new Subscription((ended) => this.subscriptions.delete(ended), wanted);
    if (this.isClosed) {
      subscription.end();
      return subscription;
    }
    const greets = rows && after !== this.newestId();
    subscription.give(this.hello(greets && (first ? "first" : "all")));
    if (after !== undefined && after !== this.newestId())
      subscription.give(startOver(`what came after ${after.slice(0, 40)} is no longer there`));
    this.subscriptions.add(subscription);
    return subscription;
  }

  /** Publishes an event that is not a change; `show` is called only if there is a subscriber. */
  publish(event: FeedEvent, show: () => object) {
    this.flush();
    if (this.subscriptions.size === 0) {
      this.count += 1;
      return;
    }
    this.publishInOrder({ event, data: show() });
  }

  /** Has every subscriber start over: the world went back to another state. */
  reportSwitch(why: string) {
    this.openings += 1;
    this.haveAllStartOver(why);
  }

  private haveAllStartOver(why: string) {
    this.pending = [];
    this.count += 1;
    this.isReloaded = false;
    for (const subscription of this.subscriptions) {
      subscription.give(startOver(why));
      if (subscription.wantsRows) subscription.give(this.hello("all"));
    }
  }

  /** Publishes a call of the control surface to the subscribers who want these. */
  publishControl(show: () => object) {
    this.flush();
    for (const { wantsControl } of this.subscriptions)
      if (wantsControl)
        return this.publishInOrder({ event: "request", data: show(), isControl: true });
  }

  /** Ends every subscription. */
  close() {
    this.isClosed = true;
    for (const subscription of this.subscriptions) subscription.end();
  }

  /**
   * The present state of the world; every later change follows. The snapshot event uses no number
   * of its own.
   */
  private hello(rows: "all" | "first" | false | undefined): FeedItem {
    const { state, clock, generation, stopped } = this.engine;
    const data = {
      start: this.start,
      generation,
      openings: this.openings,
      seq: state.seq,
      world: state.world,
      ...defined({ undoing: this.undoing() }),
      now: this.now(),
      clock: { mode: clock.mode, ...defined({ speed: clock.speed }), aheadMs: clock.aheadMs() },
      ...(stopped && { stopped }),
      ...(rows && { rows: this.rows?.[rows]() }),
    };
    return { id: this.newestId(), event: "hello", data };
  }

  /** Tells an event after the changes that are not durable yet. */
  private publishInOrder(message: FeedMessage) {
    const behind = this.pending.at(-1);
    if (behind) behind.messages.push(message);
    else this.publishMessage(message);
  }

  private now() {
    return instant(this.engine.clock.now());
  }

  private newestId() {
    return this.idAfter(0);
  }

  /** The id that the newest event has once some more are published. */
  private idAfter(more: number) {
    return `${this.start}-${this.count + more}`;
  }

  /** After a failed write the world is read again, and may be without its last changes. */
  private noteReload() {
    if (this.isReloaded) this.haveAllStartOver("the world was read again from its storage");
  }

  private note(change: Change) {
    this.noteReload();
    if (this.subscriptions.size === 0) {
      this.count += 1;
      if (change.opens) this.openings += 1;
      return;
    }
    const messages = change.opens
      ? [{ event: "reset", data: { world: change.opens.world, at: instant(change.at) } } as const]
      : [
          ...changesIn(change),
          ...this.eventsOf(change),
          ...deliveriesIn(change),
          ...timersIn(change),
          ...this.clockOf(change),
        ];
    const { seq, opens } = change;
    const rows = opens || !this.hasWatchers() ? undefined : this.rows?.of(change);
    const { generation } = this.engine;
    this.pending.push({ seq, generation, messages, rows, isOpening: opens !== undefined });
  }

  private hasWatchers() {
    for (const { wantsRows } of this.subscriptions) if (wantsRows) return true;
    return false;
  }

  /** Shows each new event as a delivery. */
  private eventsOf({ emit = [] }: Change): FeedMessage[] {
    return emit.flatMap(({ id }): FeedMessage[] => {
      const delivery = this.engine.state.get("Delivery", id);
      return delivery ? [{ event: "delivery", data: showDelivery(delivery) }] : [];
    });
  }

  private clockOf({ clock, at }: Change): FeedMessage[] {
    if (!clock) return [];
    const aheadMs = clock.mode === "real" ? clock.offsetMs : this.engine.clock.aheadMs();
    const { mode, speed } = clock;
    return [{ event: "clock", data: { now: instant(at), mode, ...defined({ speed }), aheadMs } }];
  }

  private noteFired({ atMs, timer, subject, from, to, rule }: FiredTimer) {
    this.pending.at(-1)?.messages.push({
      event: "timer",
      data: {
        op: "fired",
        timer,
        subject,
        at: instant(atMs),
        ...defined({ from, to, rule }),
      },
    });
  }

  /** Publishes what the journal has by now; changes from before a reset are dropped. */
  private flush() {
    this.noteReload();
    if (this.pending.length === 0) return;
    const { generation, journal } = this.engine;
    const durableSeq = journal.durableSeq();
    const pending = this.pending.filter((candidate) => candidate.generation === generation);
    this.pending = pending.filter(({ seq }) => seq > durableSeq);
    for (const waiting of pending) if (waiting.seq <= durableSeq) this.publishPending(waiting);
  }

  /**
   * Rows come first: whoever has seen the last event of a change has seen its rows. They stand in
   * for the short events of the changed records, which watchers do not get.
   */
  private publishPending({ messages, rows = {}, isOpening }: Pending) {
    if (isOpening) this.openings += 1;
    if (this.hasWatchers()) this.publishRows(rows, messages);
    for (const message of messages) this.publishMessage(message);
    if (isOpening && this.hasWatchers()) this.giveToWatchers(this.hello("all"));
  }

  /** Publishes rows. Those that replace every event of a change carry its last id. */
  private publishRows(rows: object, messages: readonly FeedMessage[]) {
    const counted = messages.filter(({ isControl }) => !isControl);
    const isLast = counted.length > 0 && counted.every(isCoveredByRows);
    if (isLast)
      this.giveToWatchers({ id: this.idAfter(counted.length), event: "rows", data: rows });
    else if (Object.keys(rows).length > 0) this.giveToWatchers({ event: "rows", data: rows });
  }

  private giveToWatchers(item: FeedItem) {
    for (const subscription of this.subscriptions)
      if (subscription.wantsRows) subscription.give(item);
  }

  private publishMessage({ isControl, ...message }: FeedMessage) {
    if (isControl) return this.giveToControl(message);
    this.count += 1;
    const item = { id: this.newestId(), ...message };
    const isForAll = !isCoveredByRows(message);
    for (const subscription of this.subscriptions)
      if (isForAll || !subscription.wantsRows) subscription.give(item);
  }

  private giveToControl(item: FeedItem) {
    for (const subscription of this.subscriptions)
      if (subscription.wantsControl) subscription.give(item);
  }
}
