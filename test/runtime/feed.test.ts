import { expect, test } from "vitest";
import type { Rule } from "../../src/domain/draft.ts";
import type { QuoteRecord } from "../../src/domain/records.ts";
import { clearTimer } from "../../src/domain/schedule.ts";
import { Feed, type FeedItem, type Subscription } from "../../src/runtime/feed.ts";
import { NoJournal } from "../../src/runtime/journal-file.ts";
import type { Journal } from "../../src/runtime/ports.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { CAUSE, openEngine, START_MS, setFor } from "./test-engine.ts";
import { turn } from "./turns.ts";

const QUOTE = "Quote:1";

const putQuote: Rule<QuoteRecord["status"], void> = (draft, status) =>
  draft.put("Quote", { id: QUOTE, status } as QuoteRecord);

/** A journal that becomes durable when the test says so. */
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
  return { ...world, feed: new Feed(world.engine, 1) };
};

/** The next items of a subscription. */
const read = async (from: Subscription, count: number) => {
  const items: (FeedItem | undefined)[] = [];
  while (items.length < count) items.push(await from.next());
  return items;
};

test("a change is told with its kind, status and cause once it is durable", async () => {
  const { engine, feed } = openFeed();
  const one = feed.subscribe();
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

test("nothing is told before the journal has it", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const one = feed.subscribe();
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

test("what was lost with an older world is told nobody", async () => {
  const { engine, feed } = openFeed();
  const journal = new SlowJournal(engine.state.seq);
  engine.journal = journal;
  const one = feed.subscribe();
  engine.commit(putQuote, "PENDING", CAUSE);
  engine.load(new WorldState(), new NoJournal());
  engine.commit(putQuote, "FAILED", CAUSE);
  expect(await one.next()).toMatchObject({ data: { status: "FAILED" } });
  engine.close();
});

test("timers are told as they are set, cleared and fired, deliveries as they go", async () => {
  const { engine, feed } = openFeed();
  const one = feed.subscribe();
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

test("the clock is told when it is kept, a reset instead of all it changed", async () => {
  const { engine, feed } = openFeed();
  const one = feed.subscribe();
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

test("a subscriber that lets over 1,000 events wait is cut off and told to start over", async () => {
  const { engine, feed } = openFeed();
  const slow = feed.subscribe();
  const quick = feed.subscribe();
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

test("while nobody reads nothing is made, but what was missed is known", async () => {
  const { engine, feed } = openFeed();
  let made = 0;
  const make = () => {
    made += 1;
    return {};
  };
  const first = feed.subscribe();
  feed.publish("request", make);
  const last = await first.next();
  first.cancel();
  const nothingMissed = feed.subscribe(last?.id);
  feed.publish("request", make);
  expect(await nothingMissed.next()).toMatchObject({ event: "request" });
  nothingMissed.cancel();
  engine.commit(putQuote, "PENDING", CAUSE);
  feed.publish("request", make);
  expect(made).toBe(2);
  const late = feed.subscribe(last?.id);
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
  const waiting = feed.subscribe();
  const ended = waiting.next();
  feed.close();
  expect(await ended).toBeUndefined();
  expect(await feed.subscribe().next()).toBeUndefined();
  expect(feed.subscriberCount).toBe(0);
  engine.close();
});
