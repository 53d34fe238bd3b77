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

const preview = (body: object) => world.control("POST", "/clock/preview", body);

const twoTimers = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const quote = async () =>
    (await world.call("POST", "/quotes", quoteInput(payer.accountId, payee))).body;
  const paid = await quote();
  await world.call("POST", `/quotes/${paid.id}/execute`);
  await quote();
  return paid;
};

// spec/clock.md#preview
test("a preview names what an advance then fires, and moves nothing", async () => {
  await twoTimers();
  const { body } = await preview({ by: "6m" });
  expect(body).toMatchObject({
    from: "2026-01-05T09:00:00.000Z",
    to: "2026-01-05T09:06:00.000Z",
    inMs: 360_000,
    count: 2,
    byTimer: { "quote.expire": 1, "payment.settle": 1 },
  });
  expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:00:00.000Z");
  expect((await world.control("GET", "/timers")).body.totalCount).toBe(2);
  const { body: advanced } = await world.control("POST", "/clock/advance", { by: "6m" });
  const named = ({ timer, subject }: { timer: string; subject: string }) => `${timer} ${subject}`;
  expect(advanced.fired.map(named)).toEqual(body.fires.map(named));
});

test("next, an instant, and until a status are previewed as advance takes them", async () => {
  const paid = await twoTimers();
  const at = async (goal: object) => (await preview(goal)).body.to?.slice(11, 19);
  expect(await at({ next: true })).toBe("09:05:00");
  expect(await at({ to: "2026-01-05T09:05:30Z" })).toBe("09:05:30");
  expect(await at({ until: { id: paid.transactionId, status: "COMPLETED" } })).toBe("09:06:00");
  expect(await at({ until: { id: paid.id, status: "COMPLETED" } })).toBe("09:06:00");
  expect(await at({ until: { id: paid.transactionId, status: "PROCESSING" } })).toBe("09:00:00");
});

test.each([
  [{ by: "x" }, "INVALID_DURATION"],
  [{ to: "2020-01-01T00:00:00Z" }, "TIME_IN_PAST"],
  [{ until: { id: "ffffff", status: "COMPLETED" } }, "ID_NOT_FOUND"],
  [{}, "INVALID_INPUT"],
])("%j is refused with %s", async (body, code) => {
  expect((await preview(body)).body.error.code).toBe(code);
});
