import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const advance = (body: unknown) => world.control("POST", "/clock/advance", body);

const now = async () => (await world.control("GET", "/clock")).body.now;

// spec/clock.md#reading
test("the clock tells its instant, its mode, and the next timer when there is one", async () => {
  const idle = await world.control("GET", "/clock");
  expect(idle.body).toMatchObject({ now: "2026-01-05T09:00:00.000Z", mode: "manual" });
  expect(idle.body).not.toHaveProperty("nextTimerAt");
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { body } = await world.control("GET", "/clock");
  expect(body.nextTimerAt).toBe("2026-01-05T09:05:00.000Z");
});

test.each([
  { by: "90s", ms: 90_000 },
  { by: "5m1s", ms: 301_000 },
  { by: "6m", ms: 360_000 },
  { by: "1h30m", ms: 5_400_000 },
  { by: "24h", ms: 86_400_000 },
  { by: "7d", ms: 604_800_000 },
  { by: "500ms", ms: 500 },
  { by: "PT6M", ms: 360_000 },
])("by $by moves it $ms ms", async ({ by, ms }) => {
  const { status, body } = await advance({ by });
  expect(status).toBe(200);
  expect(Date.parse(body.to) - Date.parse("2026-01-05T09:00:00Z")).toBe(ms);
  expect(await now()).toBe(body.to);
});

const refused: { body: unknown; code: string }[] = [
  { body: { by: "-5m" }, code: "INVALID_DURATION" },
  { body: { by: "0s" }, code: "INVALID_DURATION" },
  { body: { by: "" }, code: "INVALID_DURATION" },
  { body: { by: "5" }, code: "INVALID_DURATION" },
  { body: { by: "1.5h" }, code: "INVALID_DURATION" },
  { body: { by: "5 m" }, code: "INVALID_DURATION" },
  { body: { by: "6m soon" }, code: "INVALID_DURATION" },
  { body: { by: "9999999d" }, code: "INVALID_DURATION" },
  { body: { to: "2026-01-05T08:59:59Z" }, code: "TIME_IN_PAST" },
  { body: { to: "tomorrow" }, code: "INVALID_INSTANT" },
  { body: { to: "2026-01-06" }, code: "INVALID_INSTANT" },
  { body: { to: "2026-01-06T09:00:00" }, code: "INVALID_INSTANT" },
  { body: { to: "2026-02-30T09:00:00Z" }, code: "INVALID_INSTANT" },
  { body: { by: 60 }, code: "INVALID_INPUT" },
  { body: {}, code: "INVALID_INPUT" },
  { body: undefined, code: "INVALID_INPUT" },
  { body: { by: "6m", to: "2026-01-06T09:00:00Z" }, code: "INVALID_INPUT" },
  { body: { by: "6m", budgetMs: -1 }, code: "INVALID_INPUT" },
  { body: { by: "6m", budgetMs: 0.5 }, code: "INVALID_INPUT" },
];

test.each([
  {
    body: { by: "9999999d" },
    message: 'Expected a duration that ends before the year 9999 but found "9999999d"',
    details: { field: "by", value: "9999999d" },
  },
  {
    body: { to: "9999-06-01T00:00:00Z" },
    message: 'Expected an instant before the year 9999 but found "9999-06-01T00:00:00Z"',
    details: { field: "to", value: "9999-06-01T00:00:00Z" },
  },
])("advance $body is told how far the clock goes", async ({ body, message, details }) => {
  expect((await advance(body)).body.error).toMatchObject({ message, details });
});

test.each(refused)(
  "advance $body is refused with $code and moves nothing",
  async ({ body, code }) => {
    const answer = await advance(body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code } } });
    expect(answer.body).toEqual({
      error: {
        code,
        message: expect.stringMatching(/\S/),
        next: [expect.any(String)],
        ...(answer.body.error.details && { details: expect.any(Object) }),
      },
    });
    expect(await now()).toBe("2026-01-05T09:00:00.000Z");
  },
);

test("an advance tells everything that happened on the way", async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { body } = await advance({ by: "6m" });
  expect(body).toMatchObject({
    from: "2026-01-05T09:00:00.000Z",
    to: "2026-01-05T09:06:00.000Z",
    complete: true,
    mode: "manual",
    fired: [
      {
        at: "2026-01-05T09:05:00.000Z",
        timer: "quote.expire",
        subject: quote.id,
        from: "PENDING",
        to: "EXPIRED",
      },
    ],
    firedCount: 1,
    webhooks: [],
    webhookCount: 0,
    open: 0,
  });
  expect(body).not.toHaveProperty("waitingFor");
  expect(body).not.toHaveProperty("next");
});

test("the Date header of every answer is the simulated instant", async () => {
  await advance({ to: "2026-12-24T18:30:00Z" });
  for (const { headers } of [
    await world.call("GET", "/config"),
    await world.call("GET", "/nothing"),
    await world.control("GET", "/live"),
  ])
    expect(headers.get("date")).toBe("Thu, 24 Dec 2026 18:30:00 GMT");
});
