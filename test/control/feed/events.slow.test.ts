import { get, type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventReader, type ReadEvent } from "../../../src/client/event-reader.ts";
import { turn, until } from "../../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;
let origin: string;

beforeEach(async () => {
  world = await startTestSimulator();
  origin = (await world.sim.listen()).url;
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

/** A reader of the feed over a real connection. */
class Listener {
  readonly events: ReadEvent[] = [];
  readonly response: IncomingMessage;
  ended = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    const reader = new EventReader((event) => this.events.push(event));
    response.setEncoding("utf8").on("data", (text: string) => reader.push(text));
    response.on("end", () => {
      this.ended = true;
    });
    response.on("error", () => {});
  }

  of(event: string) {
    return this.events.filter((one) => one.event === event).map(({ data }) => data);
  }

  heard(event: string, count = 1) {
    return until(`${count} of ${event}`, () => this.of(event).length >= count);
  }
}

const listen = (headers: Record<string, string> = {}): Promise<Listener> =>
  new Promise((resolve, reject) => {
    const sent = request(`${origin}/_sim/events`, { agent: false, headers });
    sent.on("response", (response) => resolve(new Listener(response)));
    sent.on("error", reject);
    sent.end();
  });

test("a text with every kind of line end is read whole", () => {
  const data = { name: "a\nb\rc\u0085d\u2028e\u2029f" };
  const read: ReadEvent[] = [];
  new EventReader((event) => read.push(event)).push(
    `id: 1-1\nevent: hello\ndata: ${JSON.stringify(data)}\n\n`,
  );
  expect(read).toEqual([{ id: "1-1", event: "hello", data }]);
});

test("it is a stream of server-sent events, each with an id", async () => {
  const listener = await listen();
  expect(listener.response.statusCode).toBe(200);
  expect(listener.response.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-sim-request-id": expect.stringMatching(/^req-1-/),
  });
  await world.call("GET", "/config");
  await world.call("GET", "/config");
  await listener.heard("request", 2);
  expect(listener.events[0]).toEqual({
    id: "1-1",
    event: "hello",
    data: {
      start: 1,
      generation: 1,
      openings: 1,
      seq: 1,
      world: "sandbox",
      now: "2026-01-05T09:00:00.000Z",
      clock: { mode: "manual", aheadMs: expect.any(Number) },
    },
  });
  const numbers = listener.events.map(({ id }) => Number(/^1-([0-9]+)$/.exec(id ?? "")?.[1]));
  expect(numbers[1]).toBe((numbers[0] ?? 0) + 1);
});

test("a payment is told from its request to its end", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const listener = await listen();
  const executed = await world.call("POST", `/quotes/${quote.id}/execute`);
  await world.sim.advance("6m");
  await listener.heard("clock");
  const cause = executed.headers.get("x-sim-request-id");
  const subject = quote.transactionId;
  expect(listener.of("change")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "Quote", id: quote.id, status: "PROCESSING", cause }),
      expect.objectContaining({ kind: "Transaction", id: subject, status: "PROCESSING", cause }),
      expect.objectContaining({
        kind: "Transaction",
        id: subject,
        status: "COMPLETED",
        cause: `payment.settle ${subject}`,
        at: "2026-01-05T09:06:00.000Z",
      }),
    ]),
  );
  expect(listener.of("timer")).toEqual([
    expect.objectContaining({
      op: "set",
      timer: "payment.settle",
      subject,
      dueAt: "2026-01-05T09:06:00.000Z",
    }),
    expect.objectContaining({ op: "cleared", timer: "quote.expire", subject: quote.id }),
    {
      op: "fired",
      timer: "payment.settle",
      subject,
      from: "PROCESSING",
      to: "COMPLETED",
      rule: "quotedPayment.003",
      at: "2026-01-05T09:06:00.000Z",
    },
  ]);
  expect(listener.of("request")).toMatchObject([
    { id: cause, method: "POST", operation: "executeQuote", status: 200 },
  ]);
  expect(listener.of("delivery")).toMatchObject([
    { type: "OUTGOING_PAYMENT.PROCESSING", about: subject, state: "UNDELIVERABLE" },
    { type: "INTERNAL_ACCOUNT.BALANCE_UPDATED", state: "UNDELIVERABLE" },
    { type: "OUTGOING_PAYMENT.COMPLETED", about: subject, state: "UNDELIVERABLE" },
  ]);
  expect(listener.of("clock")).toEqual([
    { now: "2026-01-05T09:06:00.000Z", mode: "manual", aheadMs: expect.any(Number) },
  ]);
});

test("what a request changed is told before the request", async () => {
  const listener = await listen();
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await listener.heard("request");
  const kinds = listener.events.map(({ event }) => event);
  expect(kinds.indexOf("change")).toBeLessThan(kinds.indexOf("request"));
});

test("whoever comes back with the newest id continues, with an older one starts over", async () => {
  const first = await listen();
  await world.call("GET", "/config");
  await first.heard("request");
  const id = first.events.at(-1)?.id ?? "";
  first.response.destroy();
  const second = await listen({ "last-event-id": id });
  await world.call("GET", "/config");
  await second.heard("request");
  expect(second.of("start-over")).toEqual([]);
  const third = await listen({ "last-event-id": id });
  await third.heard("start-over");
  expect(third.of("start-over")).toEqual([
    { why: `what came after ${id} is no longer there`, from: "/_sim/status" },
  ]);
  await world.call("GET", "/config");
  await third.heard("request");
});

test("whoever reads nothing is cut off and told to start over", async () => {
  const slow = await world.sim.fetch(new Request(`${origin}/_sim/events`));
  for (let count = 0; count < 1100; count += 1) await world.call("GET", "/config");
  const text = await slow.text();
  expect(text.match(/^event: request$/gm)?.length ?? 0).toBeLessThan(10);
  expect(text).toMatch(
    /event: start-over\ndata: \{"why":"over 1000 events were waiting[^\n]+\n\n$/,
  );
});

test("a connection that does not read is cut off as well, and costs the others nothing", async () => {
  const slow = await new Promise<IncomingMessage>((resolve) =>
    get(`${origin}/_sim/events`, { agent: false }, resolve),
  );
  slow.pause();
  const quick = await listen();
  let text = "";
  slow.setEncoding("utf8");
  const url = `${world.sim.apiUrl}/quotes/${"x".repeat(12_000)}`;
  // More than sockets buffer: some megabytes on loopback.
  for (let count = 0; count < 2000; count += 1) {
    await world.sim.fetch(new Request(url));
    if (count % 100 === 0) await turn();
  }
  slow.on("data", (part: string) => {
    text += part;
  });
  const ended = new Promise((resolve) => slow.on("end", resolve));
  slow.resume();
  await ended;
  expect(text.slice(-300)).toContain("event: start-over");
  await quick.heard("request", 2000);
});

test("closing the simulator ends the streams", async () => {
  const listener = await listen();
  await world.call("GET", "/config");
  await listener.heard("request");
  await world.sim.close();
  await until("the stream to end", () => listener.ended);
});

test("a reset is told as one", async () => {
  const listener = await listen();
  await world.control("POST", "/reset");
  await listener.heard("reset");
  expect(listener.of("change")).toEqual([]);
  expect(listener.of("reset")).toEqual([{ world: "sandbox", at: "2026-01-05T09:00:00.000Z" }]);
});

test("a new watcher learns how often the world began, and what undoes the last time", async () => {
  const hello = async () => {
    const watcher = await listen();
    await watcher.heard("hello");
    watcher.response.destroy();
    const [{ openings, undoing } = {}] = watcher.of("hello") as { [member: string]: unknown }[];
    return [openings, undoing];
  };
  expect(await hello()).toEqual([1, undefined]);
  await world.sim.advance("1m");
  await world.control("POST", "/clock/rewind", { by: "30s" });
  const rewound = (await world.control("GET", "/snapshots")).body.data.at(-1).name;
  expect(await hello()).toEqual([2, rewound]);
  await world.control("POST", `/snapshots/${rewound}/restore`, {});
  expect(await hello()).toEqual([3, undefined]);
  await world.control("POST", "/reset", {});
  expect(await hello()).toEqual([4, "before-reset"]);
  await world.control("POST", "/reset", {});
  expect(await hello()).toEqual([5, "before-reset"]);
  await world.control("DELETE", "/snapshots/before-reset");
  expect(await hello()).toEqual([5, undefined]);
});

test("a page of another origin may not listen", async () => {
  const { response } = await listen({ origin: "https://shop.example" });
  expect(response.statusCode).toBe(403);
});
