import { afterAll, beforeAll, expect, test } from "vitest";
import type { LifecycleTable } from "../../src/contract/control/lifecycles.ts";
import { LIFECYCLE_TABLES } from "../../src/control/core/lifecycle-tables.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let tables: LifecycleTable[];

beforeAll(async () => {
  world = await startTestSimulator();
  tables = (await world.control("GET", "/lifecycles")).body.data;
});

afterAll(() => world.sim.close());

// spec/console.md#lifecycles
test("every lifecycle is told, with each of its states once and no other", () => {
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(LIFECYCLE_TABLES));
  for (const { starts, ends, states, moves } of tables) {
    const named = new Set([starts, ...ends, ...moves.flatMap(({ from, to }) => [from, to])]);
    expect(states).toHaveLength(named.size);
    expect(new Set(states)).toEqual(named);
    expect(states[0]).toBe(starts);
  }
});

test("a payment's states come in the order in which it can reach them", () => {
  const payment = tables.find(({ name }) => name === "Outgoing payment");
  expect(payment?.states).toEqual(["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"]);
  expect(payment?.moves).toContainEqual({
    from: "PROCESSING",
    on: "settle",
    to: "COMPLETED",
    emits: "OUTGOING_PAYMENT.COMPLETED",
  });
});
