import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import type { DeliveryRecord, TimerRecord } from "../domain/records/records.ts";
import { showDelivery } from "../domain/webhooks/deliveries.ts";
import type { Change } from "./change.ts";
import type { Engine } from "./engine.ts";
import { hasHistory, statusOf } from "./history.ts";
import type { FiredTimer } from "./listeners.ts";

/** What the feed tells of: `hello` comes first, `start-over` says that something was missed. */
export type FeedEvent =
  | "change"
  | "clock"
  | "delivery"
  | "hello"
  | "request"
  | "reset"
  | "rows"
  | "start-over"
  | "stopped"
  | "timer";

/** One event of the feed, as subscribers get it. */
export interface FeedItem {
  /** Nothing for `start-over` and `rows`, which are told to some subscribers alone. */
  id?: string;
  event: FeedEvent;
  data: object;
}

/** Whole rows for watchers, made by whoever knows how a world is shown. */
export interface FeedRows {
  /** Everything there is, bounded. */
  all(): object;
  /** What a change did to rows, right after it was made; nothing when it did nothing to any. */
  of(change: Change): object | undefined;
}

/** What a reader of the feed asks for. */
export interface Wanted {
  /** Id of the last event seen. */
  after?: string | undefined;
  /** Rows too: all of them in the greeting, then those that change. */
  rows?: boolean;
}

type Told = Pick<FeedItem, "event" | "data">;

/** Whether an event tells in short of records whose rows watchers get. */
const isShortForRows = ({ event }: Told) => event === "change";

/** Items that may wait for one subscriber; one more, and it has to start over (MECHANISMS 10). */
const MAX_WAITING = 1000;

const startOver = (why: string): FeedItem => ({
  event: "start-over",
  data: { why, from: "/_sim/status" },
});

/** Whoever reads the feed, and what still waits for it. */
export class Subscription {
  private waiting: FeedItem[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  /** Nothing more comes to it. */
  get hasEnded() {
    return this.ended;
  }

  /** Whether it is told of rows. */
  readonly wantsRows: boolean;
  private readonly onEnd: (one: Subscription) => void;

  constructor(onEnd: (one: Subscription) => void, wantsRows: boolean) {
    this.onEnd = onEnd;
    this.wantsRows = wantsRows;
  }

  /** The next item as soon as there is one; nothing when the feed has ended. */
  async next(): Promise<FeedItem | undefined> {
    while (this.waiting.length === 0 && !this.ended)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    return this.waiting.shift();
  }

  give(item: FeedItem) {
    if (this.ended) return;
    this.waiting.push(item);
    if (this.waiting.length > MAX_WAITING) {
      this.waiting = [startOver(`over ${MAX_WAITING} events were waiting to be read`)];
      this.end();
    }
    this.wake?.();
  }

  /** Nothing more comes; what waits can still be read. */
  end() {
    this.ended = true;
    this.onEnd(this);
    this.wake?.();
  }

  /** Nobody reads any more. */
  cancel() {
    this.waiting = [];
    this.end();
  }
}

const changesIn = ({ put = [], del = [], at, cause, by }: Change): Told[] => {
  const what = { cause, by, at: instant(at) };
  const changed = put
    .filter(([kind]) => hasHistory(kind))
    .map(([kind, record]): Told => {
      const status = statusOf(record);
      const data = { kind, id: record.id, ...defined({ status }), ...what };
      return { event: "change", data };
    });
  const gone = del
    .filter(([kind]) => hasHistory(kind))
    .map(([kind, id]): Told => ({ event: "change", data: { kind, id, isGone: true, ...what } }));
  return [...changed, ...gone];
};

/** Timers set and cleared; one that fired is told by the engine, which knows what it did. */
const timersIn = ({ put = [], del = [], at, cause }: Change): Told[] => {
  const set = put
    .filter(([kind]) => kind === "Timer")
    .map(([, record]): Told => {
      const { name: timer, subject, dueAtMs } = record as TimerRecord;
      const data = { op: "set", timer, subject, dueAt: instant(dueAtMs), at: instant(at) };
      return { event: "timer", data };
    });
  const cleared = del
    .filter(([kind, id]) => kind === "Timer" && id !== cause)
    .map(([, id]): Told => {
      const [timer, subject] = id.split(" ");
      return { event: "timer", data: { op: "cleared", timer, subject, at: instant(at) } };
    });
  return [...set, ...cleared];
};

const deliveriesIn = ({ put = [] }: Change): Told[] =>
  put
    .filter(([kind]) => kind === "Delivery")
    .map(([, record]) => ({ event: "delivery", data: showDelivery(record as DeliveryRecord) }));

/** What a change is told as, once it is durable. */
interface Pending {
  seq: number;
  generation: number;
  told: Told[];
  rows?: object | undefined;
  /** The world was opened anew: watchers are greeted again. */
  isOpening: boolean;
}

/**
 * The stream of what became durable, in short. Its ids are `<start>-<n>`: whoever comes back with
 * the newest one has missed nothing, everybody else starts over.
 */
export class Feed {
  private readonly engine: Engine;
  private readonly start: number;
  private readonly subscriptions = new Set<Subscription>();
  private readonly rows: FeedRows | undefined;
  private pending: Pending[] = [];
  private count = 0;
  private isClosed = false;

  constructor(engine: Engine, start: number, rows?: FeedRows) {
    this.engine = engine;
    this.rows = rows;
    this.start = start;
    engine.listeners.add({
      changed: (change) => this.note(change),
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
   * Follows what becomes durable from now on. Whoever comes back with the newest id has all rows
   * already: they are left out of its greeting.
   */
  subscribe({ after, rows = false }: Wanted = {}): Subscription {
    this.flush();
    const one = new Subscription((ended) => this.subscriptions.delete(ended), rows);
    if (this.isClosed) {
      one.end();
      return one;
    }
    one.give(this.hello(rows && after !== this.newestId()));
    if (after !== undefined && after !== this.newestId())
      one.give(startOver(`what came after ${after.slice(0, 40)} is no longer there`));
    this.subscriptions.add(one);
    return one;
  }

  /** Tells what happened beside the changes so far; `show` is called only if somebody reads. */
  publish(event: FeedEvent, show: () => object) {
    this.flush();
    if (this.subscriptions.size === 0) {
      this.count += 1;
      return;
    }
    const told = { event, data: show() };
    const behind = this.pending.at(-1);
    if (behind) behind.told.push(told);
    else this.tell(told);
  }

  /** Ends every subscription. */
  close() {
    this.isClosed = true;
    for (const one of this.subscriptions) one.end();
  }

  /** Where the world stands: what changes after this is told. It takes no number of its own. */
  private hello(withRows: boolean): FeedItem {
    const { state, clock, generation, stopped } = this.engine;
    const data = {
      start: this.start,
      generation,
      seq: state.seq,
      world: state.world,
      now: this.now(),
      clock: { mode: clock.mode, aheadMs: clock.aheadMs() },
      ...(stopped && { stopped }),
      ...(withRows && { rows: this.rows?.all() }),
    };
    return { id: this.newestId(), event: "hello", data };
  }

  private now() {
    return instant(this.engine.clock.now());
  }

  private newestId() {
    return this.idAfter(0);
  }

  /** The id of the newest event once some more are told. */
  private idAfter(more: number) {
    return `${this.start}-${this.count + more}`;
  }

  private note(change: Change) {
    if (this.subscriptions.size === 0) {
      this.count += 1;
      return;
    }
    const told = change.opens
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
    this.pending.push({ seq, generation, told, rows, isOpening: opens !== undefined });
  }

  private hasWatchers() {
    for (const { wantsRows } of this.subscriptions) if (wantsRows) return true;
    return false;
  }

  /** An event is a delivery from its first moment on. */
  private eventsOf({ emit = [] }: Change): Told[] {
    return emit.flatMap(({ id }): Told[] => {
      const delivery = this.engine.state.get("Delivery", id);
      return delivery ? [{ event: "delivery", data: showDelivery(delivery) }] : [];
    });
  }

  private clockOf({ clock, at }: Change): Told[] {
    if (!clock) return [];
    const aheadMs = clock.mode === "real" ? clock.offsetMs : this.engine.clock.aheadMs();
    return [{ event: "clock", data: { now: instant(at), mode: clock.mode, aheadMs } }];
  }

  private noteFired({ atMs, timer, subject, from, to, rule }: FiredTimer) {
    this.pending.at(-1)?.told.push({
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

  /** Tells what the journal has by now; what was lost with an older world is told nobody. */
  private flush() {
    if (this.pending.length === 0) return;
    const { generation, journal } = this.engine;
    const durableSeq = journal.durableSeq();
    const pending = this.pending.filter((one) => one.generation === generation);
    this.pending = pending.filter(({ seq }) => seq > durableSeq);
    for (const one of pending) if (one.seq <= durableSeq) this.tellAll(one);
  }

  /**
   * Rows come first: whoever has seen the last event of a change has seen its rows. They stand in
   * for the short events of the changed records, which watchers do not get.
   */
  private tellAll({ told, rows = {}, isOpening }: Pending) {
    if (this.hasWatchers()) this.tellRows(rows, told);
    for (const one of told) this.tell(one);
    if (isOpening && this.hasWatchers()) this.tellWatchers(this.hello(true));
  }

  /** Rows carry the newest id where nothing else of the change is told to watchers. */
  private tellRows(rows: object, told: readonly Told[]) {
    const isLast = told.length > 0 && told.every(isShortForRows);
    if (isLast) this.tellWatchers({ id: this.idAfter(told.length), event: "rows", data: rows });
    else if (Object.keys(rows).length > 0) this.tellWatchers({ event: "rows", data: rows });
  }

  private tellWatchers(item: FeedItem) {
    for (const one of this.subscriptions) if (one.wantsRows) one.give(item);
  }

  private tell(told: Told) {
    this.count += 1;
    const item = { id: this.newestId(), ...told };
    const isForAll = !isShortForRows(told);
    for (const one of this.subscriptions) if (isForAll || !one.wantsRows) one.give(item);
  }
}
