import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { machineWall } from "../../src/runtime/ports.ts";
import { turn } from "../runtime/setup/turns.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { deadUrl } from "../webhooks/setup/greeted.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  vi.restoreAllMocks();
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const advance = async (body: unknown) => (await world.control("POST", "/clock/advance", body)).body;

/** A quote to an account with the given ending, executed by default. */
const quote = async (suffix: string, isExecuted = true) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, suffix);
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  if (isExecuted) await world.call("POST", `/quotes/${body.id}/execute`);
  await world.call("GET", "/config"); // whatever comes without delay has come
  return body;
};

test("next goes to the earliest timer and fires all that is due there", async () => {
  await quote("003");
  await quote("003");
  const open = await quote("003", false);
  expect(await advance({ next: true })).toMatchObject({
    to: "2026-01-05T09:05:00.000Z",
    fired: [{ timer: "quote.expire", subject: open.id }],
  });
  expect(await advance({ next: true })).toMatchObject({
    to: "2026-01-05T09:06:00.000Z",
    firedCount: 2,
  });
});

test("next passes over retries of webhooks, which are made on the way", async () => {
  await world.call("PATCH", "/config", { webhookEndpoint: await deadUrl() });
  await quote("003", false);
  const report = await advance({ next: true });
  expect(report.to).toBe("2026-01-05T09:05:00.000Z");
  expect(report.fired.at(-1)).toMatchObject({ timer: "quote.expire" });
  expect(report.fired.slice(0, 2)).toMatchObject([
    { timer: "webhook.retry", at: "2026-01-05T09:00:01.000Z" },
    { timer: "webhook.retry", at: "2026-01-05T09:00:01.000Z" },
  ]);
});

test("next goes to a retry when nothing else is left, and nowhere when nothing is", async () => {
  expect(await advance({ next: true })).toMatchObject({
    to: "2026-01-05T09:00:00.000Z",
    complete: true,
    firedCount: 0,
  });
  const payer = await createPayer(world, 0);
  await world.call("PATCH", "/config", { webhookEndpoint: await deadUrl() });
  await world.call("POST", `/sandbox/internal-accounts/${payer.accountId}/fund`, { amount: 1 });
  await advance({ by: "1ms" });
  expect(await advance({ next: true })).toMatchObject({ firedCount: 1 });
});

test("until ends at the instant a record has the status", async () => {
  const { transactionId } = await quote("003");
  const report = await advance({ until: { id: transactionId, status: "COMPLETED" } });
  expect(report).toMatchObject({
    to: "2026-01-05T09:06:00.000Z",
    complete: true,
    until: { id: transactionId, wanted: "COMPLETED", found: "COMPLETED", reached: true },
  });
});

test("a status that is there already moves nothing", async () => {
  const { transactionId } = await quote("003");
  const report = await advance({ until: { id: transactionId, status: "PROCESSING" } });
  expect(report).toMatchObject({ to: "2026-01-05T09:00:00.000Z", until: { reached: true } });
});

test("until continues past other statuses of the record", async () => {
  const { transactionId } = await quote("005");
  const returned = await advance({ until: { id: transactionId, status: "FAILED" } });
  expect(returned).toMatchObject({ to: "2026-01-05T09:00:05.000Z", until: { reached: true } });
});

test("until ends early when the record has ended otherwise", async () => {
  const open = await quote("003", false);
  const report = await advance({ until: { id: open.transactionId, status: "COMPLETED" } });
  expect(report).toMatchObject({
    to: "2026-01-05T09:05:00.000Z",
    until: { wanted: "COMPLETED", found: "EXPIRED", reached: false },
  });
});

test.each([
  { status: "FAILED", reached: true },
  { status: "COMPLETED", reached: false },
])("until a transfer in is $status ends when it has ended", async ({ status, reached }) => {
  const { customerId, accountId } = await createPayer(world, 0);
  const bank = await createBank(world, customerId, "005");
  // Another timer is still due after it.
  await quote("003");
  const { body } = await world.call("POST", "/transfer-in", transferInput(bank, accountId, 5));
  expect(await advance({ until: { id: body.id, status } })).toMatchObject({
    to: "2026-01-05T09:00:30.000Z",
    until: { id: body.id, wanted: status, found: "FAILED", reached },
  });
});

test("until ends when no timer is left, and after 30 days at the latest", async () => {
  const { transactionId } = await quote("999");
  const idle = await advance({ until: { id: transactionId, status: "FAILED" } });
  expect(idle).toMatchObject({
    to: "2026-01-05T09:00:00.000Z",
    until: { found: "COMPLETED", reached: false },
  });
});

test.each(["Transaction:none", "zz", ""])(
  "until %j is refused: no record is named so",
  async (id) => {
    const answer = await world.control("POST", "/clock/advance", { until: { id, status: "X" } });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "ID_NOT_FOUND" } } });
  },
);

test("a frozen clock stands, one that runs continues from where it stood", async () => {
  const wall = vi.spyOn(machineWall, "nowMs");
  const wallMs = Date.now();
  wall.mockReturnValue(wallMs);
  // The system clock is read once a turn (spec/clock.md#determinism).
  await turn();
  expect((await world.control("PUT", "/clock", { mode: "real" })).body).toMatchObject({
    now: "2026-01-05T09:00:00.000Z",
    mode: "real",
  });
  await turn();
  wall.mockReturnValue(wallMs + 61_000);
  const { body } = await world.control("GET", "/clock");
  expect(body.now).toBe("2026-01-05T09:01:01.000Z");
  await world.control("PUT", "/clock", { mode: "manual" });
  await turn();
  wall.mockReturnValue(wallMs + 3_600_000);
  expect((await world.control("GET", "/clock")).body).toMatchObject({
    now: "2026-01-05T09:01:01.000Z",
    mode: "manual",
  });
});

test("real: a timer that is due when the clock is let run fires by itself", async () => {
  const { transactionId } = await quote("003");
  const wall = vi.spyOn(machineWall, "nowMs");
  wall.mockReturnValue(5000);
  await world.control("PUT", "/clock", { mode: "real" });
  wall.mockReturnValue(5000 + 360_000);
  const { body } = await world.call("GET", `/transactions/${transactionId}`);
  expect(body).toMatchObject({ status: "COMPLETED", settledAt: "2026-01-05T09:06:00.000Z" });
});

test("the mode survives a restart", async () => {
  const directory = new StateDirectory();
  await world.sim.close();
  world = await startTestSimulator({ storage: directory.url });
  await world.control("PUT", "/clock", { mode: "real" });
  await world.sim.close();
  world = await reopen(directory, { clock: undefined } as never);
  expect((await world.control("GET", "/clock")).body.mode).toBe("real");
  await world.sim.close();
  directory.remove();
});

test.each([{}, { mode: "fast" }, undefined])("a clock put to %j is refused", async (body) => {
  const answer = await world.control("PUT", "/clock", body);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
});
