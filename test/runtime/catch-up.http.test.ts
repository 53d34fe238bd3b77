import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { machineWall } from "../../src/runtime/ports.ts";
import type { Activity } from "../../src/simulator.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { START_MS } from "./setup/test-engine.ts";
import { until } from "./setup/turns.ts";

let world: TestSimulator;
let activities: Activity[];
let wallMs: number;

beforeEach(() => {
  activities = [];
  wallMs = START_MS;
  vi.spyOn(machineWall, "nowMs").mockImplementation(() => wallMs);
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  vi.restoreAllMocks();
});

/** A world with an open quote, made at 09:00, to an account with the given ending. */
const withQuote = async (clock: "real" | "manual", suffix: string) => {
  world = await startTestSimulator({ clock, onActivity: (activity) => activities.push(activity) });
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, suffix);
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  expect(body.expiresAt).toBe("2026-01-05T09:05:00.000Z");
  return body;
};

const transactionOf = async ({ transactionId }: { transactionId: string }) =>
  (await world.call("GET", `/transactions/${transactionId}`)).body;

const EXPIRED = { status: "EXPIRED", updatedAt: "2026-01-05T09:05:00.000Z" };

const expiries = [
  { afterMs: 299_999, sees: { status: "PENDING", updatedAt: "2026-01-05T09:00:00.000Z" } },
  { afterMs: 300_000, sees: EXPIRED },
  { afterMs: 300_001, sees: EXPIRED },
  { afterMs: 86_400_000, sees: EXPIRED },
];

// spec/clock.md#expiry
test.each(expiries)(
  "real: $afterMs ms on, a payment of a quote is $sees.status",
  async ({ afterMs, sees }) => {
    const quote = await withQuote("real", "003");
    wallMs += afterMs;
    expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe(sees.status);
    expect(await transactionOf(quote)).toMatchObject(sees);
  },
);

test.each([
  { afterMs: 299_999, status: 200, reason: undefined },
  { afterMs: 300_000, status: 409, reason: "QUOTE_EXPIRED" },
])("real: executing a quote $afterMs ms on is $status", async ({ afterMs, status, reason }) => {
  const quote = await withQuote("real", "003");
  wallMs += afterMs;
  const executed = await world.call("POST", `/quotes/${quote.id}/execute`);
  expect([executed.status, executed.body.reason]).toEqual([status, reason]);
});

test("manual: time does not move with the system clock", async () => {
  const quote = await withQuote("manual", "003");
  wallMs += 86_400_000;
  expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
  const { headers } = await world.call("GET", "/config");
  expect(headers.get("date")).toBe("Mon, 05 Jan 2026 09:00:00 GMT");
});

test.each(["real", "manual"] as const)(
  "an outcome without delay comes right after the reply, by itself, at the same instant (%s)",
  async (clock) => {
    const quote = await withQuote(clock, "999");
    const executed = await world.call("POST", `/quotes/${quote.id}/execute`);
    expect(executed.body.status).toBe("PROCESSING");
    const timers = () => activities.filter(({ kind }) => kind === "timer");
    await until("the payment to settle", () => timers().length > 0);
    expect(timers()).toHaveLength(1);
    expect(timers()[0]).toMatchObject({
      timer: "payment.settle",
      subject: quote.transactionId,
      atMs: START_MS,
      from: "PROCESSING",
      to: "COMPLETED",
      rule: "quotedPayment.otherwise",
    });
    expect(await transactionOf(quote)).toMatchObject({
      status: "COMPLETED",
      settledAt: "2026-01-05T09:00:00.000Z",
    });
  },
);

test("real: a payment that became due between two calls is stamped with when it was due", async () => {
  const quote = await withQuote("real", "003");
  wallMs += 60_000;
  await world.call("POST", `/quotes/${quote.id}/execute`);
  wallMs += 3_600_000;
  expect(await transactionOf(quote)).toMatchObject({
    status: "COMPLETED",
    settledAt: "2026-01-05T09:07:00.000Z",
  });
});
