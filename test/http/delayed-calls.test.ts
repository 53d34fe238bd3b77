import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { until } from "../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
  await world.control("PUT", "/snapshots/empty");
  await world.sim.advance("1h");
  fakeHostTimers();
});

afterEach(async () => {
  realHostTimers();
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const TURNS = [
  { what: "reset", path: "/reset", body: {} },
  { what: "rewind", path: "/clock/rewind", body: { by: "30m" } },
  { what: "restore", path: "/snapshots/empty/restore", body: {} },
];

test.each(
  TURNS.flatMap((turn) => [
    { ...turn, how: "delayed", fault: {} },
    { ...turn, how: "delayed and then failed", fault: { status: 500 } },
  ]),
)("a call that is $how is 503 after a $what, and changes nothing", async (row) => {
  await world.control("POST", "/faults", { fault: { latencyMs: 5_000, ...row.fault } });
  const call = world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await until("the call to be struck", async () => {
    const { body } = await world.control("GET", "/faults");
    return body.data[0].struck === 1;
  });
  expect((await world.control("POST", row.path, row.body)).status).toBe(200);
  vi.advanceTimersByTime(5_000);
  expect(await call).toMatchObject({
    status: 503,
    body: {
      code: "UNAVAILABLE",
      message: expect.stringContaining("it was reset or reloaded during the call"),
    },
  });
  expect((await world.call("GET", "/customers")).body.data).toEqual([]);
});
