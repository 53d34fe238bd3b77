import { expect, onTestFinished, test, vi } from "vitest";
import type { Rule } from "../../src/domain/core/draft.ts";
import { clearTimer } from "../../src/domain/core/schedule.ts";
import type { QuoteRecord } from "../../src/domain/records/records.ts";
import { Feed } from "../../src/runtime/feed.ts";
import type { FeedItem, Subscription } from "../../src/runtime/feed-subscription.ts";
import { type Journal, NoJournal } from "../../src/runtime/journal.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { CAUSE, openEngine, START_MS, setFor } from "./setup/test-engine.ts";
import { turn } from "./setup/turns.ts";

const QUOTE = "Quote:1";

const putQuote: Rule<QuoteRecord["status"], void> = (draft, status) =>
  draft.put("Quote", { id: QUOTE, status } as QuoteRecord);

/** A journal whose lines become durable when the test says so. */
class SlowJournal implements Journal {
  private reachedSeq: number;
  private waiting: (() => void)[] = [];

  constructor(reachedSeq: number) {
    this.reachedSeq = reachedSeq;
  }

  buffer() {}

  sizeBytes() {
    return 0;
  }

  async close() {}

  durableSeq() {
    return this.reachedSeq;
  }

  reached(seq: number): Promise<void> | undefined {
    if (seq <= this.reachedSeq) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  reach(seq: number) {
    this.reachedSeq = seq;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

const openFeed = () => {
  const world = openEngine("manual");
  return { ...world, feed: new Feed(world.engine, { start: 1 }) };
};

/** A subscription whose snapshot event was read. */
const follow = async (feed: Feed, after?: string) => {
  const one = feed.subscribe({ after });
  expect(await one.next()).toMatchObject({ event: "hello" });
  return one;
};

/** The next items of a subscription. */
const read = async (from: Subscription, count: number) => {
  const items: (FeedItem | undefined)[] = [];
  while (items.length < count) items.push(await from.next());
  return items;
};

test("a change is published with its kind, status and cause once it is durable", async () => {
  const { engine, feed } = openFeed();
  const one = await follow(feed);
  engine.commit(putQuote, "PENDING", { cause: "req-1-7", by: "createQuote" });
  expect(await one.next()).toEqual({
    id: "1-1",
    event: "change",
    data: {
      kind: "Quote",
      id: QUOTE,
      status: "PENDING",
      cause: "req-1-7",
      by: "createQuote",
      at: "2026-01-05T09:00:00.000Z",
    },
  });
  engine.close();
});

test("nothing is published before the journal has it", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const one = await follow(feed);
  engine.commit(putQuote, "PENDING", CAUSE);
  let told: FeedItem | undefined;
  const next = one.next().then((item) => {
    told = item;
  });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(told).toBeUndefined();
  journal.reach(engine.state.seq);
  await next;
  expect(told).toMatchObject({ event: "change", data: { id: QUOTE } });
  engine.close();
});

test("changes lost with an older world are not published", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const one = await follow(feed);
  engine.commit(putQuote, "PENDING", CAUSE);
  engine.load(new WorldState(), new NoJournal());
  engine.commit(putQuote, "FAILED", CAUSE);
  expect(await one.next()).toMatchObject({
    event: "start-over",
    data: { why: "the world was read again from its storage" },
  });
  expect(await one.next()).toMatchObject({ data: { status: "FAILED" } });
  engine.close();
});

test("timers are published when set, cleared and fired, deliveries at each change", async () => {
  const { engine, feed } = openFeed();
  const one = await follow(feed);
  engine.commit(setFor, { subject: QUOTE, inMs: 1000, name: "quote.expire" }, CAUSE);
  engine.commit((draft) => clearTimer(draft, "quote.expire", QUOTE), undefined, CAUSE);
  engine.commit(setFor, { subject: QUOTE, inMs: 1000, name: "quote.expire" }, CAUSE);
  engine.clock.stepTo(START_MS + 1000);
  engine.catchUp();
  const event = {
    id: "Webhook:1",
    type: "TEST",
    lane: "a",
    body: "{}",
    deliverable: true,
  } as const;
  engine.commit((draft) => draft.emit(event), undefined, CAUSE);
  const timer = { timer: "quote.expire", subject: QUOTE };
  expect((await read(one, 5)).map((item) => [item?.event, item?.data])).toEqual([
    [
      "timer",
      {
        op: "set",
        ...timer,
        dueAt: "2026-01-05T09:00:01.000Z",
        at: "2026-01-05T09:00:00.000Z",
      },
    ],
    ["timer", { op: "cleared", ...timer, at: "2026-01-05T09:00:00.000Z" }],
    ["timer", expect.objectContaining({ op: "set", ...timer })],
    ["timer", { op: "fired", ...timer, at: "2026-01-05T09:00:01.000Z" }],
    ["delivery", expect.objectContaining({ id: "Webhook:1", state: "WAITING", attempt: 0 })],
  ]);
  engine.close();
});

test("clock changes are published when journaled, a reset as one event", async () => {
  const { engine, feed } = openFeed();
  const one = await follow(feed);
  engine.keepClock({ mode: "manual", offsetMs: 0, instantMs: START_MS }, CAUSE);
  expect(await one.next()).toMatchObject({
    event: "clock",
    data: { now: "2026-01-05T09:00:00.000Z", mode: "manual" },
  });
  const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
  engine.open(
    (draft, _input, moment) => putQuote(draft, "PENDING", moment),
    { world: "sandbox", seed: "test", branch: 2 },
    clock,
  );
  engine.commit(putQuote, "FAILED", CAUSE);
  const [reset, change] = await read(one, 2);
  expect(reset).toMatchObject({ event: "reset", data: { world: "sandbox" } });
  expect(change).toMatchObject({ event: "change", data: { status: "FAILED" } });
  engine.close();
});

test("a subscriber with over 1,000 waiting events is cut off and must start over", async () => {
  const { engine, feed } = openFeed();
  const slow = await follow(feed);
  const quick = await follow(feed);
  for (let count = 0; count < 1000; count += 1) feed.publish("request", () => ({ count }));
  expect(await quick.next()).toMatchObject({ data: { count: 0 } });
  feed.publish("request", () => ({ count: 1000 }));
  expect(await read(slow, 2)).toEqual([
    {
      event: "start-over",
      data: { why: "over 1000 events were waiting to be read", from: "/_sim/status" },
    },
    undefined,
  ]);
  expect(feed.subscriberCount).toBe(1);
  expect(await quick.next()).toMatchObject({ data: { count: 1 } });
  engine.close();
});

test("without readers no events are made, but gaps are known", async () => {
  const { engine, feed } = openFeed();
  let made = 0;
  const make = () => {
    made += 1;
    return {};
  };
  const first = await follow(feed);
  feed.publish("request", make);
  const last = await first.next();
  first.cancel();
  const nothingMissed = await follow(feed, last?.id);
  feed.publish("request", make);
  expect(await nothingMissed.next()).toMatchObject({ event: "request" });
  nothingMissed.cancel();
  engine.commit(putQuote, "PENDING", CAUSE);
  feed.publish("request", make);
  expect(made).toBe(2);
  const late = await follow(feed, last?.id);
  expect(await late.next()).toMatchObject({
    event: "start-over",
    data: { why: "what came after 1-1 is no longer there" },
  });
  feed.publish("request", make);
  expect(await late.next()).toMatchObject({ event: "request" });
  engine.close();
});

test("closing ends every subscription, also one that comes later", async () => {
  const { engine, feed } = openFeed();
  const waiting = await follow(feed);
  const ended = waiting.next();
  feed.close();
  expect(await ended).toBeUndefined();
  expect(await feed.subscribe().next()).toBeUndefined();
  expect(feed.subscriberCount).toBe(0);
  engine.close();
});

test("the first item gives the state of the world, under the newest number", async () => {
  const { engine, feed, wall } = openFeed();
  const first = feed.subscribe();
  engine.commit(putQuote, "PENDING", CAUSE);
  const [hello, change] = await read(first, 2);
  const data = {
    start: 1,
    generation: 1,
    openings: 0,
    seq: 1,
    world: "sandbox",
    now: "2026-01-05T09:00:00.000Z",
    clock: { mode: "manual", aheadMs: 0 },
  };
  expect(hello).toEqual({ id: "1-0", event: "hello", data });
  expect(change?.id).toBe("1-1");
  engine.clock.stepTo(START_MS + 60_000);
  wall.ms -= 1000;
  engine.load(engine.state, engine.journal);
  expect(await feed.subscribe().next()).toEqual({
    id: "1-2",
    event: "hello",
    data: { ...data, generation: 2, seq: 2, clock: { mode: "manual", aheadMs: 1000 } },
  });
  engine.close();
});

/** Breaks the ledger, which stops the world. */
const postOneSide: Rule<void, void> = (draft) =>
  draft.post({ account: "Ledger:funding", currency: "USD", amountMinor: 5n });

test("a world that stops publishes its last changes, the stop and the reason", async () => {
  const { engine, feed } = openFeed();
  const one = await follow(feed);
  engine.commit(putQuote, "PENDING", CAUSE);
  expect(() => engine.commit(postOneSide, undefined, CAUSE)).toThrow();
  const [change, stopped] = await read(one, 2);
  expect(change).toMatchObject({ event: "change", data: { id: QUOTE } });
  expect(stopped).toEqual({
    id: "1-2",
    event: "stopped",
    data: {
      why: expect.stringContaining("postings that sum to zero"),
      by: "test",
      values: { currency: "USD", total: "5" },
      at: "2026-01-05T09:00:00.000Z",
    },
  });
  expect(await feed.subscribe().next()).toMatchObject({
    event: "hello",
    data: { stopped: { by: "test" } },
  });
  engine.close();
});

test("a reader of a stopping world gets its last change without waiting for more", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const one = await follow(feed);
  engine.commit(putQuote, "PENDING", CAUSE);
  expect(() => engine.commit(postOneSide, undefined, CAUSE)).toThrow();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  const items = read(one, 2);
  journal.reach(engine.state.seq);
  expect(await items).toMatchObject([{ event: "change" }, { event: "stopped" }]);
  engine.close();
});

test("a stopped world does not keep asking for a timer", async () => {
  fakeHostTimers();
  onTestFinished(() => void realHostTimers());
  const { engine, wall } = openEngine("real");
  engine.commit(setFor, { subject: QUOTE, inMs: 1000, name: "quote.expire" }, CAUSE);
  expect(() => engine.commit(postOneSide, undefined, CAUSE)).toThrow();
  wall.ms += 2000;
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(vi.getTimerCount()).toBe(0);
  engine.close();
});

test("calls of the control surface go to readers who ask for them, and use no number", async () => {
  const { engine, feed } = openFeed();
  const plain = await follow(feed);
  const asking = feed.subscribe({ control: true });
  expect(await asking.next()).toMatchObject({ event: "hello" });
  feed.publishControl(() => ({ id: "req-1-1", path: "/_sim/status", isControl: true }));
  feed.publish("request", () => ({ id: "req-1-2", path: "/config" }));
  expect(await plain.next()).toEqual({
    id: "1-1",
    event: "request",
    data: { id: "req-1-2", path: "/config" },
  });
  expect(await read(asking, 2)).toEqual([
    { event: "request", data: { id: "req-1-1", path: "/_sim/status", isControl: true } },
    { id: "1-1", event: "request", data: { id: "req-1-2", path: "/config" } },
  ]);
  engine.close();
});

test("a call of the control surface comes after what it changed", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const asking = feed.subscribe({ control: true });
  expect(await asking.next()).toMatchObject({ event: "hello" });
  engine.commit(putQuote, "PENDING", CAUSE);
  feed.publishControl(() => ({ id: "req-1-1" }));
  const items = read(asking, 2);
  journal.reach(engine.state.seq);
  expect(await items).toMatchObject([
    { id: "1-1", event: "change" },
    { event: "request", data: { id: "req-1-1" } },
  ]);
  engine.close();
});
