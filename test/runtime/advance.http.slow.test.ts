import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { until } from "./setup/turns.ts";

let world: TestSimulator;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
  vi.restoreAllMocks();
});

/** A world whose receiver has accepted the snapshot event and answers. */
const start = async (options: SimulatorOptions = {}) => {
  world = await startTestSimulator(options);
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await until("the greeting", () => receiver.received.length === 1);
};

const advance = async (body: unknown) => (await world.control("POST", "/clock/advance", body)).body;

/** Starts a payment to an account with the given ending; returns its transaction's id. */
const pay = async (suffix: string) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, suffix);
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${body.id}/execute`);
  return body.transactionId as string;
};

test.each([
  { body: { by: "6m" }, to: "2026-01-05T09:06:00.000Z" },
  { body: { by: "PT1H30M" }, to: "2026-01-05T10:30:00.000Z" },
  { body: { by: "500ms" }, to: "2026-01-05T09:00:00.500Z" },
  { body: { to: "2026-01-06T00:00:00+01:00" }, to: "2026-01-05T23:00:00.000Z" },
  { body: { to: "2026-01-05T09:00:00Z" }, to: "2026-01-05T09:00:00.000Z" },
])("advance $body ends at $to", async ({ body, to }) => {
  await start();
  const report = await advance(body);
  expect(report).toMatchObject({ from: "2026-01-05T09:00:00.000Z", to, complete: true });
  expect((await world.control("GET", "/clock")).body.now).toBe(to);
});

test("a second advance counts from where the first one ended", async () => {
  await start();
  await advance({ by: "1m" });
  expect(await advance({ by: "1m" })).toMatchObject({
    from: "2026-01-05T09:01:00.000Z",
    to: "2026-01-05T09:02:00.000Z",
  });
});

test("real: an advanced clock stays ahead of the system clock", async () => {
  await start({ clock: "real" });
  const startedMs = Date.now();
  const before = (await world.control("GET", "/clock")).body.aheadMs;
  const report = await advance({ by: "1h" });
  expect(Date.parse(report.to) - Date.parse(report.from)).toBe(3_600_000);
  const { body } = await world.control("GET", "/clock");
  // The wall time that the advance took is not part of `aheadMs`.
  const tookMs = Date.now() - startedMs;
  expect(body.aheadMs).toBeLessThanOrEqual(before + 3_600_000);
  expect(body.aheadMs).toBeGreaterThanOrEqual(before + 3_600_000 - tookMs);
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse(report.to));
});

test("timers that timers set fire on the way, each at its instant and in causal order", async () => {
  await start();
  const subject = await pay("005");
  await advance({ by: "1s" }); // what comes without delay is over
  const report = await advance({ by: "10s" });
  const rule = "quotedPayment.005";
  expect(report.fired).toEqual([
    {
      at: "2026-01-05T09:00:05.000Z",
      timer: "payment.return",
      subject,
      from: "COMPLETED",
      to: "FAILED",
      rule,
    },
    {
      at: "2026-01-05T09:00:05.000Z",
      timer: "refund.start",
      subject,
      from: "NONE",
      to: "PENDING",
      rule,
    },
    {
      at: "2026-01-05T09:00:06.000Z",
      timer: "refund.settle",
      subject,
      from: "PENDING",
      to: "COMPLETED",
      rule,
    },
  ]);
  expect(report.firedCount).toBe(3);
  const ofPayment = report.webhooks.filter(({ about }: { about: string }) => about === subject);
  expect(ofPayment).toMatchObject([
    { at: "2026-01-05T09:00:05.000Z", type: "OUTGOING_PAYMENT.FAILED", attempt: 1, status: 200 },
    { at: "2026-01-05T09:00:05.000Z", type: "OUTGOING_PAYMENT.REFUND_PENDING", status: 200 },
    {
      at: "2026-01-05T09:00:06.000Z",
      type: "OUTGOING_PAYMENT.REFUND_COMPLETED",
      status: 200,
      state: "ACCEPTED",
    },
  ]);
  expect(report).toMatchObject({ webhookCount: report.webhooks.length, open: 0 });
});

test("when it returns, everything waiting has been attempted", async () => {
  await start();
  const payer = await createPayer(world, 0);
  const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
  for (const amount of [1, 2, 3]) await world.call("POST", path, { amount });
  const report = await advance({ by: "1ms" });
  expect(report.open).toBe(0);
  expect(receiver.received.slice(1).map(({ data }) => data.balance.amount)).toEqual([1, 3, 6]);
});

test("two spans at once add up, each with what happened up to its instant", async () => {
  await start();
  const slow = await pay("003");
  const [near, far] = await Promise.all([advance({ by: "1m" }), advance({ by: "10m" })]);
  expect(near).toMatchObject({ to: "2026-01-05T09:01:00.000Z", complete: true, fired: [] });
  expect(far).toMatchObject({
    to: "2026-01-05T09:11:00.000Z",
    complete: true,
    fired: [{ at: "2026-01-05T09:06:00.000Z", timer: "payment.settle", subject: slow }],
  });
});

test("a receiver that calls the platform from its handler is served at the step's instant", async () => {
  await start();
  await pay("003");
  const seen: string[] = [];
  receiver.behaviour = async (event, response) => {
    if (event.type === "OUTGOING_PAYMENT.COMPLETED") {
      const read = await world.call("GET", `/transactions/${event.data.id}`);
      const made = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
      seen.push(read.body.status, read.body.settledAt, made.body.createdAt);
    }
    response.end();
  };
  const report = await advance({ by: "1h" });
  expect(report).toMatchObject({ complete: true, to: "2026-01-05T10:00:00.000Z" });
  expect(seen).toEqual(["COMPLETED", "2026-01-05T09:06:00.000Z", "2026-01-05T09:06:00.000Z"]);
});

test("a receiver that executes a payment from its handler sees it completed too", async () => {
  await start();
  await pay("003");
  let isPaidOn = false;
  receiver.behaviour = async (event, response) => {
    if (event.type === "OUTGOING_PAYMENT.COMPLETED" && !isPaidOn) {
      isPaidOn = true;
      await pay("003");
    }
    response.end();
  };
  const { fired } = await advance({ by: "1h" });
  expect(fired).toMatchObject([
    { at: "2026-01-05T09:06:00.000Z", timer: "payment.settle" },
    { at: "2026-01-05T09:12:00.000Z", timer: "payment.settle" },
  ]);
});

/** From here on the machine's clock and its timers are five times as fast. */
const hurry = () => {
  const { monotonicMs, setTimeout } = hostTime;
  vi.spyOn(hostTime, "monotonicMs").mockImplementation(() => monotonicMs() * 5);
  const sooner = (run: () => void, delayMs = 0) => setTimeout(run, delayMs / 5);
  vi.spyOn(hostTime, "setTimeout").mockImplementation(sooner as typeof setTimeout);
};

test("a receiver that advances from its handler costs about five seconds, not a deadlock", async () => {
  await start();
  await pay("003");
  const inner: unknown[] = [];
  receiver.behaviour = async (event, response) => {
    if (event.type === "OUTGOING_PAYMENT.COMPLETED") inner.push(await advance({ by: "1m" }));
    response.end();
  };
  hurry();
  const startedAt = hostTime.monotonicMs();
  const outer = await advance({ by: "1h" });
  const tookMs = hostTime.monotonicMs() - startedAt;
  await until("the handler to end", () => inner.length === 1);
  expect(tookMs).toBeGreaterThan(4500);
  // A deadlock would use the whole budget of a minute.
  expect(tookMs).toBeLessThan(55_000);
  expect(inner).toMatchObject([{ complete: true, to: "2026-01-05T10:01:00.000Z" }]);
  expect(outer).toMatchObject({ complete: true, to: "2026-01-05T10:00:00.000Z" });
});

test("an attempt that was under way before, and the events behind it, are the reason for what is open", async () => {
  await start();
  const payer = await createPayer(world, 0);
  const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
  const hangs = receiverHangs();
  for (const amount of [1, 2, 3]) await world.call("POST", path, { amount });
  await hangs();
  hurry();
  expect(await advance({ by: "1h" })).toMatchObject({
    complete: true,
    open: 3,
    underWay: 1,
    unsent: 2,
    why: "1 sent without an answer so far, 2 not attempted yet",
  });
});

test("ten spans asked for at once over HTTP add up", async () => {
  await start();
  const reports = await Promise.all(Array.from({ length: 10 }, () => advance({ by: "1h" })));
  expect(reports.map(({ to }) => to.slice(11, 13)).toSorted()).toEqual([
    "10",
    "11",
    "12",
    "13",
    "14",
    "15",
    "16",
    "17",
    "18",
    "19",
  ]);
});

test("a receiver that hangs ends an advance when its budget is spent, and is named", async () => {
  await start();
  await pay("003");
  await advance({ by: "1s" });
  receiver.behaviour = () => {};
  const report = await advance({ by: "1h", budgetMs: 200 });
  expect(report).toMatchObject({
    complete: false,
    to: "2026-01-05T09:06:00.000Z",
    waitingFor: 1,
    underWay: 1,
    why: "1 sent without an answer so far",
    endpoint: receiver.url,
  });
  expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:06:00.000Z");
});

/** Makes the receiver answer nothing; the result resolves at its first call. */
const receiverHangs = () => {
  let isHanging = false;
  receiver.behaviour = () => {
    isHanging = true;
  };
  return () => until("the receiver to hang", () => isHanging);
};

test("a reset ends an advance that waits, with complete false", async () => {
  await start();
  await pay("003");
  await advance({ by: "1s" });
  const hangs = receiverHangs();
  const waiting = advance({ by: "1h" });
  await hangs();
  expect((await world.control("POST", "/reset")).status).toBe(200);
  expect(await waiting).toMatchObject({ complete: false, to: "2026-01-05T09:06:00.000Z" });
  expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:00:00.000Z");
  expect(await advance({ by: "1m" })).toMatchObject({ complete: true, firedCount: 0 });
});

test("closing ends an advance that waits, with complete false", async () => {
  await start();
  await pay("003");
  await advance({ by: "1s" });
  const hangs = receiverHangs();
  const waiting = world.sim.advance("1h");
  await hangs();
  await world.sim.close();
  expect(await waiting).toMatchObject({ complete: false, to: "2026-01-05T09:06:00.000Z" });
});
